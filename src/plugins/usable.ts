/** Whether a plugin's files would load beside everything else here: what install, pin and the loader agree on (INS-4). */
import { join } from "node:path";
import { reasonFor } from "../files/fs-failure.ts";
import { FermixError, hasErrno } from "../kernel/error.ts";
import { isJsonObject } from "../kernel/json.ts";
import type { PluginName, Version } from "../kernel/names.ts";
import { parseStrictJson } from "../kernel/strict-json.ts";
import { StrictJsonError } from "../kernel/strict-json-error.ts";
import { CORE_VERSION } from "../kernel/version.ts";
import { findClashes } from "../manifest/cross-checks.ts";
import type { LoadedPlugin, Manifest } from "../manifest/manifest.ts";
import { MAX_MANIFEST_BYTES } from "../manifest/parse.ts";
import { probeRuntime } from "../rails/local-mcp/runtime-probe.ts";
import type { App } from "./app.ts";
import { assertLoadable, loadPlugins } from "./load.ts";
import { MANIFEST_FILE, type ManifestText, readManifestText } from "./manifest-file.ts";

/**
 * The manifest at the root of a tree that must be this plugin at this version, judged as the loader judges it (spec 2.8
 * steps 12, 13 and 15). Throws package_mismatch, manifest_invalid, incompatible, and plugin_damaged for one in the store
 * whose manifest is gone or cannot be read.
 */
export function readPackageManifest(root: string, plugin: PluginName, version: Version): Manifest {
  const text = textOf(root, plugin);
  const raw = rawObject(text);
  for (const [field, expected] of [
    ["name", plugin],
    ["version", version],
  ] as const) {
    const found = raw?.[field];
    if (typeof found === "string" && found !== expected) {
      throw new FermixError("package_mismatch", { plugin, field, expected, found });
    }
  }
  return assertLoadable(text, { directory: plugin, dir: root, core: CORE_VERSION });
}

function textOf(root: string, plugin: PluginName): ManifestText {
  try {
    return readManifestText(root);
  } catch (cause) {
    if (hasErrno(cause, "EFBIG")) {
      const problem = { path: "$", rule: "invalid_json", says: `is longer than ${MAX_MANIFEST_BYTES} bytes` };
      throw new FermixError("manifest_invalid", { plugin, problems: [problem] }, { cause });
    }
    const reason = reasonFor(cause);
    if (reason === undefined) throw cause;
    throw new FermixError("plugin_damaged", { plugin, path: join(root, MANIFEST_FILE), reason }, { cause });
  }
}

/** undefined for what is no JSON object: the loader's check names the problem better. */
function rawObject(text: ManifestText): Readonly<Record<string, unknown>> | undefined {
  if (typeof text !== "string") return undefined;
  try {
    const raw = parseStrictJson(text);
    return isJsonObject(raw) ? raw : undefined;
  } catch (cause) {
    if (cause instanceof StrictJsonError) return undefined;
    throw cause;
  }
}

/**
 * Refuses a plugin that could not be used here: its names are taken by another plugin (BUN-5), or the program that its
 * local server runs on is missing or too old. Throws name_taken, missing_host_runtime, and the faults of dev_local.
 */
export async function assertUsable(app: App, manifest: Manifest, dir: string): Promise<void> {
  const candidate: LoadedPlugin = {
    name: manifest.name,
    version: manifest.version,
    origin: "installed",
    dir,
    manifest,
  };
  const { plugins } = await loadPlugins(app);
  const others = plugins.filter(({ name, origin }) => name !== candidate.name || origin !== "installed");
  const clash = findClashes([...others, candidate]).find(({ owners }) => owners.includes(candidate.name));
  if (clash !== undefined) {
    const owners = others.filter(({ name }) => clash.owners.includes(name)).map(ownerText);
    throw new FermixError("name_taken", { plugin: candidate.name, kind: clash.kind, name: clash.name, owners });
  }
  if (manifest.rail !== "local-mcp") return;
  const probe = await probeRuntime(app.ports, app.env, app.home, manifest.runtime, dir);
  if (probe.ok) return;
  const { wanted, lookedIn, found } = probe;
  const details = { plugin: candidate.name, wanted, lookedIn, ...(found === undefined ? {} : { found }) };
  throw new FermixError("missing_host_runtime", details);
}

function ownerText({ name, origin }: LoadedPlugin): string {
  return origin === "installed" ? name : `${name} (${origin})`;
}
