/** Remembers the versions that programs printed, so that `plugins list` starts nothing. */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeAtomically } from "../../files/atomic-write.ts";
import type { Home } from "../../files/home.ts";
import { hasErrno, isFermixError } from "../../kernel/error.ts";
import { isJsonObject, type JsonObject } from "../../kernel/json.ts";

/** A program file as it was when it was asked. */
export interface ProgramStamp {
  readonly size: number;
  readonly mtimeMs: number;
}

/** Programs remembered; the oldest go first. A home meets a handful. */
const MAX_ENTRIES = 64;

/** The version that this very file printed, undefined when it is not known or the file changed. */
export function readProbed(home: Home, command: string, stamp: ProgramStamp): string | undefined {
  const entry = readCache(home)[command];
  if (!isJsonObject(entry) || entry["size"] !== stamp.size || entry["mtimeMs"] !== stamp.mtimeMs) return undefined;
  return typeof entry["version"] === "string" ? entry["version"] : undefined;
}

/** Remembers it; a home that does not exist yet or cannot be written is left alone, because a cache is never needed. */
export async function rememberProbed(home: Home, command: string, stamp: ProgramStamp, version: string): Promise<void> {
  if (!existsSync(home.root)) return;
  const { [command]: _replaced, ...others } = readCache(home);
  const entries = [...Object.entries(others), [command, { ...stamp, version }]].slice(-MAX_ENTRIES);
  try {
    mkdirSync(home.cache, { recursive: true, mode: 0o700 });
    await writeAtomically(cacheFile(home), `${JSON.stringify(Object.fromEntries(entries))}\n`);
  } catch (cause) {
    if (!isFermixError(cause) && !hasErrno(cause, "EACCES", "EROFS", "ENOSPC", "ENOTDIR", "EEXIST")) throw cause;
  }
}

function cacheFile(home: Home): string {
  return join(home.cache, "runtimes.json");
}

function readCache(home: Home): JsonObject {
  try {
    const cache: unknown = JSON.parse(readFileSync(cacheFile(home), "utf8"));
    return isJsonObject(cache) ? cache : {};
  } catch (cause) {
    if (cause instanceof SyntaxError || hasErrno(cause, "ENOENT", "EACCES", "ENOTDIR", "EISDIR")) return {};
    throw cause;
  }
}
