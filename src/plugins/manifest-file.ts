/** Where a plugin's manifest is, and its text. */
import { join } from "node:path";
import { readRegularText } from "../files/read-regular.ts";
import { MAX_MANIFEST_BYTES } from "../manifest/parse.ts";

/** The manifest's file name, at the root of every plugin folder. */
export const MANIFEST_FILE = "plugin.json";

/** The text of a plugin folder's manifest, still to be judged. Throws the system's error, EFTYPE or EFBIG. */
export function readManifestText(dir: string): string {
  return readRegularText(join(dir, MANIFEST_FILE), MAX_MANIFEST_BYTES);
}
