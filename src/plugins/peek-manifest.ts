/** Reads the manifest of a catalog plugin that is not installed, out of the archive inside this binary. */
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { Artifact } from "../catalog/catalog.ts";
import type { EmbeddedFiles } from "../kernel/ports.ts";

const EMBEDDED = "embedded:";
/** Far above any manifest; the archive's author chooses the real size, so reading stops here. */
const MAX_MANIFEST_BYTES = 1024 * 1024;

/**
 * The text of plugin.json, or undefined when the archive is not in this binary or is not the one the signed index
 * names. Nothing is unpacked or kept: an install proves the archive on its own.
 */
export async function peekManifest(embedded: EmbeddedFiles, artifact: Artifact): Promise<string | undefined> {
  if (!artifact.url.startsWith(EMBEDDED)) return undefined;
  const archive = embedded.read(artifact.url.slice(EMBEDDED.length));
  if (archive === undefined || createHash("sha256").update(archive).digest("hex") !== artifact.sha256) return undefined;
  const { extract } = await import("tar-stream");
  const entries = Readable.from([archive]).pipe(createGunzip()).pipe(extract());
  for await (const entry of entries) {
    if (entry.header.name.replace(/^\.\//, "") !== "plugin.json" || entry.header.type !== "file") {
      entry.resume();
      continue;
    }
    const text = await readText(entry);
    entries.destroy();
    return text;
  }
  return undefined;
}

async function readText(entry: AsyncIterable<unknown>): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of entry) {
    if (!(chunk instanceof Uint8Array)) return undefined;
    size += chunk.byteLength;
    if (size > MAX_MANIFEST_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
