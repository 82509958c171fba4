/** Reads `tool_profiles`: the sets of hosted tools an operator chooses between, exactly one of them by default (spec 1.8). */
import { isJsonObject, type JsonValue } from "../kernel/json.ts";
import type { JsonPath } from "../kernel/json-path.ts";
import type { HostedTool, ToolProfile } from "./manifest.ts";
import { flag, listOr, matching, nonBlank, oneOf, text } from "./parts.ts";
import type { Problems } from "./problems.ts";

const profileFields = {
  name: matching(/^[a-z][a-z0-9_]*$/, "invalid_profile_name"),
  display_name: nonBlank,
  default: flag,
  required_credential_scope: oneOf(["read", "write"], "invalid_tool_profiles"),
  scope_visibility: oneOf(["none", "all_scoped_tools_omitted"], "invalid_tool_profiles"),
  tools: listOr("invalid_tool_profiles"),
};
const PROFILE_KEYS: ReadonlySet<string> = new Set(Object.keys(profileFields));

/** What the contract's blocks may refer to, by the vendor's names. */
export interface DeclaredTools {
  /** Every declared name with its place in `tools`, also of tools that broke a rule. */
  readonly places: ReadonlyMap<string, number>;
  readonly sound: ReadonlyMap<string, HostedTool>;
}

/** The texts of a list, without repeats; everything else in it is noted. */
export function readNames(
  problems: Problems,
  list: readonly JsonValue[] | undefined,
  path: JsonPath,
  repeated: "duplicate_setup_tool" | "duplicate_profile_tool",
): readonly string[] {
  const names: string[] = [];
  for (const [index, item] of (list ?? []).entries()) {
    const name = problems.value(item, [...path, index], text);
    if (name === undefined) continue;
    if (names.includes(name)) problems.add([...path, index], repeated);
    names.push(name);
  }
  return names;
}

/** A profile whose tools are still under the vendor's names. */
export type ReadProfile = Omit<ToolProfile, "tools"> & { readonly names: readonly string[] };

/** The sound profiles, in document order. */
export function readProfiles(
  problems: Problems,
  list: readonly JsonValue[],
  declared: DeclaredTools,
  setup: ReadonlySet<string>,
): readonly ReadProfile[] {
  const seen = new Set<string>();
  const profiles: ReadProfile[] = [];
  let defaults = 0;
  for (const [index, item] of list.entries()) {
    const path = ["tool_profiles", index];
    if (!isJsonObject(item)) {
      problems.add(path, "not_an_object");
      continue;
    }
    problems.closed(item, path, PROFILE_KEYS);
    const read = problems.fields(item, path, profileFields);
    if (item["default"] === true) defaults += 1;
    const names = readProfileTools(problems, read.tools, [...path, "tools"], declared, setup);
    const { name, display_name, required_credential_scope, scope_visibility } = read;
    if (name !== undefined && seen.has(name)) problems.add([...path, "name"], "duplicate_profile_name");
    if (name !== undefined) seen.add(name);
    if (name === undefined || display_name === undefined || read.default === undefined) continue;
    if (required_credential_scope === undefined || scope_visibility === undefined) continue;
    profiles.push({
      name,
      displayName: display_name,
      default: read.default,
      requiredCredentialScope: required_credential_scope,
      scopeVisibility: scope_visibility,
      names,
    });
  }
  if (list.length > 0 && defaults !== 1) problems.add(["tool_profiles"], "invalid_default_profile", `${defaults} do`);
  return profiles;
}

function readProfileTools(
  problems: Problems,
  list: readonly JsonValue[] | undefined,
  path: JsonPath,
  declared: DeclaredTools,
  setup: ReadonlySet<string>,
): readonly string[] {
  if (list?.length === 0) problems.add(path, "invalid_tool_profiles", "a profile has at least one tool");
  const names = readNames(problems, list, path, "duplicate_profile_tool");
  for (const [index, item] of (list ?? []).entries()) {
    if (typeof item !== "string") continue;
    if (!declared.places.has(item)) problems.add([...path, index], "undeclared_profile_tool");
    if (setup.has(item)) problems.add([...path, index], "setup_tool_in_profile");
  }
  return names;
}
