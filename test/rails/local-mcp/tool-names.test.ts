import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { asPluginName, type PluginName } from "../../../src/kernel/names.ts";
import { distinctName, nameTools, toolNameFor } from "../../../src/rails/local-mcp/tool-names.ts";
import { LAB } from "./laboratory.ts";

function tail(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}

describe("a tool's name", () => {
  test.each([
    ["search", "lab_search"],
    ["Search-Notes", "lab_search_notes"],
    ["  read.note  ", "lab_read_note"],
    ["a---b___c", "lab_a_b_c"],
    ["__x__", "lab_x"],
    ["lab_search", "lab_lab_search"],
    ["日本 notes", "lab_notes"],
  ])("LOC-1/named: %p is %s", (upstream, name) => {
    expect<string | undefined>(toolNameFor(LAB, upstream)).toBe(name);
  });

  test.each(["", "***", "日本", " "])("%p has no letter or digit, so the tool is left out", (upstream) => {
    expect(toolNameFor(LAB, upstream)).toBeUndefined();
    expect(nameTools(LAB, [upstream, "x"])).toEqual(new Map([["x", "lab_x"]]) as never);
  });

  test("64 bytes stay whole and 65 are cut with a hash of prefix and original", () => {
    const fits = "A".repeat(60);
    const long = "A".repeat(61);
    expect<string | undefined>(toolNameFor(LAB, fits)).toBe(`lab_${"a".repeat(60)}`);
    expect<string | undefined>(toolNameFor(LAB, long)).toBe(`lab_${"a".repeat(51)}_${tail(`lab_${long}`)}`);
  });

  test("the longest plugin name still leaves room for a tail", () => {
    const longest = asPluginName("p".repeat(64));
    if (longest === undefined) throw new Error("a plugin's name may have 64 characters");
    expect(toolNameFor(longest, "read")).not.toEqual(toolNameFor(longest, "write"));
  });

  test("of two tools that would share a name the first in order keeps it, however the server sorts them", () => {
    const expected = new Map([
      ["Read", "lab_read"],
      ["read", `lab_read_${tail("lab::read")}`],
    ]);
    expect(nameTools(LAB, ["read", "Read", "read"])).toEqual(expected as never);
    expect(nameTools(LAB, ["Read", "read"])).toEqual(expected as never);
  });

  test("a distinct name fits too", () => {
    const plain = toolNameFor(LAB, "a".repeat(60));
    if (plain === undefined) throw new Error("unnamed");
    expect<string>(distinctName(plain, "lab", "x")).toBe(`lab_${"a".repeat(51)}_${tail("lab::x")}`);
  });

  test("whatever a server calls its tools, every name is valid, namespaced and unique, and does not depend on order", () => {
    const plugins = fc.constantFrom("a", "obsidian", "x".repeat(64)) as fc.Arbitrary<PluginName>;
    fc.assert(
      fc.property(plugins, fc.array(fc.string({ unit: "grapheme", maxLength: 90 })), (plugin, upstream) => {
        const names = nameTools(plugin, upstream);
        const all = [...names.values()].map(String);
        expect(all.every((name) => /^[A-Za-z0-9_-]{1,64}$/.test(name))).toBe(true);
        expect(all.every((name) => name.startsWith(`${plugin}_`.slice(0, 55)))).toBe(true);
        expect(new Set(all).size).toBe(all.length);
        expect(nameTools(plugin, [...upstream].reverse())).toEqual(names);
      }),
    );
  });
});
