/** Lines from a byte stream: whole, cut anywhere, too long, and not text. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { readLines } from "../../src/agent/line-reader.ts";

function reading(maxBytes: number) {
  const seen: string[] = [];
  const read = readLines(maxBytes, {
    onLine: (line) => seen.push(`line ${line}`),
    onBadLine: (reason) => seen.push(reason),
  });
  return { seen, feed: (text: string | Uint8Array) => read(typeof text === "string" ? Buffer.from(text) : text) };
}

test("lines arrive whole wherever the stream is cut", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" })), fc.array(fc.nat(64)), (texts, cuts) => {
      const lines = texts.map((text) => text.replaceAll(/[\n\ufeff\ud800-\udfff]/g, ""));
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
      const { seen, feed } = reading(1_000_000);
      let from = 0;
      for (const cut of cuts) {
        feed(bytes.subarray(from, from + cut));
        from += cut;
      }
      feed(bytes.subarray(from));
      expect(seen).toEqual(lines.map((line) => `line ${line}`));
    }),
  );
});

test("a line may have the limit and not one byte more; what follows is read again", () => {
  const { seen, feed } = reading(4);
  feed("1234\n12345\nok\n");
  feed("12");
  feed("34");
  feed("5");
  feed("6789\nend\n");
  expect(seen).toEqual(["line 1234", "too_long", "line ok", "too_long", "line end"]);
});

test("bytes that are no UTF-8 cost their line only; a byte order mark is no text", () => {
  const { seen, feed } = reading(100);
  feed(new Uint8Array([0xff, 0xfe, 0x0a]));
  feed("\ufeffhello\n");
  expect(seen).toEqual(["not_utf8", "line hello"]);
});
