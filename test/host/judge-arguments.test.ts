/** Arguments are judged by the tool's own schema where that is safe, and never held up where it is not. */
import { expect, test } from "bun:test";
import { knownJudge, prepareJudge } from "../../src/host/judge-arguments.ts";
import { isWorthJudging, MAX_SCHEMA_NODES, schemaNodes } from "../../src/host/schema-bounds.ts";
import { parseKeepingDigits } from "../../src/kernel/exact-json.ts";
import type { JsonObject } from "../../src/kernel/json.ts";

const DRAFT_07 = "http://json-schema.org/draft-07/schema#";
const DRAFT_2020 = "https://json-schema.org/draft/2020-12/schema";

async function judge(schema: JsonObject, args: JsonObject) {
  return (await prepareJudge(schema))(args);
}

const SEARCH: JsonObject = {
  type: "object",
  properties: { query: { type: "string" }, limit: { type: "integer", minimum: 1 }, sort: { enum: ["new", "old"] } },
  required: ["query"],
  additionalProperties: false,
};

test("a misfit names its place and what would fit", async () => {
  expect(await judge(SEARCH, { query: "x", limit: 3, sort: "new" })).toBeUndefined();
  expect(await judge(SEARCH, {})).toEqual({ path: "", reason: "must have required property 'query'" });
  expect(await judge(SEARCH, { query: 1 })).toEqual({ path: "/query", reason: "must be string" });
  expect(await judge(SEARCH, { query: "x", sort: "best" })).toEqual({
    path: "/sort",
    reason: 'must be equal to one of the allowed values: "new", "old"',
  });
  expect(await judge(SEARCH, { query: "x", more: 1 })).toEqual({
    path: "",
    reason: 'must NOT have additional properties: "more"',
  });
});

test("a schema is compiled once", async () => {
  const schema = { type: "object" } as const;
  expect(knownJudge(schema)).toBeUndefined();
  expect(knownJudge(schema)).toBe(undefined);
  const prepared = await prepareJudge(schema);
  expect(knownJudge(schema)).toBe(prepared);
});

test("both dialects are known by their $schema, 2020-12 without one (CASE-76)", async () => {
  const tuple07 = { type: "array", items: [{ type: "string" }] } as const;
  const tuple2020 = { type: "array", prefixItems: [{ type: "string" }] } as const;
  const of = (items: JsonObject, dialect?: string): JsonObject => ({
    ...(dialect === undefined ? {} : { $schema: dialect }),
    $id: "https://example.com/tool",
    type: "object",
    properties: { list: items },
  });
  const wrong = { list: [1] };
  const says = { path: "/list/0", reason: "must be string" };
  expect(await judge(of(tuple07, DRAFT_07), wrong)).toEqual(says);
  expect(await judge(of(tuple2020, DRAFT_2020), wrong)).toEqual(says);
  expect(await judge(of(tuple2020), wrong)).toEqual(says);
  expect(await judge(of(tuple2020, "https://example.com/my-dialect"), wrong)).toBeUndefined();
});

test("local references work; a remote one is never fetched and leaves the judging to the server (CASE-76)", async () => {
  const local: JsonObject = {
    type: "object",
    properties: { a: { $ref: "#/$defs/name~1x" } },
    $defs: { "name/x": { type: "string" } },
  };
  expect(await judge(local, { a: 1 })).toEqual({ path: "/a", reason: "must be string" });
  expect(
    await judge({ type: "object", properties: { a: { $ref: "https://example.com/s.json" } } }, { a: 1 }),
  ).toBeUndefined();
  expect(await judge({ type: "object", properties: { a: { $ref: "#/$defs/missing" } } }, { a: 1 })).toBeUndefined();
});

test("a schema that ajv cannot compile lets every call pass (AGT-12)", async () => {
  expect(await judge({ type: "objekt" }, { a: 1 })).toBeUndefined();
  expect(await judge({ type: "object", properties: 3 }, { a: 1 })).toBeUndefined();
});

test("numbers beyond a double are judged as numbers", async () => {
  const args = parseKeepingDigits('{"query":"x","limit":12345678901234567890}') as JsonObject;
  expect(await judge(SEARCH, args)).toBeUndefined();
});

test("a pattern of the schema's author is never run over a model's text", async () => {
  const schema: JsonObject = { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } };
  expect(await judge(schema, { a: `${"a".repeat(200)}!` })).toBeUndefined();
  expect(schemaNodes({ type: "object", patternProperties: { "^(a+)+$": {} } })).toBe(Number.POSITIVE_INFINITY);
});

test("a reference bomb, a recursive schema and one nested beyond reason are not compiled (CASE-76)", async () => {
  const steps = Array.from({ length: 40 }, (_, at) => [
    `s${at}`,
    { allOf: [{ $ref: `#/$defs/s${at + 1}` }, { $ref: `#/$defs/s${at + 1}` }] },
  ]);
  const bomb: JsonObject = { $defs: { ...Object.fromEntries(steps), s40: { type: "object" } }, $ref: "#/$defs/s0" };
  expect(schemaNodes(bomb)).toBeGreaterThan(MAX_SCHEMA_NODES);
  expect(await judge(bomb, {})).toBeUndefined();
  expect(schemaNodes({ properties: { child: { $ref: "#" } } })).toBe(Number.POSITIVE_INFINITY);
  let deep: JsonObject = { type: "string" };
  for (let depth = 0; depth < 300; depth += 1) deep = { items: deep };
  expect(schemaNodes(deep)).toBe(Number.POSITIVE_INFINITY);
});

test("the size of a schema is bounded at the limit and one past it", () => {
  const of = (count: number): JsonObject => ({ enum: Array.from({ length: count }, () => 1) });
  expect(schemaNodes(of(MAX_SCHEMA_NODES - 2))).toBe(MAX_SCHEMA_NODES);
  expect(schemaNodes(of(MAX_SCHEMA_NODES - 1))).toBe(MAX_SCHEMA_NODES + 1);
});

test("arguments too many for a schema are left to the server, a large text is not", () => {
  const many = { list: Array.from({ length: 1_000 }, () => 0) };
  expect(isWorthJudging(many, 4_000)).toBe(true);
  expect(isWorthJudging(many, MAX_SCHEMA_NODES)).toBe(false);
  expect(isWorthJudging({ text: "x".repeat(1_000_000) }, MAX_SCHEMA_NODES)).toBe(true);
});
