/** Reads `tool_profiles`: the sets of hosted tools an operator chooses between, exactly one of them by default (spec 1.8). */

import { isJsonObject, type JsonObject, type JsonValue } from "../kernel/json.ts";
import type { HostedTool, ToolProfile } from "./manifest.ts";
import { flag, listOr, matching, nonBlank, oneOf, text } from "./parts.ts";
import { below, type Place, ROOT } from "./place.ts";
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
  /** Every declared name with its place and its parameters as written, also of tools that broke a rule. */
  readonly byName: ReadonlyMap<string, { readonly place: Place; readonly parameters: JsonObject | undefined }>;
  readonly sound: ReadonlyMap<string, HostedTool>;
}

/** The texts of a list, each judged with whether it was there before; everything else in the list is noted. */
export function readNames(
  problems: Problems,
  list: readonly JsonValue[],
  path: Place,
  judge: (name: string, place: Place, again: boolean) => void,
): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [index, item] of list.entries()) {
    const place = below(path, index);
    const name = problems.value(item, place, text);
    if (name === undefined) continue;
    judge(name, place, names.has(name));
    names.add(name);
  }
  return names;
}

/** A profile whose tools are still under the vendor's names. */
export type ReadProfile = Omit<ToolProfile, "tools"> & { readonly names: ReadonlySet<string> };

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
    const path = below(below(ROOT, "tool_profiles"), index);
    if (!isJsonObject(item)) {
      problems.add(path, "not_an_object");
      continue;
    }
    problems.closed(item, path, PROFILE_KEYS);
    const read = problems.fields(item, path, profileFields);
    if (item["default"] === true) defaults += 1;
    const names = readProfileTools(problems, read.tools, below(path, "tools"), declared, setup);
    const { name, display_name, required_credential_scope, scope_visibility } = read;
    if (name !== undefined && seen.has(name)) problems.add(below(path, "name"), "duplicate_profile_name");
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
  if (list.length > 0 && defaults !== 1)
    problems.add(below(ROOT, "tool_profiles"), "invalid_default_profile", `${defaults} do`);
  return profiles;
}

function readProfileTools(
  problems: Problems,
  list: readonly JsonValue[] | undefined,
  path: Place,
  declared: DeclaredTools,
  setup: ReadonlySet<string>,
): ReadonlySet<string> {
  if (list?.length === 0) problems.add(path, "invalid_tool_profiles", "a profile has at least one tool");
  return readNames(problems, list ?? [], path, (name, place, again) => {
    if (!declared.byName.has(name)) problems.add(place, "undeclared_profile_tool");
    if (setup.has(name)) problems.add(place, "setup_tool_in_profile");
    if (again) problems.add(place, "duplicate_profile_tool");
  });
}
