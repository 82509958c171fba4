/** Reads auth.json, strictly: a file of this user's own with mode 0600 that holds the sign-ins of one home (spec 8.1). */
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, type Stats } from "node:fs";
import { namedFailure } from "../files/fs-failure.ts";
import type { Home } from "../files/home.ts";
import { FermixError, hasErrno } from "../kernel/error.ts";
import { mayLoseDigits, parseKeepingDigits } from "../kernel/exact-json.ts";
import { isJsonObject, type JsonObject } from "../kernel/json.ts";
import { parseJsonBytes } from "../kernel/strict-json.ts";
import { StrictJsonError } from "../kernel/strict-json-error.ts";

/** The profile that the oldest, flat layout holds (spec 8.1). */
const FLAT_PROFILE = "openai_codex";
/** The only layout there is; a file of a later one is left to whoever knows it. */
const VERSION = 2;
/** Other programs write it too; a sign-in is a few kilobytes. */
const MAX_AUTH_BYTES = 8 * 1024 * 1024;
const PRIVATE = 0o600;

/** The content of auth.json, the flat layout turned into the other one. */
export interface AuthDocument {
  /** All members but `providers`, `version` included. */
  readonly rest: JsonObject;
  /** The entries by profile, as they are in the file. */
  readonly providers: JsonObject;
}

const NOTHING: AuthDocument = { rest: { version: VERSION }, providers: {} };

/** Tells whether a file is still the one that was read; every writer replaces it, so that its number changes. */
interface Stamp {
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

interface Known {
  readonly stamp: Stamp | undefined;
  readonly document: AuthDocument;
}

/** The last reading of each home's file: a call asks for its credential every time, and one look tells that nothing changed. */
const known = new Map<string, Known>();

/**
 * The sign-ins of a home; a home without the file has none. The same object as long as the file is the same. Throws
 * auth_file_exposed (a mode other than 0600), auth_file_unusable (a link, no regular file, another user's, too
 * large), auth_file_malformed (not this layout) or home_unusable (unreadable).
 */
export function readAuthFile(home: Home): AuthDocument {
  const seen = known.get(home.authFile);
  const stat = look(home.authFile);
  // A change of mode or owner is a change of the file's own time as well.
  return seen !== undefined && sameFile(seen.stamp, stat) ? seen.document : readAuthFileAnew(home);
}

/** The same from the disk, whatever was read before: for whoever holds a lock and decides by it. */
export function readAuthFileAnew(home: Home): AuthDocument {
  const fresh = readFresh(home.authFile);
  known.set(home.authFile, fresh);
  return fresh.document;
}

/** The entry of a profile, as it is in the file; undefined when there is none. */
export function entryIn({ providers }: AuthDocument, profile: string): unknown {
  return Object.hasOwn(providers, profile) ? providers[profile] : undefined;
}

/** The file's text with these entries: pretty JSON and a line's end, numbers of other programs digit by digit (spec 8.1). */
export function authFileText(document: AuthDocument, providers: JsonObject): string {
  return `${JSON.stringify({ ...document.rest, version: VERSION, providers }, undefined, 2)}\n`;
}

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    throw namedFailure(path, cause);
  }
}

function sameFile(stamp: Stamp | undefined, stat: Stats | undefined): boolean {
  if (stamp === undefined || stat === undefined) return stamp === stat;
  return (
    stamp.ino === stat.ino &&
    stamp.mtimeMs === stat.mtimeMs &&
    stamp.size === stat.size &&
    stamp.ctimeMs === stat.ctimeMs
  );
}

function readFresh(path: string): Known {
  let file: number;
  try {
    // A link could lead the next write elsewhere, and a pipe would be waited for.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (cause) {
    if (hasErrno(cause, "ENOENT")) return { stamp: undefined, document: NOTHING };
    if (hasErrno(cause, "ELOOP")) throw unusable(path, "it is a symbolic link");
    throw namedFailure(path, cause);
  }
  try {
    const stat = fstatSync(file);
    assertPrivate(path, stat);
    const { ino, size, mtimeMs, ctimeMs } = stat;
    return { stamp: { ino, size, mtimeMs, ctimeMs }, document: documentIn(path, readFileSync(file)) };
  } finally {
    closeSync(file);
  }
}

function assertPrivate(path: string, stat: Stats): void {
  if (stat.isDirectory()) throw unusable(path, "it is a folder");
  if (!stat.isFile()) throw unusable(path, "it is not a regular file");
  // Root reading a user's file would soon write it, and the user could no longer read it.
  if (process.getuid !== undefined && stat.uid !== process.getuid()) throw unusable(path, "it belongs to another user");
  const mode = stat.mode & 0o7777;
  if (mode !== PRIVATE) throw new FermixError("auth_file_exposed", { path, mode: `0o${mode.toString(8)}` });
  if (stat.size > MAX_AUTH_BYTES) throw unusable(path, `it is larger than ${MAX_AUTH_BYTES} bytes`);
}

function documentIn(path: string, bytes: Uint8Array): AuthDocument {
  const file = parse(path, bytes);
  if (!isJsonObject(file)) throw malformed(path, "holds no JSON object");
  const { providers, version, ...rest } = file;
  if (version !== undefined && version !== VERSION) throw malformed(path, `is not of version ${VERSION}`);
  if (isJsonObject(providers)) return { rest: { version: VERSION, ...rest }, providers };
  if (providers === undefined && isJsonObject(file["tokens"])) {
    return { rest: { version: VERSION }, providers: { [FLAT_PROFILE]: rest } };
  }
  throw malformed(path, "has no providers");
}

/** Strict first: one of two equal keys, or half a file, must not become the base of the next write. */
function parse(path: string, bytes: Uint8Array): unknown {
  if (bytes.byteLength === 0) throw malformed(path, "is empty");
  try {
    const value = parseJsonBytes(bytes, { maxBytes: MAX_AUTH_BYTES, integers: "any" });
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
    return mayLoseDigits(text) ? parseKeepingDigits(text) : value;
  } catch (cause) {
    if (!(cause instanceof StrictJsonError)) throw cause;
    throw malformed(path, `is no valid JSON: ${cause.message}`, cause);
  }
}

function unusable(path: string, reason: string): FermixError<"auth_file_unusable"> {
  return new FermixError("auth_file_unusable", { path, reason });
}

function malformed(path: string, reason: string, cause?: unknown): FermixError<"auth_file_malformed"> {
  return new FermixError("auth_file_malformed", { path, reason }, { cause });
}
