/** Tests of system/security-tool.ts: what `security -i` reads back from its lines is what was meant, whatever is in it. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { recreateLines } from "../../src/system/security-tool.ts";

/** Splits a line as `security -i` does: blanks end an argument, quotes hold it together, a backslash takes the next sign. */
function split(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let at = 0; at < line.length; at += 1) {
    const sign = line[at] ?? "";
    if (word === undefined && /\s/.test(sign)) continue;
    if (word === undefined && (sign === '"' || sign === "'")) {
      word = "";
      quote = sign;
    } else if (sign === "\\") {
      at += 1;
      word = `${word ?? ""}${line[at] ?? ""}`;
    } else if (quote === "" ? /\s/.test(sign) : sign === quote) {
      words.push(word ?? "");
      word = undefined;
      quote = "";
    } else word = `${word ?? ""}${sign}`;
  }
  return word === undefined ? words : [...words, word];
}

test("every name and every value is read back as it was meant, in two lines", () => {
  const name = fc.string({ unit: fc.constantFrom(..."ab \"'\\$`;:é\u{1f511}-"), minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(name, fc.string({ unit: "binary", minLength: 1, maxLength: 200 }), (service, value) => {
      const lines = recreateLines(service, "fermix", value)?.split("\n") ?? [];
      expect(lines).toHaveLength(3);
      expect(split(lines[0] ?? "")).toEqual(["delete-generic-password", "-a", "fermix", "-s", service]);
      const hex = Buffer.from(value).toString("hex");
      expect(split(lines[1] ?? "")).toEqual(["add-generic-password", "-a", "fermix", "-s", service, "-X", hex, "-A"]);
    }),
  );
});

test("what no line can hold has no lines", () => {
  expect(recreateLines("fermix:a\nb", "fermix", "v")).toBeUndefined();
  expect(recreateLines("fermix:a\0", "fermix", "v")).toBeUndefined();
  expect(recreateLines("fermix:A", "fermix", "v".repeat(4096))).toBeUndefined();
});
