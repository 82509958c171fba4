import { describe, expect, test } from "bun:test";
import { StderrTail } from "../../../src/rails/local-mcp/stderr-tail.ts";

function tailOf(...chunks: string[]): readonly string[] {
  const tail = new StderrTail();
  for (const chunk of chunks) tail.push(Buffer.from(chunk));
  return tail.lines();
}

describe("the last words of a server", () => {
  test("are its lines, however they were cut, without blank ones and colours", () => {
    expect(tailOf("one\r\nt", "wo\n\n  \n\u001b[31mthree\u001b[0m")).toEqual(["one", "two", "three"]);
    expect(tailOf()).toEqual([]);
  });

  test("are the last twenty", () => {
    const lines = Array.from({ length: 21 }, (_, at) => `line ${at}`);
    expect(tailOf(lines.join("\n"))).toEqual(lines.slice(1));
  });

  test("are bounded, whatever is written", () => {
    expect(tailOf("a".repeat(1_000_000), "\nend", "\n", "b".repeat(16_380))).toEqual(["end", "b".repeat(16_380)]);
    expect(tailOf("end\n", "b".repeat(1_000_000))).toEqual(["b".repeat(16_384)]);
  });

  test("have credential-shaped words masked, also across two writes", () => {
    expect(tailOf("key sk-0123456789", "abcdef!\n")).toEqual(["key [REDACTED:openai]!"]);
  });
});
