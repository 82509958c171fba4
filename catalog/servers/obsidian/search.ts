/** Searching a vault of any size: note by note, so memory stays flat and a cancelled search stops. */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { isErrno, ToolFailure } from "./failure.ts";
import { decodeStart } from "./notes.ts";
import { isHidden, isNote } from "./paths.ts";
import { inFolder, orUndefined, SAFE_FLAGS, vaultRoot } from "./vault.ts";

/** The vault's owner chooses how many and how long notes are. */
const MAX_NOTES_WALKED = 100_000;
const MAX_SEARCHED_BYTES = 4 * 1024 * 1024;
/** How long the search may keep other calls, and its own cancellation, waiting. */
const UNINTERRUPTED_MS = 20;
const SNIPPET_BEFORE = 60;
const SNIPPET_CHARS = 240;

interface Hit {
  readonly path: string;
  /** Line of the first word that occurs; absent when only the path matched. */
  readonly line?: number;
  readonly snippet: string;
}

interface Folder {
  /** Its real path. */
  readonly real: string;
  /** Its path in the vault, with a final "/" unless it is the vault itself. */
  readonly path: string;
  /** The notes in it, by name. */
  readonly names: readonly string[];
}

/**
 * Notes in whose path and text every word occurs, whatever the case or Unicode form, as JSON. Notes whose path matches
 * come first, the rest folder by folder; `more` says that the limit ended the search.
 */
export async function searchNotes(query: string, limit: number, signal: AbortSignal): Promise<string> {
  const words = fold(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) throw new ToolFailure("The query is empty. Give one or more words to look for.");
  const root = await vaultRoot();
  const folders: Folder[] = [];
  let walked = 0;
  for await (const folder of foldersBelow(root, root, signal)) {
    folders.push(folder);
    walked += folder.names.length;
    if (walked > MAX_NOTES_WALKED) break;
  }
  const named = (path: string): boolean => hasAll(path, words);
  const hits: Hit[] = [];
  for (const pass of [named, (path: string): boolean => !named(path)]) {
    for (const folder of folders) {
      const names = folder.names.filter((name) => pass(folder.path + name));
      if (names.length === 0 || hits.length > limit) continue;
      await searchFolder(root, { ...folder, names }, words, limit + 1, hits, signal);
    }
  }
  const cut = walked > MAX_NOTES_WALKED ? { cut: `only the first ${walked} notes were searched` } : {};
  return JSON.stringify({ notes: hits.slice(0, limit), more: hits.length > limit, ...cut }, null, 1);
}

function fold(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

function hasAll(text: string, words: readonly string[]): boolean {
  const folded = fold(text);
  return words.every((word) => folded.includes(word));
}

/** Every visible folder with its notes; links are left out. */
async function* foldersBelow(root: string, real: string, signal: AbortSignal): AsyncGenerator<Folder> {
  signal.throwIfAborted();
  // A folder that was replaced by a link since its name was read is not entered.
  if ((await orUndefined(realpath(real), "ENOENT", "EACCES")) !== real) return;
  const entries = (await orUndefined(readdir(real, { withFileTypes: true }), "ENOENT", "EACCES", "ENOTDIR")) ?? [];
  const visible = entries.filter(({ name }) => !isHidden(name)).sort((a, b) => (a.name < b.name ? -1 : 1));
  const inside = relative(root, real).split(sep).join("/");
  const names = visible.filter((entry) => entry.isFile() && isNote(entry.name)).map(({ name }) => name);
  yield { real, path: inside === "" ? "" : `${inside}/`, names };
  for (const entry of visible) if (entry.isDirectory()) yield* foldersBelow(root, join(real, entry.name), signal);
}

/** Adds the folder's notes that match to `hits`, until there are `enough`. */
async function searchFolder(
  root: string,
  { real, path, names }: Folder,
  words: readonly string[],
  enough: number,
  hits: Hit[],
  signal: AbortSignal,
): Promise<void> {
  // A folder that is gone or was replaced by a link meanwhile holds nothing to find.
  const search = inFolder(root, real, async (prefix) => {
    let rested = Date.now();
    for (const name of names) {
      if (hits.length === enough) return;
      if (Date.now() - rested > UNINTERRUPTED_MS) {
        await nextTurn();
        rested = Date.now();
      }
      signal.throwIfAborted();
      const text = startOf(prefix, name);
      if (!hasAll(`${path}${name}\n${text}`, words)) continue;
      hits.push({ path: (path + name).normalize("NFC"), ...snippetOf(text, words) });
    }
  });
  await orUndefined(search, "ENOENT", "ENOTDIR", "ELOOP", "EACCES");
}

/**
 * The start of a note; empty for one that is gone, replaced by a link, or unreadable. Read without a detour through the
 * thread pool, which takes ten times as long for a note of usual size.
 */
function startOf(prefix: string, name: string): string {
  let file: number | undefined;
  try {
    file = openSync(join(prefix, name), constants.O_RDONLY | SAFE_FLAGS);
    const info = fstatSync(file);
    return info.isFile() ? decodeStart(readUpTo(file, Math.min(info.size, MAX_SEARCHED_BYTES))) : "";
  } catch (error) {
    if (isErrno(error, "ENOENT", "ELOOP", "EACCES", "EPERM", "EIO", "ENXIO")) return "";
    throw error;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function readUpTo(file: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const bytes = readSync(file, buffer, filled, length - filled, filled);
    if (bytes === 0) break;
    filled += bytes;
  }
  return buffer.subarray(0, filled);
}

function snippetOf(original: string, words: readonly string[]): { line?: number; snippet: string } {
  const folded = fold(original);
  const composed = original.normalize("NFC");
  // Lower case can change the length (İ); then the folded text is what positions fit.
  const text = composed.length === folded.length ? composed : folded;
  const hits = words.map((word) => folded.indexOf(word)).filter((at) => at >= 0);
  const at = hits.length === 0 ? 0 : Math.min(...hits);
  const from = Math.max(0, at - SNIPPET_BEFORE);
  const snippet = text
    .slice(from, from + SNIPPET_CHARS)
    .toWellFormed()
    .replace(/\s+/g, " ")
    .trim();
  return hits.length === 0 ? { snippet } : { line: text.slice(0, at).split("\n").length, snippet };
}
