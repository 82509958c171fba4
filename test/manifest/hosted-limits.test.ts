/** What calls of a hosted tool are held to: pointers, collection policies and argument guards (spec 1.8). */
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../src/kernel/json.ts";
import { descriptorSha256 } from "../../src/manifest/descriptor-hash.ts";
import { problemsOf, problemsOfRow, type Row } from "./parse-cases.ts";
import { hostedSample, withChange } from "./samples.ts";

/** The sample with the list tool's schema replaced and its hash made right again. */
function withListSchema(parameters: JsonObject, output: JsonObject | null): JsonObject {
  const tool = (hostedSample()["tools"] as JsonObject[])[1] as JsonObject;
  const hash = descriptorSha256({
    name: "brain_list",
    inputSchema: parameters,
    outputSchema: output,
    annotations: tool["upstream_annotations"] as JsonObject,
  });
  const changed = { ...tool, parameters, output_schema: output, descriptor_sha256: hash };
  return withChange(hostedSample(), "tools.1", changed);
}

describe("pointers, policies and guards", () => {
  const C = "tools.1.collection_policy";
  const c = "tools[1].collection_policy";
  const G = "tools.1.argument_guards";
  const g = "tools[1].argument_guards";
  const rows: readonly Row[] = [
    ["a policy that is a text", C, "none", [`${c} invalid_collection_policy`]],
    ["no policy", C, null, []],
    ["an unknown policy key", `${C}.cursor`, "x", [`${c}.cursor unknown_fields`]],
    ["paginated false", `${C}.paginated`, false, [`${c}.paginated invalid_collection_policy`]],
    ["a default of 0", `${C}.default_limit`, 0, [`${c}.default_limit invalid_collection_policy`]],
    ["a default of 100", `${C}.default_limit`, 100, []],
    ["a default of 101", `${C}.default_limit`, 101, [`${c}.default_limit invalid_collection_policy`]],
    ["a maximum of 101", `${C}.max_returned_items`, 101, [`${c}.max_returned_items invalid_collection_policy`]],
    [
      "a limit that is no number",
      `${C}.request_limit_pointer`,
      "/urls",
      [`${c}.request_limit_pointer unresolved_pointer`],
    ],
    ["a limit of type number", `${C}.request_limit_pointer`, "/deep/n", []],
    [
      "a limit nowhere",
      `${C}.request_limit_pointer`,
      "/constructor",
      [`${c}.request_limit_pointer unresolved_pointer`],
    ],
    ["items nowhere", `${C}.result_items_pointer`, "/data", [`${c}.result_items_pointer unresolved_pointer`]],
    ["guards that are an object", G, {}, [`${g} invalid_argument_guard`]],
    ["a guard that is a text", `${G}.0`, "/urls", [`${g}[0] invalid_argument_guard`]],
    ["an unknown guard key", `${G}.0.note`, "x", [`${g}[0].note unknown_fields`]],
    ["an unknown guard kind", `${G}.0.kind`, "email_array", [`${g}[0].kind invalid_argument_guard`]],
    ["a guard for 0 items", `${G}.0.max_items`, 0, [`${g}[0].max_items invalid_argument_guard`]],
    ["a guard for 100 items", `${G}.0.max_items`, 100, []],
    ["a guard for 101 items", `${G}.0.max_items`, 101, [`${g}[0].max_items invalid_argument_guard`]],
    ["a guard of no list", `${G}.0.pointer`, "/limit", [`${g}[0].pointer unresolved_pointer`]],
    ["a guard whose escape is not undone", `${G}.1.pointer`, "/deep/a/b", [`${g}[1].pointer unresolved_pointer`]],
  ];
  for (const row of rows) test(row[0], () => expect(problemsOfRow(hostedSample, row)).toEqual(row[3]));

  test("items are only checked in form when the vendor publishes no output schema", () => {
    const schema = ((hostedSample()["tools"] as JsonObject[])[1] as JsonObject)["parameters"] as JsonObject;
    const open = withListSchema(schema, null);
    expect(problemsOf(withChange(open, `${C}.result_items_pointer`, "/any/where"))).toEqual([]);
    expect(problemsOf(withChange(open, `${C}.result_items_pointer`, "/any/*"))).toEqual([
      `${c}.result_items_pointer invalid_pointer`,
    ]);
  });

  test("a pointer has 8 segments at most and a narrow grammar", () => {
    /** An array below as many objects as the depth says. */
    const nest = (depth: number): JsonObject =>
      depth === 0 ? { type: "array" } : { type: "object", properties: { a: nest(depth - 1) } };
    const guarded = (pointer: string, depth: number) => {
      const properties = { workspaceId: {}, limit: { type: "integer" }, a: nest(depth - 1) };
      const sample = withListSchema({ type: "object", properties }, null);
      return problemsOf(withChange(sample, G, [{ pointer, kind: "public_http_url_array", max_items: 1 }]));
    };
    expect(guarded("/a".repeat(8), 8)).toEqual([]);
    expect(guarded("/a".repeat(9), 9)).toEqual([`${g}[0].pointer invalid_pointer`]);
    for (const pointer of ["", "a", "/", "//a", "/a/", "/a*", "/a~", "/a~2", "#/a"]) {
      expect({ pointer, problems: guarded(pointer, 1) }).toEqual({
        pointer,
        problems: [`${g}[0].pointer invalid_pointer`],
      });
    }
  });

  test("16 guards at most", () => {
    const guards = (count: number) =>
      Array.from({ length: count }, () => ({ pointer: "/urls", kind: "public_http_url_array", max_items: 1 }));
    expect(problemsOf(withChange(hostedSample(), G, guards(16)))).toEqual([]);
    expect(problemsOf(withChange(hostedSample(), G, guards(17)))).toEqual([`${g} too_many_argument_guards`]);
  });
});
