/** The tools of a hosted plugin: exact keys, names, and schemas that match their hash (spec 1.8, 1.9, DECISIONS 9). */
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../src/kernel/json.ts";
import type { HostedManifest } from "../../src/manifest/manifest.ts";
import { parseManifest } from "../../src/manifest/parse.ts";
import { long, problemsOf, problemsOfRow, type Row } from "./parse-cases.ts";
import { hostedSample, withChange } from "./samples.ts";

const read = (sample: JsonObject) => parseManifest(JSON.stringify(sample)) as HostedManifest;
const SCHEMAS = ["parameters", "output_schema", "upstream_annotations"];

test("a hosted plugin is read whole", () => {
  const manifest = read(hostedSample());
  expect(manifest).toMatchObject({
    rail: "hosted-mcp",
    runtime: { baseUrl: "https://mcp.example.com", mcpPath: "/mcp", toolNameMode: "preserve" },
    setupTools: ["brain_spaces"],
    resourceScope: { discoveryTool: "brain_spaces", idField: "id", labelField: "name", argument: "workspaceId" },
    budgets: { agentTurnCalls: 20, agentTurnPaginatedCalls: 5 },
    resultContract: { successField: "ok", statusField: "status", messageField: "message" },
    toolProfiles: [
      {
        name: "retrieval",
        displayName: "Read",
        default: true,
        requiredCredentialScope: "read",
        scopeVisibility: "none",
        tools: ["brain_list"],
      },
      {
        name: "capture",
        default: false,
        scopeVisibility: "all_scoped_tools_omitted",
        tools: ["brain_list", "brain_save"],
      },
    ],
  } as never);
  expect(manifest.tools[1]).toMatchObject({
    name: "brain_list",
    upstreamName: "brain_list",
    replaySafe: true,
    requiredCredentialScope: "read",
    collectionPolicy: {
      requestLimitPointer: "/limit",
      defaultLimit: 50,
      resultItemsPointer: "/items",
      maxReturnedItems: 100,
    },
    argumentGuards: [
      { pointer: "/urls", kind: "public_http_url_array", maxItems: 20 },
      { pointer: "/deep/a~1b", kind: "bounded_visible_ascii_array", maxItems: 1 },
    ],
  } as never);
});

describe("a tool", () => {
  const rows: readonly Row[] = [
    ["an unknown key", "tools.0.icon", "x", ["tools[0].icon unknown_fields"]],
    ["a template", "tools.0.request", {}, ["tools[0].request unknown_fields"]],
    ["scopes", "tools.0.requires_scopes", [], ["tools[0].requires_scopes unknown_fields"]],
    ["another policy class", "tools.0.policy_class", "internal", ["tools[0].policy_class invalid_remote_tool"]],
    ["the http rail", "tools.0.rail", "http", ["tools[0].rail invalid_tool_rail"]],
    [
      "another credential scope",
      "tools.0.required_credential_scope",
      "admin",
      ["tools[0].required_credential_scope invalid_remote_tool"],
    ],
    ["a description of 101 bytes", "tools.0.description", long(101), ["tools[0].description invalid_tool_description"]],
    [
      "a tool that is a text",
      "tools.2",
      "brain_save",
      ["tools[2] invalid_tool", "tool_profiles[1].tools[1] undeclared_profile_tool"],
    ],
    [
      "a hash in capitals",
      "tools.0.descriptor_sha256",
      long(64, "A"),
      ["tools[0].descriptor_sha256 invalid_descriptor_sha256"],
    ],
    [
      "a hash of 63 digits",
      "tools.0.descriptor_sha256",
      long(63),
      ["tools[0].descriptor_sha256 invalid_descriptor_sha256"],
    ],
    [
      "another hash",
      "tools.0.descriptor_sha256",
      long(64, "0"),
      ["tools[0].descriptor_sha256 descriptor_sha256_mismatch"],
    ],
    [
      "another schema under the same hash",
      "tools.0.parameters.title",
      "x",
      ["tools[0].descriptor_sha256 descriptor_sha256_mismatch"],
    ],
    [
      "other annotations under the same hash",
      "tools.1.upstream_annotations",
      {},
      ["tools[1].descriptor_sha256 descriptor_sha256_mismatch"],
    ],
    ["parameters of no type", "tools.0.parameters", {}, ["tools[0].parameters.type invalid_tool_parameters"]],
    [
      "an output schema of another type",
      "tools.0.output_schema",
      { type: "array" },
      ["tools[0].output_schema.type invalid_tool_parameters"],
    ],
    [
      "an output schema that is a text",
      "tools.0.output_schema",
      "object",
      ["tools[0].output_schema invalid_remote_tool"],
    ],
    [
      "annotations that are a list",
      "tools.0.upstream_annotations",
      [],
      ["tools[0].upstream_annotations invalid_remote_tool"],
    ],
  ];
  for (const row of rows) test(row[0], () => expect(problemsOfRow(hostedSample, row)).toEqual(row[3]));

  test("a number that has no single text", () => {
    const text = JSON.stringify(withChange(hostedSample(), "tools.0.parameters.maximum", 1)).replace(
      '"maximum":1',
      '"maximum":1e20',
    );
    expect(problemsOf(text)).toEqual(["tools[0].descriptor_sha256 descriptor_not_canonical"]);
  });

  test("has all of its keys", () => {
    const tool = (hostedSample()["tools"] as JsonObject[])[2] as JsonObject;
    expect(Object.keys(tool)).toHaveLength(13);
    for (const key of Object.keys(tool).filter((name) => name !== "name")) {
      expect(problemsOf(withChange(hostedSample(), `tools.2.${key}`, undefined))).toEqual([
        `tools[2].${key} missing_required`,
      ]);
    }
  });

  test("may leave its three schemas out together, and the contract is then the hash", () => {
    const without = SCHEMAS.reduce((sample, key) => withChange(sample, `tools.1.${key}`, undefined), hostedSample());
    expect(read(without).tools[1]).toMatchObject({
      parameters: undefined,
      outputSchema: undefined,
      upstreamAnnotations: undefined,
    });
    // Pointers are then judged on the live schema, but their grammar is judged here.
    expect(problemsOf(withChange(without, "tools.1.argument_guards.0.pointer", "/nowhere"))).toEqual([]);
    expect(problemsOf(withChange(without, "tools.1.argument_guards.0.pointer", "nowhere"))).toEqual([
      "tools[1].argument_guards[0].pointer invalid_pointer",
    ]);
  });
});

describe("names", () => {
  const rename = (mode: string, name: string) => {
    const renamed = SCHEMAS.reduce((sample, key) => withChange(sample, `tools.2.${key}`, undefined), hostedSample());
    const named = withChange(withChange(renamed, "tools.2.name", name), "tool_profiles.1.tools.1", name);
    return withChange(named, "runtime.tool_name_mode", mode);
  };

  test("preserve needs the plugin's name in the vendor's own", () => {
    expect(problemsOf(rename("preserve", "save"))).toEqual(["tools[2].name unpreservable_tool_name"]);
  });

  test("BUN-5/named-by-plugin prefix puts the plugin's name in front, once", () => {
    const manifest = read(rename("prefix", "save"));
    expect(manifest.tools.map(({ name, upstreamName }) => [name, upstreamName] as readonly string[])).toEqual([
      ["brain_spaces", "brain_spaces"],
      ["brain_list", "brain_list"],
      ["brain_save", "save"],
    ]);
    expect(manifest.toolProfiles[1]?.tools as readonly string[]).toEqual(["brain_list", "brain_save"]);
    expect(problemsOf(rename("prefix", long(58)))).toEqual([]);
    expect(problemsOf(rename("prefix", long(59)))).toEqual(["tools[2].name invalid_tool_name"]);
    expect(problemsOf(rename("prefix", "list"))).toEqual(["tools[2].name duplicate_tool_name"]);
  });
});
