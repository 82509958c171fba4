/** What the publishing side asks for on top of the reader's rules (spec section 1, `[publish]`). */
import { describe, expect, test } from "bun:test";
import { problemsOf, type Row } from "./parse-cases.ts";
import { hostedSample, httpSample, legacySample, localSample, withChange } from "./samples.ts";

const publishing = { publishing: true };

test("the samples are fit for publishing once they say whether each tool only reads", () => {
  expect(problemsOf(httpSample(), publishing)).toEqual(["tools[1].read_only unpublishable"]);
  expect(problemsOf(localSample(), publishing)).toEqual([]);
  expect(problemsOf(hostedSample(), publishing)).toEqual([]);
});

describe("refused for publishing, read all the same", () => {
  const local: readonly Row[] = [
    ["no min_core_version", "min_core_version", undefined, ["min_core_version unpublishable"]],
    ["no auth", "auth", undefined, ["auth unpublishable"]],
    ["vendored not said", "runtime.vendored", undefined, ["runtime.vendored unpublishable"]],
    ["parameters of no type", "tools.0.parameters", {}, ["tools[0].parameters.type unpublishable"]],
    ["a runtime that serves no tool", "tools.0", undefined, ["runtime unpublishable"]],
    ["a picture of another kind", "interface.icon", "icon.gif", ["interface.icon unpublishable"]],
    [
      "a key without name, header and prompt",
      "auth",
      { type: "api_key" },
      ["auth.key_name unpublishable", "auth.header unpublishable", "auth.prompt unpublishable"],
    ],
  ];
  for (const [what, path, value, problems] of local) {
    test(what, () => {
      const changed = withChange(localSample(), path, value);
      expect(problemsOf(changed)).toEqual([]);
      expect(problemsOf(changed, publishing)).toEqual(problems);
    });
  }

  test("a key prefix that looks like a pattern or is not visible", () => {
    for (const prefix of ["brain_*", "(a)", "a b", "é"]) {
      const changed = withChange(hostedSample(), "auth.validation.prefix", prefix);
      expect(problemsOf(changed)).toEqual([]);
      expect(problemsOf(changed, publishing)).toEqual(["auth.validation.prefix unpublishable"]);
    }
  });

  test("the legacy form", () => {
    expect(problemsOf(legacySample(), publishing)).toContain("schema_version unpublishable");
  });
});
