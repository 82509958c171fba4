/** Tests of cli/no-secret.ts: whatever place a secret is put in on the command line, it is refused and not told. */
import { describe, expect, test } from "bun:test";
import { parseArguments } from "../../src/cli/parse.ts";
import type { ArgSpecs } from "../../src/cli/verb.ts";
import { isFermixError } from "../../src/kernel/error.ts";
import { expectRefusal } from "../expect.ts";

const SECRET = "s3cr3t-value";
const specs = {
  name: { kind: "positional", label: "NAME", required: true, about: "the plugin" },
  stdin: { kind: "flag", about: "read it from a pipe" },
  id: { kind: "option", label: "ID", about: "an id" },
  value: { kind: "never", instead: "fermix plugins auth set NAME" },
} as const satisfies ArgSpecs;

const parse = (...words: readonly string[]) => parseArguments(["plugins", "auth", "set"], specs, words);

describe("a secret on the command line", () => {
  for (const words of [
    ["slack", SECRET],
    [SECRET, "slack"],
    ["slack", SECRET, "more"],
    ["slack", "--", SECRET],
    ["--", "slack", SECRET],
    ["slack", "--stdin", SECRET],
    [`--stdin=${SECRET}`, "slack"],
    ["slack", `--value=${SECRET}`],
    ["slack", `--value`, SECRET],
    ["slack", `-${SECRET}`],
    ["slack", "--id", "i", SECRET],
    ["slack", "--id=i", SECRET],
  ]) {
    test(`AUTH-3/positional is refused without being told: ${words.join(" ").replaceAll(SECRET, "SECRET")}`, async () => {
      const error = await parse(...words).catch((caught: unknown) => caught);
      if (!isFermixError(error, "secret_in_arguments")) throw error;
      expect({ code: error.code, details: error.details, exit: error.exit }).toEqual({
        code: "secret_in_arguments",
        details: { command: "fermix plugins auth set NAME" },
        exit: "usage",
      });
      expect(`${error.message} ${error.fix}`).not.toContain(SECRET);
      expect(error.fix).toContain("treat it as leaked");
    });
  }

  test("what is in its place is taken, and other slips are usage errors as ever", async () => {
    expect(await parse("slack", "--stdin", "--id", "i")).toEqual({ name: "slack", stdin: true, id: "i" } as never);
    expect(await parse("--id=i=j", "--", "slack")).toEqual({ name: "slack", stdin: false, id: "i=j" } as never);
    await expectRefusal(() => parse(), "usage");
    await expectRefusal(() => parse("slack", "--stdn"), "usage");
  });
});
