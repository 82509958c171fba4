/** Reads what a hosted plugin signs beside its tools: profiles, setup tools, the pinned workspace, budgets (spec 1.8). */

import * as v from "valibot";
import { isJsonObject, type JsonObject } from "../kernel/json.ts";
import type { ToolName } from "../kernel/names.ts";
import type { HostedManifest, PluginAuth, ResourceScope } from "./manifest.ts";
import { jsonList, listOr, nonBlank, objectOr, wholeNumber } from "./parts.ts";
import { below, ROOT } from "./place.ts";
import type { Problems } from "./problems.ts";
import type { Reading } from "./reading.ts";
import { type DeclaredTools, type ReadProfile, readNames, readProfiles } from "./tool-profiles.ts";

/** The top-level keys that only a hosted plugin of plugin_api 3 may carry. */
export const HOSTED_KEYS = ["tool_profiles", "setup_tools", "resource_scope", "budgets", "result_contract"] as const;

const AUTH = below(ROOT, "auth");
const BUDGETS = below(ROOT, "budgets");
const RESULT = below(ROOT, "result_contract");

const MAX_TURN_CALLS = 100;
const blocks = {
  tool_profiles: listOr("invalid_tool_profiles"),
  setup_tools: v.optional(jsonList),
  resource_scope: v.optional(objectOr("invalid_resource_scope")),
  budgets: objectOr("invalid_budgets"),
  result_contract: objectOr("invalid_result_contract"),
};
const scopeFields = {
  kind: v.literal("single_workspace", "invalid_resource_scope"),
  discovery_tool: nonBlank,
  id_field: nonBlank,
  label_field: nonBlank,
  argument: nonBlank,
};
const turnCalls = wholeNumber(1, MAX_TURN_CALLS, "invalid_budgets");
const budgetFields = { agent_turn_calls: turnCalls, agent_turn_paginated_calls: turnCalls };
const resultFields = {
  kind: v.literal("json_boolean", "invalid_result_contract"),
  success_field: nonBlank,
  status_field: nonBlank,
  message_field: nonBlank,
};
const SCOPE_KEYS: ReadonlySet<string> = new Set(Object.keys(scopeFields));
const BUDGET_KEYS: ReadonlySet<string> = new Set(Object.keys(budgetFields));
const RESULT_KEYS: ReadonlySet<string> = new Set(Object.keys(resultFields));

export type HostedContract = Pick<
  HostedManifest,
  "toolProfiles" | "setupTools" | "resourceScope" | "budgets" | "resultContract"
>;

/** The contract; undefined when a block that must be there broke a rule. */
export function readHostedContract(
  reading: Reading,
  raw: JsonObject,
  auth: PluginAuth | undefined,
  declared: DeclaredTools,
): HostedContract | undefined {
  const { problems } = reading;
  if (auth !== undefined) checkAuth(problems, auth);
  const read = problems.fields(raw, ROOT, blocks);
  const setup = readNames(problems, read.setup_tools ?? [], below(ROOT, "setup_tools"), (name, place, again) => {
    if (!declared.byName.has(name)) problems.add(place, "undeclared_setup_tool");
    if (again) problems.add(place, "duplicate_setup_tool");
  });
  const profiles = readProfiles(problems, read.tool_profiles ?? [], declared, setup);
  if (read.tool_profiles?.length === 0) problems.add(below(ROOT, "tool_profiles"), "invalid_tool_profiles");
  const resourceScope = readScope(problems, read.resource_scope, setup, profiles, declared);
  const budgets = readBudgets(problems, read.budgets);
  const resultContract = readResultContract(problems, read.result_contract);
  if (budgets === undefined || resultContract === undefined) return undefined;
  return {
    toolProfiles: profiles.map(({ names, ...profile }) => ({ ...profile, tools: agentNames(names, declared) })),
    setupTools: agentNames(setup, declared),
    resourceScope,
    budgets,
    resultContract,
  };
}

/** A hosted server gets its credential in one way only, so that it can be told from every other header (spec 1.2). */
function checkAuth(problems: Problems, auth: PluginAuth): void {
  if (auth.type !== "api_key") problems.add(below(AUTH, "type"), "invalid_remote_auth");
  else {
    if (auth.header.toLowerCase() !== "authorization") problems.add(below(AUTH, "header"), "invalid_remote_auth");
    if (auth.scheme !== "Bearer") problems.add(below(AUTH, "scheme"), "invalid_remote_auth");
  }
}

function agentNames(names: Iterable<string>, declared: DeclaredTools): readonly ToolName[] {
  return [...names].flatMap((name) => declared.sound.get(name)?.name ?? []);
}

function readScope(
  problems: Problems,
  raw: JsonObject | undefined,
  setup: ReadonlySet<string>,
  profiles: readonly ReadProfile[],
  declared: DeclaredTools,
): ResourceScope | undefined {
  if (raw === undefined) return undefined;
  const path = below(ROOT, "resource_scope");
  problems.closed(raw, path, SCOPE_KEYS);
  const { kind, discovery_tool, id_field, label_field, argument } = problems.fields(raw, path, scopeFields);
  if (discovery_tool !== undefined && !setup.has(discovery_tool)) {
    problems.add(below(path, "discovery_tool"), "undeclared_discovery_tool");
  }
  if (argument !== undefined) checkScopeArgument(problems, argument, profiles, declared);
  if (kind === undefined || discovery_tool === undefined || argument === undefined) return undefined;
  const discoveryTool = declared.sound.get(discovery_tool)?.name;
  if (id_field === undefined || label_field === undefined || discoveryTool === undefined) return undefined;
  return { discoveryTool, idField: id_field, labelField: label_field, argument };
}

/** Every tool an agent can reach must take the pinned argument, or its calls would leave the pinned workspace. */
function checkScopeArgument(
  problems: Problems,
  argument: string,
  profiles: readonly ReadProfile[],
  declared: DeclaredTools,
): void {
  const reachable = new Set(profiles.flatMap(({ names }) => [...names]));
  for (const [name, { place, parameters }] of declared.byName) {
    if (!reachable.has(name) || parameters === undefined) continue;
    const properties = parameters["properties"];
    if (isJsonObject(properties) && Object.hasOwn(properties, argument)) continue;
    problems.add(below(below(place, "parameters"), "properties"), "missing_scope_argument");
  }
}

function readBudgets(problems: Problems, raw: JsonObject | undefined): HostedContract["budgets"] | undefined {
  if (raw === undefined) return undefined;
  problems.closed(raw, BUDGETS, BUDGET_KEYS);
  const { agent_turn_calls, agent_turn_paginated_calls } = problems.fields(raw, BUDGETS, budgetFields);
  if (agent_turn_calls === undefined || agent_turn_paginated_calls === undefined) return undefined;
  if (agent_turn_paginated_calls > agent_turn_calls) {
    problems.add(below(BUDGETS, "agent_turn_paginated_calls"), "invalid_budgets");
  }
  return { agentTurnCalls: agent_turn_calls, agentTurnPaginatedCalls: agent_turn_paginated_calls };
}

function readResultContract(
  problems: Problems,
  raw: JsonObject | undefined,
): HostedContract["resultContract"] | undefined {
  if (raw === undefined) return undefined;
  problems.closed(raw, RESULT, RESULT_KEYS);
  const { kind, success_field, status_field, message_field } = problems.fields(raw, RESULT, resultFields);
  if (kind === undefined || success_field === undefined) return undefined;
  if (status_field === undefined || message_field === undefined) return undefined;
  return { successField: success_field, statusField: status_field, messageField: message_field };
}
