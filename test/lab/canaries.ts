/** Looks for secrets that a test planted where nobody may have put them. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Every regular file below these folders that holds the text. */
export function filesWith(text: string, folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((path) => join(folder, path))
      .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() && readFileSync(path).includes(text)),
  );
}
