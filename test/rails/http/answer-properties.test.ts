/** What holds for every answer: data comes through unchanged, and no error text is long, shows a credential or breaks. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { isFermixError } from "../../../src/kernel/error.ts";
import type { JsonValue } from "../../../src/kernel/json.ts";
import { describeBody } from "../../../src/rails/http/error-text.ts";
import { extract } from "../../../src/rails/http/extract.ts";
import { answer, judge, SECRET } from "./answers.ts";

const segment = fc.constantFrom("a", "b", "a[*]", "[*]", "__proto__", "length", "toString", "é");
const path = fc.array(segment, { minLength: 1, maxLength: 6 }).map((segments) => segments.join("."));
const mask = (text: string): string => text.replaceAll(SECRET, "[REDACTED]");

/** The text in pieces of these sizes, which may split a character. */
function inPieces(text: string, size: number): readonly Uint8Array[] {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
}

test("any JSON comes through as it was sent, however it is cut into pieces", async () => {
  await fc.assert(
    fc.asyncProperty(fc.json(), fc.integer({ min: 1, max: 7 }), async (text, size) => {
      const { body, bytes } = await judge(answer(200, inPieces(text, size)));
      expect(JSON.stringify(body)).toBe(JSON.stringify(JSON.parse(text)));
      expect(bytes).toBe(Buffer.byteLength(text));
    }),
  );
});

test("any bytes with any status of failure are a refusal that says what to do", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 201, max: 599 }), async (bytes, status) => {
      const refusal = await judge(answer(status, bytes)).catch((thrown) => thrown);
      expect(isFermixError(refusal) && refusal.message.length > 0 && refusal.fix.length > 0).toBe(true);
    }),
  );
});

test("any bytes with a status of success are data or a refusal", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 50 }), async (bytes) => {
      const outcome = await judge(answer(200, bytes)).catch((thrown) => thrown);
      expect(isFermixError(outcome) || outcome.status === 200).toBe(true);
    }),
  );
});

test("no error text is longer than its bound, shows the credential or splits a character", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string({ unit: "grapheme" }), fc.constant(SECRET), fc.constant("😀".repeat(99)))),
      (parts) => {
        for (const body of [parts.join(""), JSON.stringify({ parts })]) {
          const { text } = describeBody(Buffer.from(body), true, mask);
          expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2048 + Buffer.byteLength("…(truncated)"));
          expect(text).not.toContain(SECRET);
          expect(text.isWellFormed()).toBe(true);
        }
      },
    ),
  );
});

test("no path makes extract throw or find what the answer does not hold", () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 4 }),
      path,
      fc.array(fc.constantFrom("a", "b", "__proto__", "constructor")),
      (body, at, fields) => {
        const found = extract(body as JsonValue, { path: at, fields });
        expect(JSON.parse(JSON.stringify(found))).toEqual(found as never);
      },
    ),
  );
});
