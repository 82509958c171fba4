/** Where a plugin's manifest is, and its text. */
import { isUtf8 } from "node:buffer";
import { join } from "node:path";
import { readRegularFile } from "../files/read-regular.ts";
import { MAX_MANIFEST_BYTES } from "../manifest/parse.ts";

/** The manifest's file name, at the root of every plugin folder. */
export const MANIFEST_FILE = "plugin.json";

/** A manifest still to be judged: its text, or its bytes when they are none, for the parser to refuse. */
export type ManifestText = string | Uint8Array;

/** The text of a plugin folder's manifest. Throws the system's error, EFTYPE or EFBIG. */
export function readManifestText(dir: string): ManifestText {
  const bytes = readRegularFile(join(dir, MANIFEST_FILE), MAX_MANIFEST_BYTES);
  return isUtf8(bytes) ? bytes.toString("utf8") : bytes;
}
