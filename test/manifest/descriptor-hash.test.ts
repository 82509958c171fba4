/** Descriptor hashes reproduce the golden vectors of spec 1.9, in any key order and layout. */
import { expect, test } from "bun:test";
import type { JsonObject } from "../../src/kernel/json.ts";
import { parseStrictJson } from "../../src/kernel/strict-json.ts";
import { descriptorSha256 } from "../../src/manifest/descriptor-hash.ts";

const object = (text: string) => parseStrictJson(text) as JsonObject;

test("the golden vector with an output schema and no annotations", () => {
  const hash = descriptorSha256({
    name: "eden_list_workspace_items",
    inputSchema: object(
      '{"required":["workspaceId"],"type":"object","properties":{"workspaceId":{"type":"string"},"limit":{"type":"integer"}}}',
    ),
    outputSchema: object('{ "type": "object", "properties": { "items": { "type": "array" } } }'),
    annotations: null,
  });
  expect(hash as string).toBe("2e1f105357882546d45bcebcce75fadda0f4e4e407aa23a9d5d579ebd66592d3");
});

test("the golden vector with annotations and no output schema", () => {
  const hash = descriptorSha256({
    name: "eden_list_workspaces",
    inputSchema: object('{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{}}'),
    outputSchema: undefined,
    annotations: object('{"openWorldHint":false,"readOnlyHint":true,"idempotentHint":true}'),
  });
  expect(hash as string).toBe("717f9fff74ee86e72fb172cffa9ad799b9ff3c4ceee1e45c91c00f9d467d4e7c");
});

test("an absent member and a null one are the same, anything else changes the hash", () => {
  const base = { name: "a_b", inputSchema: { type: "object" }, outputSchema: null, annotations: null };
  const hash = descriptorSha256(base);
  expect(descriptorSha256({ ...base, outputSchema: undefined, annotations: undefined })).toBe(hash);
  const others = [
    { ...base, name: "a_c" },
    { ...base, inputSchema: { type: "object", properties: {} } },
    { ...base, outputSchema: { type: "object" } },
    { ...base, annotations: {} },
  ].map(descriptorSha256);
  expect(new Set([hash, ...others]).size).toBe(5);
});
