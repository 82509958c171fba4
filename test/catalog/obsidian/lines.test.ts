/** Cutting bytes into lines: any cut gives the same lines, and the ceiling holds to the byte. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { LineReader } from "../../../catalog/servers/obsidian/lines.ts";

const OVERSIZE = "<oversize>";

function read(limit: number, chunks: readonly Uint8Array[]): string[] {
  const seen: string[] = [];
  const reader = new LineReader(
    limit,
    (line) => seen.push(line),
    () => seen.push(OVERSIZE),
  );
  for (const chunk of chunks) reader.push(Buffer.from(chunk));
  reader.end();
  return seen;
}

test("a line at the limit is taken and one past it is told once, whatever the chunks; the next line is whole", () => {
  for (const size of [1, 3, 1000]) {
    const bytes = Buffer.from(`${"x".repeat(10)}\n${"y".repeat(11)}\n${"z".repeat(500)}\nlast`);
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    );
    expect(read(10, chunks)).toEqual(["x".repeat(10), OVERSIZE, OVERSIZE, "last"]);
  }
});

test("blank lines and CR at the end mean nothing", () => {
  expect(read(100, [Buffer.from("\n\r\n a \r\n\n")])).toEqual(["a"]);
  expect(read(100, [])).toEqual([]);
});

test("any cut of any text gives its lines", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 60 }),
      fc.array(fc.nat(200), { maxLength: 6 }),
      (text, cuts) => {
        const bytes = Buffer.from(text);
        const at = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
        const chunks = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
        const lines = bytes
          .toString("utf8")
          .split("\n")
          .map((line) => line.trim());
        expect(read(1000, chunks)).toEqual(lines.filter((line) => line !== ""));
      },
    ),
  );
});
