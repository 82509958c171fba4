/** Properties of the parser over made-up and mangled manifests. */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { isFermixError } from "../../src/kernel/error.ts";
import type { JsonObject, JsonValue } from "../../src/kernel/json.ts";
import { descriptorSha256 } from "../../src/manifest/descriptor-hash.ts";
import type { Manifest } from "../../src/manifest/manifest.ts";
import { parseManifest } from "../../src/manifest/parse.ts";
import { rules } from "../../src/manifest/rules.ts";
import { foreignManifests } from "./foreign.ts";
import { hostedSample, httpSample, legacySample, localSample, withChange } from "./samples.ts";

const samples = [httpSample, localSample, hostedSample, legacySample].map((sample) => sample());
const sound = [...samples, ...foreignManifests.map(({ manifest }) => manifest)];

/** The manifest, or the problems; anything else that is thrown fails the test. */
function outcome(source: string | Uint8Array): Manifest | readonly unknown[] {
  try {
    return parseManifest(source);
  } catch (error) {
    if (!isFermixError(error, "manifest_invalid")) throw error;
    expect(error.details.problems.length).toBeGreaterThan(0);
    expect(error.message).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    return error.details.problems;
  }
}

function placesOf(value: JsonValue | undefined, prefix: string): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [`${prefix}${key}`, ...placesOf(member, `${prefix}${key}.`)]);
}

test("any bytes, any text and any JSON either load or are manifest_invalid", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => void outcome(bytes)));
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void outcome(text)));
  fc.assert(fc.property(fc.json(), (text) => void outcome(text)));
});

test("a sound manifest with any one thing replaced or removed either loads or is manifest_invalid", () => {
  const mangled = fc.constantFrom(...sound).chain((sample) => {
    const places = placesOf(sample, "").filter((place) => !place.split(".").some((part) => part.startsWith("$")));
    return fc.record({
      sample: fc.constant(sample),
      place: fc.constantFrom(...places),
      value: fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom("__proto__", "\u202e", "{x}", "../..", -0, 1e308)),
      remove: fc.boolean(),
    });
  });
  fc.assert(
    fc.property(mangled, ({ sample, place, value, remove }) => {
      const changed = withChange(sample, place, remove ? undefined : (value as JsonValue));
      outcome(JSON.stringify(changed));
    }),
    { numRuns: 1500 },
  );
});

test("keys of a prototype are ordinary unknown keys, wherever they are put", () => {
  for (const key of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
    for (const sample of sound) {
      const changed = withChange(sample, key, { name: "evil" });
      expect(outcome(JSON.stringify(changed))).toContainEqual({
        path: key,
        rule: "unknown_fields",
        says: rules.unknown_fields,
      });
    }
  }
});

test("what loads does not depend on the order of keys or on the layout", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...sound),
      fc.infiniteStream(fc.nat()),
      fc.constantFrom(undefined, 1, "\t"),
      (sample, picks, indent) => {
        const manifest = parseManifest(JSON.stringify(sample));
        expect(parseManifest(JSON.stringify(shuffle(sample, picks), null, indent))).toEqual(manifest);
      },
    ),
  );
});

test("what loads can be written as JSON and read again without loss", () => {
  for (const sample of sound) {
    const manifest = parseManifest(JSON.stringify(sample));
    expect(JSON.parse(JSON.stringify(manifest))).toEqual(manifest);
  }
});

test("a descriptor's hash does not depend on the order of keys or on the layout", () => {
  const schema = fc.dictionary(
    fc.string({ unit: "grapheme" }),
    fc.oneof(fc.string({ unit: "grapheme" }), fc.integer(), fc.boolean()),
  );
  fc.assert(
    fc.property(schema, schema, fc.infiniteStream(fc.nat()), (inputSchema, annotations, picks) => {
      const one = descriptorSha256({ name: "a_b", inputSchema, outputSchema: null, annotations });
      const other = descriptorSha256({
        name: "a_b",
        inputSchema: JSON.parse(JSON.stringify(shuffle(inputSchema, picks), null, 2)) as JsonObject,
        outputSchema: null,
        annotations: shuffle(annotations, picks) as JsonObject,
      });
      expect(other).toBe(one);
    }),
  );
});

test("every rule has a case in this folder", () => {
  const cases = readdirSync(import.meta.dirname)
    .map((file) => readFileSync(join(import.meta.dirname, file), "utf8"))
    .join("\n");
  expect(Object.keys(rules).filter((rule) => !new RegExp(`\\b${rule}\\b`).test(cases))).toEqual([]);
});

function shuffle(value: JsonValue, picks: Iterator<number>): JsonValue {
  if (Array.isArray(value)) return value.map((item) => shuffle(item, picks));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => ({
    key,
    member: shuffle(member ?? null, picks),
    rank: Number(picks.next().value),
  }));
  return Object.fromEntries(members.sort((a, b) => a.rank - b.rank).map(({ key, member }) => [key, member]));
}
