/** Decodes a hosted plugin's archive in memory: its tree digest and the manifest that was signed (spec 2.11). */
import { FermixError } from "../kernel/error.ts";
import { isJsonObject, type JsonValue } from "../kernel/json.ts";
import type { PluginName, Sha256, Version } from "../kernel/names.ts";
import { parseJsonBytes } from "../kernel/strict-json.ts";
import { StrictJsonError } from "../kernel/strict-json-error.ts";
import { readArchive } from "./read-archive.ts";
import { digestFiles } from "./tree-digest.ts";

/**
 * The snapshot of the archive at `path`, whose manifest must name this plugin and version and be of the hosted kind.
 * The refusal policy and the limits of unpacking hold. Throws archive_unsafe, provenance_failed.
 */
export async function readSnapshot(
  archive: { path: string; sha256: string; plugin: string },
  expected: { plugin: PluginName; version: Version },
): Promise<{ treeDigestV2: Sha256; manifestText: string }> {
  const files: { path: string; content: Uint8Array }[] = [];
  await readArchive(archive, {
    entry({ path, kind }) {
      if (kind === "folder") return undefined;
      const chunks: Uint8Array[] = [];
      return {
        write: (chunk) => chunks.push(Buffer.from(chunk)),
        end: () => files.push({ path, content: Buffer.concat(chunks) }),
      };
    },
  });
  const manifest = files.find((file) => file.path === "plugin.json")?.content;
  if (manifest === undefined) throw failed(expected.plugin, "its kept package has no plugin.json");
  assertIdentity(manifest, expected);
  return { treeDigestV2: digestFiles(files), manifestText: Buffer.from(manifest).toString("utf8") };
}

function assertIdentity(manifest: Uint8Array, { plugin, version }: { plugin: PluginName; version: Version }): void {
  const parsed = parseManifestJson(manifest, plugin);
  const runtime = isJsonObject(parsed) ? parsed["runtime"] : undefined;
  if (!isJsonObject(parsed) || parsed["name"] !== plugin) throw failed(plugin, "its kept package is another plugin's");
  if (parsed["version"] !== version) throw failed(plugin, "its kept package is of another version");
  if (!isJsonObject(runtime) || runtime["kind"] !== "remote_mcp") {
    throw failed(plugin, "its kept package is not of a hosted plugin");
  }
}

function parseManifestJson(manifest: Uint8Array, plugin: PluginName): JsonValue {
  try {
    return parseJsonBytes(manifest);
  } catch (cause) {
    if (cause instanceof StrictJsonError) throw failed(plugin, "its kept package has no readable plugin.json", cause);
    throw cause;
  }
}

function failed(plugin: PluginName, reason: string, cause?: unknown): FermixError {
  return new FermixError("provenance_failed", { plugin, reason }, { cause });
}
