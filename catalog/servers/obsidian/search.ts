/** Searching a vault of any size: note by note, so memory stays flat and a cancelled search stops. */
import { constants } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { ToolFailure } from "./failure.ts";
import { readStart } from "./notes.ts";
import { isHidden, isNote } from "./paths.ts";
import { orUndefined, vaultRoot, withNote } from "./vault.ts";

/** The vault's owner chooses how many and how long notes are. */
const MAX_NOTES_WALKED = 100_000;
const MAX_SEARCHED_BYTES = 4 * 1024 * 1024;
const SNIPPET_BEFORE = 60;
const SNIPPET_CHARS = 240;

interface Hit {
  readonly path: string;
  /** Line of the first word that occurs; absent when only the path matched. */
  readonly line?: number;
  readonly snippet: string;
}

/**
 * Notes in whose path and text every word occurs, whatever the case or Unicode form, as JSON. Notes whose path matches
 * come first, the rest by path; `more` says that the limit ended the search.
 */
export async function searchNotes(query: string, limit: number, signal: AbortSignal): Promise<string> {
  const words = fold(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) throw new ToolFailure("The query is empty. Give one or more words to look for.");
  const root = await vaultRoot();
  const { named, others, cut } = await sortedByName(root, words, signal);
  const notes: Hit[] = [];
  let more = false;
  for (const [at, path] of [...named, ...others].entries()) {
    signal.throwIfAborted();
    const text = await startOf(root, path);
    if (at >= named.length && !hasAll(`${path}\n${text}`, words)) continue;
    more = notes.length === limit;
    if (more) break;
    notes.push({ path: path.normalize("NFC"), ...snippetOf(text, words) });
  }
  return JSON.stringify(
    { notes, more, ...(cut ? { cut: `only ${MAX_NOTES_WALKED} notes were searched` } : {}) },
    null,
    1,
  );
}

function fold(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

function hasAll(text: string, words: readonly string[]): boolean {
  const folded = fold(text);
  return words.every((word) => folded.includes(word));
}

async function sortedByName(root: string, words: readonly string[], signal: AbortSignal) {
  const named: string[] = [];
  const others: string[] = [];
  for await (const path of notesBelow(root, root, signal)) {
    if (named.length + others.length === MAX_NOTES_WALKED) return { named, others, cut: true };
    (hasAll(path, words) ? named : others).push(path);
  }
  return { named, others, cut: false };
}

/** Every note below a folder; links and hidden names are left out. */
async function* notesBelow(root: string, folder: string, signal: AbortSignal): AsyncGenerator<string> {
  signal.throwIfAborted();
  // A folder that was replaced by a link since its name was read is not entered.
  if ((await orUndefined(realpath(folder), "ENOENT", "EACCES")) !== folder) return;
  const entries = (await orUndefined(readdir(folder, { withFileTypes: true }), "ENOENT", "EACCES", "ENOTDIR")) ?? [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (isHidden(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* notesBelow(root, path, signal);
    else if (entry.isFile() && isNote(entry.name)) yield relative(root, path).split(sep).join("/");
  }
}

/** The start of a note; empty for one that can't be opened (gone, unreadable, or named in a way no path can say). */
async function startOf(root: string, path: string): Promise<string> {
  try {
    return await withNote(root, path, constants.O_RDONLY, (note, size) => readStart(note, size, MAX_SEARCHED_BYTES));
  } catch {
    return "";
  }
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
