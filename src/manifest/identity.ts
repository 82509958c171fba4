/** Reads the top level of a manifest: what the plugin is called and which generation of the grammar it speaks (spec 1.1). */

import * as v from "valibot";
import { isJsonObject, type JsonObject, type JsonValue } from "../kernel/json.ts";
import { asPluginName, asVersion, type PluginName, type Version } from "../kernel/names.ts";
import { flag, matching, nonBlank, textThat, wholeNumber } from "./parts.ts";
import { below, ROOT } from "./place.ts";
import type { Problems } from "./problems.ts";

const KEYS: ReadonlySet<string> = new Set([
  "schema_version",
  "name",
  "display_name",
  "description",
  "category",
  "version",
  "min_core_version",
  "plugin_api",
  "default_enabled",
  "interface",
  "auth",
  "config",
  "runtime",
  "tools",
  "skills",
  "health_check",
  "tool_profiles",
  "setup_tools",
  "resource_scope",
  "budgets",
  "result_contract",
]);

const version = textThat((text) => asVersion(text) !== undefined, "invalid_version");
const fields = {
  schema_version: v.optional(v.picklist([1, 2], "unsupported_schema_version"), 1),
  name: matching(/^[a-z][a-z0-9_]{0,63}$/, "invalid_name"),
  display_name: nonBlank,
  description: nonBlank,
  category: nonBlank,
  version,
  min_core_version: v.optional(version),
  plugin_api: v.optional(wholeNumber(1, Number.MAX_SAFE_INTEGER, "invalid_plugin_api")),
  default_enabled: v.optional(flag, false),
};

/** Each part is undefined when it broke a rule; `minCoreVersion` and `pluginApi` also when they are absent. */
export interface Identity {
  readonly schemaVersion: 1 | 2 | undefined;
  readonly name: PluginName | undefined;
  readonly displayName: string | undefined;
  readonly description: string | undefined;
  readonly category: string | undefined;
  readonly version: Version | undefined;
  readonly minCoreVersion: Version | undefined;
  readonly pluginApi: number | undefined;
  readonly defaultEnabled: boolean | undefined;
}

/** Reads the plain top-level fields and refuses every key the grammar does not know. */
export function readIdentity(problems: Problems, raw: JsonObject, directory: string | undefined): Identity {
  problems.closed(raw, ROOT, KEYS);
  const read = problems.fields(raw, ROOT, fields);
  const name = asPluginName(read.name);
  if (read.name !== undefined && name === undefined) problems.add(below(ROOT, "name"), "reserved_name");
  if (read.name !== undefined && directory !== undefined && read.name !== directory) {
    problems.add(below(ROOT, "name"), "directory_name_mismatch");
  }
  if (read.plugin_api === 3 && read.schema_version === 1) {
    problems.add(below(ROOT, "schema_version"), "invalid_plugin_api_3_schema_version");
  }
  return {
    schemaVersion: read.schema_version,
    name,
    displayName: read.display_name,
    description: read.description,
    category: read.category,
    version: asVersion(read.version),
    minCoreVersion: asVersion(read.min_core_version),
    pluginApi: read.plugin_api,
    defaultEnabled: read.default_enabled,
  };
}

/** The name a document claims, legal or not, for naming it in a failure. */
export function nameOf(document: JsonValue | undefined): string | undefined {
  const name = isJsonObject(document) && Object.hasOwn(document, "name") ? document["name"] : undefined;
  return typeof name === "string" && name !== "" ? name : undefined;
}
