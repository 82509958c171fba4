/** What a hosted plugin signs beside its tools: profiles, setup tools, the workspace, budgets and results (spec 1.8). */
import { describe, expect, test } from "bun:test";
import type { JsonValue } from "../../src/kernel/json.ts";
import type { HostedManifest } from "../../src/manifest/manifest.ts";
import { parseManifest } from "../../src/manifest/parse.ts";
import { problemsOf, problemsOfRow, type Row } from "./parse-cases.ts";
import { hostedSample, withChange } from "./samples.ts";

describe("profiles", () => {
  const rows: readonly Row[] = [
    ["none", "tool_profiles", undefined, ["tool_profiles missing_required"]],
    ["an empty list", "tool_profiles", [], ["tool_profiles invalid_tool_profiles"]],
    ["an object", "tool_profiles", {}, ["tool_profiles invalid_tool_profiles"]],
    ["a profile that is a text", "tool_profiles.1", "capture", ["tool_profiles[1] not_an_object"]],
    ["an unknown key", "tool_profiles.1.icon", "x", ["tool_profiles[1].icon unknown_fields"]],
    ["a name with capitals", "tool_profiles.1.name", "Capture", ["tool_profiles[1].name invalid_profile_name"]],
    ["a name twice", "tool_profiles.1.name", "retrieval", ["tool_profiles[1].name duplicate_profile_name"]],
    ["no default", "tool_profiles.0.default", false, ["tool_profiles invalid_default_profile"]],
    ["two defaults", "tool_profiles.1.default", true, ["tool_profiles invalid_default_profile"]],
    [
      "an unknown credential scope",
      "tool_profiles.1.required_credential_scope",
      "admin",
      ["tool_profiles[1].required_credential_scope invalid_tool_profiles"],
    ],
    [
      "an unknown visibility",
      "tool_profiles.1.scope_visibility",
      "some",
      ["tool_profiles[1].scope_visibility invalid_tool_profiles"],
    ],
    ["no tools in it", "tool_profiles.1.tools", [], ["tool_profiles[1].tools invalid_tool_profiles"]],
    [
      "a tool nobody declares",
      "tool_profiles.1.tools.0",
      "brain_x",
      ["tool_profiles[1].tools[0] undeclared_profile_tool"],
    ],
    [
      "a setup tool",
      "tool_profiles.1.tools.0",
      "brain_spaces",
      ["tools[0].parameters.properties missing_scope_argument", "tool_profiles[1].tools[0] setup_tool_in_profile"],
    ],
    ["a tool twice", "tool_profiles.1.tools.0", "brain_save", ["tool_profiles[1].tools[1] duplicate_profile_tool"]],
    ["a tool that is a number", "tool_profiles.1.tools.0", 1, ["tool_profiles[1].tools[0] wrong_type"]],
  ];
  for (const row of rows) test(row[0], () => expect(problemsOfRow(hostedSample, row)).toEqual(row[3]));
});

describe("setup tools, workspace, budgets and results", () => {
  const rows: readonly Row[] = [
    ["a setup tool nobody declares", "setup_tools.1", "brain_x", ["setup_tools[1] undeclared_setup_tool"]],
    ["a setup tool twice", "setup_tools.1", "brain_spaces", ["setup_tools[1] duplicate_setup_tool"]],
    [
      "setup tools as text",
      "setup_tools",
      "brain_spaces",
      ["setup_tools not_a_list", "resource_scope.discovery_tool undeclared_discovery_tool"],
    ],
    ["no workspace", "resource_scope", undefined, []],
    ["a workspace that is a text", "resource_scope", "w", ["resource_scope invalid_resource_scope"]],
    ["another kind of workspace", "resource_scope.kind", "many", ["resource_scope.kind invalid_resource_scope"]],
    ["an unknown workspace key", "resource_scope.icon", "x", ["resource_scope.icon unknown_fields"]],
    [
      "a discovery tool that is no setup tool",
      "resource_scope.discovery_tool",
      "brain_list",
      ["resource_scope.discovery_tool undeclared_discovery_tool"],
    ],
    ["a blank argument", "resource_scope.argument", "", ["resource_scope.argument blank_value"]],
    [
      "an argument that no tool takes",
      "resource_scope.argument",
      "constructor",
      [
        "tools[1].parameters.properties missing_scope_argument",
        "tools[2].parameters.properties missing_scope_argument",
      ],
    ],
    ["no budgets", "budgets", undefined, ["budgets missing_required"]],
    ["budgets as number", "budgets", 20, ["budgets invalid_budgets"]],
    ["an unknown budget", "budgets.daily", 1, ["budgets.daily unknown_fields"]],
    ["100 calls", "budgets.agent_turn_calls", 100, []],
    ["101 calls", "budgets.agent_turn_calls", 101, ["budgets.agent_turn_calls invalid_budgets"]],
    ["no calls", "budgets.agent_turn_paginated_calls", 0, ["budgets.agent_turn_paginated_calls invalid_budgets"]],
    ["as many paginated calls as calls", "budgets.agent_turn_paginated_calls", 20, []],
    [
      "more paginated calls than calls",
      "budgets.agent_turn_paginated_calls",
      21,
      ["budgets.agent_turn_paginated_calls invalid_budgets"],
    ],
    ["no result contract", "result_contract", undefined, ["result_contract missing_required"]],
    ["another result contract", "result_contract.kind", "http", ["result_contract.kind invalid_result_contract"]],
    ["an unknown result key", "result_contract.x", "y", ["result_contract.x unknown_fields"]],
    ["a blank result field", "result_contract.success_field", " ", ["result_contract.success_field blank_value"]],
  ];
  for (const row of rows) test(row[0], () => expect(problemsOfRow(hostedSample, row)).toEqual(row[3]));

  test("no setup tools, when there is no workspace to find", () => {
    const open = withChange(withChange(hostedSample(), "resource_scope", undefined), "setup_tools", undefined);
    expect((parseManifest(JSON.stringify(open)) as HostedManifest).setupTools).toEqual([]);
  });
});

test("huge lists of names are judged in linear time", () => {
  const names = Array.from({ length: 60_000 }, (_, index) => `brain_${index}`) as readonly JsonValue[];
  expect(problemsOf(withChange(hostedSample(), "tool_profiles.1.tools", names)).at(-1)).toBe("$ too_many_problems");
});
