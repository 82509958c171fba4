/** `tools`: names, descriptions, scopes and rails (spec 1.5). */
import { describe, expect, test } from "bun:test";
import { parseManifest } from "../../src/manifest/parse.ts";
import { long, problemsOf, problemsOfRow, type Row } from "./parse-cases.ts";
import { httpSample, legacySample, localSample, withChange } from "./samples.ts";

describe("BUN-5/named-by-plugin", () => {
  const rows: readonly Row[] = [
    ["another prefix", "tools.0.name", "other_list", ["tools[0].name tool_name_not_namespaced"]],
    ["the plugin's name without _", "tools.0.name", "noteslist", ["tools[0].name tool_name_not_namespaced"]],
    ["the plugin's name alone", "tools.0.name", "notes", ["tools[0].name tool_name_not_namespaced"]],
    ["64 characters", "tools.0.name", `notes_${long(58)}`, []],
    ["65 characters", "tools.0.name", `notes_${long(59)}`, ["tools[0].name invalid_tool_name"]],
    ["a dot", "tools.0.name", "notes_a.b", ["tools[0].name invalid_tool_name"]],
    ["a line break at the end", "tools.0.name", "notes_a\n", ["tools[0].name invalid_tool_name"]],
    ["capitals and dashes", "tools.0.name", "notes_A-b", []],
    ["no name", "tools.0.name", undefined, ["tools[0].name missing_required"]],
    ["a name twice", "tools.1.name", "notes_list", ["tools[1].name duplicate_tool_name"]],
  ];
  for (const row of rows) test(row[0], () => expect(problemsOfRow(httpSample, row)).toEqual(row[3]));

  test("the legacy form is held to it too", () => {
    expect(problemsOf(withChange(legacySample(), "tools.0.name", "search"))).toEqual([
      "tools[0].name tool_name_not_namespaced",
    ]);
  });
});

describe("descriptions", () => {
  const rows: readonly Row[] = [
    ["100 bytes", "tools.0.description", long(100), []],
    ["101 bytes", "tools.0.description", long(101), ["tools[0].description invalid_tool_description"]],
    ["50 letters of two bytes", "tools.0.description", long(50, "é"), []],
    [
      "51 letters of two bytes",
      "tools.0.description",
      long(51, "é"),
      ["tools[0].description invalid_tool_description"],
    ],
    ["25 letters of four bytes", "tools.0.description", long(25, "😀"), []],
    [
      "26 letters of four bytes",
      "tools.0.description",
      long(26, "😀"),
      ["tools[0].description invalid_tool_description"],
    ],
    ["blank", "tools.0.description", " \n", ["tools[0].description invalid_tool_description"]],
    ["none", "tools.0.description", undefined, ["tools[0].description missing_required"]],
  ];
  for (const row of rows) test(row[0], () => expect(problemsOfRow(httpSample, row)).toEqual(row[3]));
});

describe("scopes", () => {
  const rows: readonly Row[] = [
    [
      "none named although the plugin has some",
      "tools.0.requires_scopes",
      [],
      ["tools[0].requires_scopes missing_tool_scopes"],
    ],
    ["not said", "tools.0.requires_scopes", undefined, ["tools[0].requires_scopes missing_tool_scopes"]],
    [
      "one the plugin has not",
      "tools.0.requires_scopes",
      ["read", "admin"],
      ["tools[0].requires_scopes[1] unknown_tool_scopes"],
    ],
    ["a text", "tools.0.requires_scopes", "read", ["tools[0].requires_scopes not_a_list"]],
  ];
  for (const row of rows) test(row[0], () => expect(problemsOfRow(httpSample, row)).toEqual(row[3]));
});

describe("rails and schemas", () => {
  const rows: readonly Row[] = [
    ["an unknown rail", "tools.0.rail", "grpc", ["tools[0].rail invalid_tool_rail"]],
    ["the mcp rail without a runtime", "tools.0.rail", "mcp", ["runtime missing_runtime"]],
    ["a request that is a text", "tools.0.request", "GET /", ["tools[0].request invalid_tool_request"]],
    ["no request: built in", "tools.0.request", undefined, []],
    ["a request without parameters", "tools.1.parameters", undefined, ["tools[1].parameters missing_tool_parameters"]],
    ["parameters as list", "tools.1.parameters", [], ["tools[1].parameters invalid_tool_parameters"]],
    [
      "properties as list",
      "tools.1.parameters.properties",
      [],
      ["tools[1].parameters.properties invalid_tool_parameters"],
    ],
    ["read_only as text", "tools.0.read_only", "true", ["tools[0].read_only wrong_type"]],
    ["a policy class of any text", "tools.0.policy_class", "internal", []],
    ["a policy class that is none", "tools.0.policy_class", 1, ["tools[0].policy_class wrong_type"]],
    ["a key nobody knows", "tools.0.icon", "x", []],
    [
      "a key of hosted tools in plugin_api 2",
      "tools.0.replay_safe",
      true,
      ["tools[0].replay_safe requires_plugin_api_3"],
    ],
  ];
  for (const row of rows) test(row[0], () => expect(problemsOfRow(httpSample, row)).toEqual(row[3]));

  test("a key nobody knows is a warning, and so is a template on the mcp rail", () => {
    const odd = withChange(withChange(localSample(), "tools.0.icon", "x"), "tools.0.request", { url: "ftp://x" });
    expect(parseManifest(JSON.stringify(odd)).warnings).toEqual([
      "tools[0].icon: is not a key of this place",
      "tools[0].request: is not a key of this place; the mcp rail sends no template",
    ]);
  });

  test("keys of hosted tools and plugins are refused beside a local runtime", () => {
    for (const key of ["replay_safe", "required_credential_scope", "collection_policy", "argument_guards"]) {
      expect(problemsOf(withChange(localSample(), `tools.0.${key}`, true))).toEqual([
        `tools[0].${key} remote_only_fields`,
      ]);
    }
    for (const key of ["output_schema", "upstream_annotations", "descriptor_sha256"]) {
      expect(problemsOf(withChange(localSample(), `tools.0.${key}`, {}))).toEqual([
        `tools[0].${key} remote_only_fields`,
      ]);
    }
    for (const key of ["tool_profiles", "setup_tools", "resource_scope", "budgets", "result_contract"]) {
      expect(problemsOf(withChange(localSample(), key, []))).toEqual([`${key} remote_only_fields`]);
      expect(problemsOf(withChange(httpSample(), key, []))).toEqual([`${key} requires_plugin_api_3`]);
    }
  });
});
