/** Tests that the plugins group has every verb of the product, each loadable, with examples that parse. */
import { expect, test } from "bun:test";
import { commands } from "../../../src/cli/commands.ts";
import { parseArguments } from "../../../src/cli/parse.ts";

const VERBS = [
  "list",
  "catalog",
  "installed",
  "info",
  "doctor",
  "enable",
  "disable",
  "reload",
  "install",
  "upgrade",
  "pin",
  "uninstall",
  "gc",
  "verify",
  "config",
  "config set",
  "auth set",
  "auth clear",
] as const;

for (const words of VERBS) {
  test(`CLI-1/every-verb: fermix plugins ${words}`, async () => {
    const path = ["plugins", ...words.split(" ")];
    const command = commands.find((known) => known.path.join(" ") === path.join(" "));
    const verb = await command?.load();
    expect(verb?.summary).not.toBe("");
    const examples = verb?.examples.filter((line) => line.startsWith(`fermix ${path.join(" ")}`)) ?? [];
    expect(examples.length).toBeGreaterThan(0);
    if (verb === undefined || words === "config") return;
    for (const example of examples) {
      const rest = example.split(" ").slice(path.length + 1);
      expect(
        await parseArguments(
          path,
          verb.args,
          rest.filter((word) => word !== "--json"),
        ),
      ).toBeObject();
    }
  });
}
