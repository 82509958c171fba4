import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { LineSplitter, readLine } from "../../../src/rails/local-mcp/read-line.ts";

function split(chunks: readonly (string | Uint8Array)[], maxBytes = 1_000_000): { lines: string[]; floods: number } {
  const lines: string[] = [];
  let floods = 0;
  const splitter = new LineSplitter(
    maxBytes,
    (line) => lines.push(line),
    () => {
      floods += 1;
    },
  );
  for (const chunk of chunks) splitter.push(Buffer.from(chunk));
  return { lines, floods };
}

describe("lines", () => {
  test("come out as they were written, wherever the chunks are cut", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "grapheme" }).map((line) => line.replaceAll("\n", " "))),
        fc.array(fc.nat(200)),
        (lines, cuts) => {
          const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
          const places = [...new Set(cuts.filter((at) => at < bytes.length))].sort((a, b) => a - b);
          const chunks = [0, ...places].map((from, at) => bytes.subarray(from, places[at]));
          expect(split(chunks)).toEqual({ lines: lines.map((line) => Buffer.from(line).toString()), floods: 0 });
        },
      ),
    );
  });

  test("an unfinished rest is no line", () => {
    expect(split(["a\nb"])).toEqual({ lines: ["a"], floods: 0 });
  });

  test("at the limit a line passes; one byte past it the reading ends for good, said once", () => {
    expect(split(["xxxx\n", "xx", "xx\n"], 4)).toEqual({ lines: ["xxxx", "xxxx"], floods: 0 });
    expect(split(["a\n", "xxxxx", "x\nb\n", "c\n"], 4)).toEqual({ lines: ["a"], floods: 1 });
    expect(split(["xx", "xxx\nb\n"], 4)).toEqual({ lines: [], floods: 1 });
  });
});

const MESSAGE = { jsonrpc: "2.0", id: "f1", result: { content: [{ type: "text", text: 'a "{" b' }] } };
const LINE = JSON.stringify(MESSAGE);

describe("what a line holds", () => {
  test.each([
    ["a message", LINE],
    ["a message with CR", `${LINE}\r`],
    ["a message with spaces", `  ${LINE}  `],
  ])("%s is read without noise", (_name, line) => {
    expect(readLine(line)).toEqual({ messages: [MESSAGE], noisy: false });
  });

  test.each([
    ["a byte order mark before", `\ufeff${LINE}`],
    ["half a line before", `loading {50%} ... ${LINE}`],
    ["words behind", `${LINE}done`],
    ["colours around", `\u001b[32m${LINE}\u001b[0m`],
    ["an unfinished message before", `{"jsonrpc":"2.0","id":7,"res${LINE}`],
    ["keys in another order, words before", `x {"id":"f1","result":${JSON.stringify(MESSAGE.result)},"jsonrpc":"2.0"}`],
  ])("a message with %s is found and counted as noise", (_name, line) => {
    expect(readLine(line)).toEqual({ messages: [MESSAGE], noisy: true });
  });

  test.each([
    "hello",
    "{",
    '{"level":"info"}',
    "7",
    "null",
    '"jsonrpc"',
    '{"jsonrpc":"1.0"}',
    '{"jsonrpc":"2.0"',
    "[1]",
  ])("%p is noise", (line) => {
    expect(readLine(line)).toEqual({ messages: [], noisy: true });
  });

  test.each(["", " ", "\r"])("%p is nothing", (line) => {
    expect(readLine(line)).toEqual({ messages: [], noisy: false });
  });

  test("a batch is its messages", () => {
    expect(readLine(`[${LINE},${LINE}]`)).toEqual({ messages: [MESSAGE, MESSAGE], noisy: false });
    expect(readLine(`[${LINE},7]`)).toEqual({ messages: [MESSAGE], noisy: true });
  });

  test("numbers keep their digits", () => {
    const line = '{"jsonrpc":"2.0","id":"f1","result":{"n":12345678901234567890}}';
    expect(JSON.stringify(readLine(line).messages[0])).toBe(line);
  });

  test("no line makes it throw", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("{", "}", '"jsonrpc":"2.0"', LINE, "x", ",", "[", "]")), (parts) => {
        expect(readLine(parts.join("")).messages.every((message) => message["jsonrpc"] === "2.0")).toBe(true);
      }),
    );
  });
});
