/** One key of a TOML text changes; every other byte stays. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parse } from "smol-toml";
import { addToList, removeFromList, removeKey, setKey } from "../../src/config/toml-edit.ts";

const ENABLED = ["fermix_core", "plugins", "enabled"];
const setting = (name: string, key: string) => ["fermix_core", "plugins", name, key];

describe("setting a key", () => {
  const cases: readonly (readonly [what: string, before: string, after: string])[] = [
    ["an empty file", "", '[fermix_core.plugins.notes]\nKEY = "v"\n'],
    ["only a comment", "# mine\n", '# mine\n\n[fermix_core.plugins.notes]\nKEY = "v"\n'],
    ["no final newline", "a = 1", 'a = 1\n\n[fermix_core.plugins.notes]\nKEY = "v"\n'],
    [
      "a value with a comment behind it",
      "[fermix_core.plugins.notes]\n# why\nKEY   =  'old' # because\n",
      '[fermix_core.plugins.notes]\n# why\nKEY   =  "v" # because\n',
    ],
    [
      "a section whose neighbour has a comment above it",
      "[fermix_core.plugins.notes]\n  A = 1 # one\n\n# about next\n[next]\n",
      '[fermix_core.plugins.notes]\n  A = 1 # one\n  KEY = "v"\n\n# about next\n[next]\n',
    ],
    [
      "a section with nothing in it but a comment",
      "[fermix_core.plugins.notes] # here\n# soon\n[next]\n",
      '[fermix_core.plugins.notes] # here\nKEY = "v"\n# soon\n[next]\n',
    ],
    [
      "CRLF lines",
      "[fermix_core.plugins.notes]\r\nA = 1\r\n\r\n[next]\r\n",
      '[fermix_core.plugins.notes]\r\nA = 1\r\nKEY = "v"\r\n\r\n[next]\r\n',
    ],
    [
      "an inline table",
      "[fermix_core]\nplugins = { notes = { A = 1 } } # t\n",
      '[fermix_core]\nplugins = { notes = { A = 1, KEY = "v" } } # t\n',
    ],
    ["an empty inline table", "fermix_core = {}\n", 'fermix_core = { plugins.notes.KEY = "v" }\n'],
    [
      "dotted keys at the root",
      "fermix_core.plugins.enabled = [] # t\nz = 1\n[q]\n",
      'fermix_core.plugins.enabled = [] # t\nfermix_core.plugins.notes.KEY = "v"\nz = 1\n[q]\n',
    ],
    [
      "dotted keys in a section",
      "[fermix_core]\nplugins.notes.A = 1\nplugins.other.B = 2\n",
      '[fermix_core]\nplugins.notes.A = 1\nplugins.notes.KEY = "v"\nplugins.other.B = 2\n',
    ],
    [
      "quoted keys",
      '["fermix_core".\'plugins\'.notes]\n\'KEY\' = """\nold""" # t\n',
      "[\"fermix_core\".'plugins'.notes]\n'KEY' = \"v\" # t\n",
    ],
    [
      "a value over several lines",
      '[fermix_core.plugins.notes]\nA = """\nx = 1\n[no]\n"""\n# end\n',
      '[fermix_core.plugins.notes]\nA = """\nx = 1\n[no]\n"""\nKEY = "v"\n# end\n',
    ],
    [
      "a table that is only implied",
      "[fermix_core.plugins.notes.deep]\nA = 1\n",
      '[fermix_core.plugins.notes.deep]\nA = 1\n\n[fermix_core.plugins.notes]\nKEY = "v"\n',
    ],
  ];
  test.each(cases)("in %s", (_what, before, after) => {
    expect(setKey(before, setting("notes", "KEY"), "v")).toBe(after);
  });

  test("text outside the basic plane before the place does not shift it", () => {
    const before = "# 😀\n[fermix_core.plugins.notes]\nA = '😀😀' # 😀\nKEY = 'x' # 😀\n";
    expect(setKey(before, setting("notes", "KEY"), true)).toBe(before.replace("'x'", "true"));
  });

  test("every text value reads back, quotes and control characters included", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (value) => {
        const text = setKey("[z]\n", setting("notes", "KEY"), value);
        expect(parse(text)).toEqual({ z: {}, fermix_core: { plugins: { notes: { KEY: value } } } });
      }),
    );
  });
});

describe("removing a key", () => {
  const cases: readonly (readonly [what: string, before: string, after: string])[] = [
    ["a line of its own", "[s]\na = 1\nx = 'v'\nb = 2\n", "[s]\na = 1\nb = 2\n"],
    ["the last line, without an end", "[s]\na = 1\n  x = 'v'", "[s]\na = 1\n"],
    ["the only line of its table", "[s] # t\nx = 'v'\n\n[z]\n", "[s] # t\n\n[z]\n"],
    ["a comment behind it", "[s]\n  x = 'v'  # why\nb = 2\n", "[s]\n  # why\nb = 2\n"],
    ["a comment above it", "[s]\n# why\nx = 'v'\n", "[s]\n# why\n"],
    ["a dotted key", "s.x = 'v'\nz.a = 1\n", "z.a = 1\n"],
    ["a quoted key", '[ s ]\n\'x\' = """\nv"""\nb = 1\n', "[ s ]\nb = 1\n"],
    ["an inline table", "s = { a = 1, x = 'v', b = 2 } # t\n", "s = { a = 1, b = 2 } # t\n"],
    ["an inline table, the last", "s = { a = 1, x = 'v' }\n", "s = { a = 1 }\n"],
    ["an inline table, alone", "s = { x = 'v' }\n", "s = {  }\n"],
    ["a table in a table", "s = { x = 'v', t = { x = 'v' } }\n", "s = { t = { x = 'v' } }\n"],
    ["nothing to remove", "[s]\na = 1\n", "[s]\na = 1\n"],
    ["CRLF lines", "[s]\r\nx = 'v' # c\r\na = 1\r\n", "[s]\r\n# c\r\na = 1\r\n"],
  ];
  test.each(cases)("%s", (_what, before, after) => {
    expect(removeKey(before, ["s", "x"])).toBe(after);
  });
});

describe("adding to a list", () => {
  const cases: readonly (readonly [what: string, before: string, after: string])[] = [
    ["one line", "['a', \"b\"] # t", '[\'a\', "b", "x"] # t'],
    ["a trailing comma", "['a',]", "['a', \"x\",]"],
    ["an empty list", "[ ]", '["x" ]'],
    ["an empty list with a comment", "[ # none yet\n]", '["x" # none yet\n]'],
    ["a line for each", "[\n  'a', # one\n  'b' # two\n]", "[\n  'a', # one\n  'b', # two\n  \"x\"\n]"],
    ["a line for each, trailing comma", "[\n\t'a',\n\t'b', # two\n]", "[\n\t'a',\n\t'b', # two\n\t\"x\",\n]"],
    ["a bracket behind the last", "[\n 'a',\n 'b' ]", "[\n 'a',\n 'b', \"x\" ]"],
    ["a comment line before the bracket", "[\n 'a', # one\n # two\n]", "[\n 'a', # one\n \"x\",\n # two\n]"],
    ["a comma on its own line", "[\n 'a' # one\n ,\n]", "[\n 'a', \"x\" # one\n ,\n]"],
    ["what is there already", "['x', 'a']", "['x', 'a']"],
  ];
  test.each(cases)("with %s", (_what, before, after) => {
    const around = (list: string) => `[fermix_core.plugins]\nenabled = ${list}\nz = 1\n`;
    expect(addToList(around(before), ENABLED, "x")).toBe(around(after));
  });
});

describe("removing from a list", () => {
  const cases: readonly (readonly [what: string, before: string, after: string])[] = [
    ["the first of a line", "['x', 'a'] # t", "['a'] # t"],
    ["the middle of a line", "['a', 'x', 'b']", "['a', 'b']"],
    ["the last of a line", "['a', 'x']", "['a']"],
    ["the last, trailing comma", "['a', 'x',]", "['a', ]"],
    ["the only one", "['x']", "[]"],
    ["the only one, trailing comma", "['x',]", "[]"],
    ["a line of its own", "[\n  'a',\n  'x',\n  'b'\n]", "[\n  'a',\n  'b'\n]"],
    ["the last line", "[\n  'a',\n  'x'\n]", "[\n  'a'\n]"],
    ["a comment beside it", "[\n  'x', # why x\n  'b',\n]", "[\n  # why x\n  'b',\n]"],
    ["a comment between it and its comma", "[\n 'x' # c\n , 'b']", "[\n # c\n  'b']"],
    ["a comment before it, last", "[\n 'a', # c\n 'x'\n]", "[\n 'a' # c\n]"],
    ["itself, twice", "['x', 'a', 'x']", "['a']"],
    ["nothing to remove", "['a']", "['a']"],
  ];
  test.each(cases)("%s", (_what, before, after) => {
    const around = (list: string) => `[fermix_core.plugins]\nenabled = ${list}\nz = 1\n`;
    expect(removeFromList(around(before), ENABLED, "x")).toBe(around(after));
  });

  test("CRLF lines stay CRLF", () => {
    const before = "[fermix_core.plugins]\r\nenabled = [\r\n  'a',\r\n  'x',\r\n]\r\n";
    expect(removeFromList(before, ENABLED, "x")).toBe(before.replace("  'x',\r\n", ""));
    expect(addToList(before, ENABLED, "y")).toBe(before.replace("'x',\r\n", "'x',\r\n  \"y\",\r\n"));
  });
});
