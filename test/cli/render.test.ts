/** What goes to stdout and stderr: aligned for a terminal, TAB-separated for a pipe, one line of JSON when asked. */
import { describe, expect, test } from "bun:test";
import { renderFailure, renderFailureJson, renderNotice, renderView } from "../../src/cli/render.ts";
import type { View } from "../../src/cli/verb.ts";
import { FermixError } from "../../src/kernel/error.ts";

const terminal = { json: false, terminal: true };
const piped = { json: false, terminal: false };
const json = { json: true, terminal: true };
const rows = (...cells: string[][]): View => ({ json: {}, text: { rows: cells } });
const lines = (...text: string[]): View => ({ json: {}, text: { lines: text } });

describe("tables", () => {
  test("are aligned on a terminal, wide and combining characters included", () => {
    const view = rows(["日本", "ready", "-"], ["notes", "needs_auth", "e\u0301@x"], ["👩‍👩‍👧", "", "z"]);
    expect(renderView(view, terminal)).toBe(
      ["日本   ready       -", "notes  needs_auth  e\u0301@x", "👩‍👩‍👧                 z"].join("\n"),
    );
  });

  test("are TAB-separated when piped", () => {
    expect(renderView(rows(["a", "", "b"], ["longer", "x", ""]), piped)).toBe("a\t\tb\nlonger\tx\t");
  });

  test("a cell is one field of one line, and cannot steer a terminal", () => {
    const cell = "a\tb\nc\r\u001b[31m\u009b\u202e\\";
    const shown = "a\\tb\\nc\\r\\u001b[31m\\u009b\\u202e\\\\";
    expect(renderView(rows([cell, "x"]), piped)).toBe(`${shown}\tx`);
    expect(renderView(rows([cell, "x"]), terminal)).toBe(`${shown}  x`);
  });

  test("without rows nothing is printed", () => {
    expect(renderView(rows(), piped)).toBeUndefined();
    expect(renderView(lines(), terminal)).toBeUndefined();
  });
});

describe("lines", () => {
  test("are exact when piped, and cannot steer a terminal", () => {
    const view = lines("a\tb", "\u001b]0;title\u0007c");
    expect(renderView(view, piped)).toBe("a\tb\n\u001b]0;title\u0007c");
    expect(renderView(view, terminal)).toBe("a\tb\n\\u001b]0;title\\u0007c");
  });
});

describe("CLI-2/json", () => {
  test("an answer is one line that reads back, whatever is in it", () => {
    const value = { text: "a\nb\u009b\u202e\u2028é", list: [1, null] };
    const text = renderView({ json: value, text: { lines: ["other"] } }, json) ?? "";
    expect(text).toBe('{"text":"a\\nb\\u009b\\u202e\\u2028é","list":[1,null]}');
    expect(JSON.parse(text)).toEqual(value);
  });

  test("numbers keep their digits", () => {
    const raw = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON("12345678901234567890");
    expect(renderView({ json: { n: raw }, text: { lines: [] } }, json)).toBe('{"n":12345678901234567890}');
  });

  test("a failure carries code, message, fix and details", () => {
    const error = new FermixError("not_in_catalog", { plugin: "nots", suggestion: "notes" });
    expect(JSON.parse(renderFailureJson(error))).toEqual({
      error: {
        code: "not_in_catalog",
        message: 'The catalog has no plugin named "nots".',
        fix: "did you mean `notes`? `fermix plugins catalog` lists them all",
        details: { plugin: "nots", suggestion: "notes" },
      },
    });
  });
});

describe("CLI-2/errors", () => {
  const error = new FermixError("usage", { problem: "NAME is missing.", command: "fermix plugins install" });

  test("what happened and what to run, one line each", () => {
    expect(renderFailure("fermix plugins install", error, false)).toBe(
      "fermix plugins install: NAME is missing.\nfix: run `fermix plugins install --help`\n",
    );
  });

  test("only the word fix is set off, and only in color", () => {
    expect(renderFailure("fermix", error, true)).toBe(
      "fermix: NAME is missing.\n\u001b[1mfix:\u001b[22m run `fermix plugins install --help`\n",
    );
  });

  test("text that got into a message or a notice cannot steer a terminal", () => {
    const hostile = new FermixError("usage", { problem: "x\u001b[2J\u0007.", command: "c\u009b" });
    expect(renderFailure("fermix", hostile, false)).toBe("fermix: x\\u001b[2J\\u0007.\nfix: run `c\\u009b --help`\n");
    expect(renderNotice("a\u001bb")).toBe("a\\u001bb\n");
  });
});
