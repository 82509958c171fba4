/** Reading, creating and appending to notes, and listing a folder. */
import { constants } from "node:fs";
import { type FileHandle, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { shown, ToolFailure } from "./failure.ts";
import { folderSegments, isHidden, isNote } from "./paths.ts";
import { folderAt, makeNote, orUndefined, realInside, vaultRoot, withNote } from "./vault.ts";

/** The agent chooses what it writes. */
const MAX_WRITE_BYTES = 5 * 1024 * 1024;
/** The vault's owner chooses how long a note is; an agent can't use more than this at once. */
const MAX_READ_BYTES = 1024 * 1024;
const MAX_LISTED = 1000;

/** The note's text; a longer one is cut, and says so. */
export async function readNote(path: string): Promise<string> {
  return withNote(await vaultRoot(), path, constants.O_RDONLY, async (note, size) => {
    const text = await readStart(note, size, MAX_READ_BYTES);
    if (size <= MAX_READ_BYTES) return text;
    return `${text}\n\n[cut: the note has ${size} bytes, the first ${MAX_READ_BYTES} are shown]`;
  });
}

/** Text of a note's first bytes, without the character that a limit cut in two. */
export function decodeStart(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true });
}

async function readStart(note: FileHandle, size: number, limit: number): Promise<string> {
  const buffer = Buffer.alloc(Math.min(size, limit));
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await note.read(buffer, filled, buffer.length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return decodeStart(buffer.subarray(0, filled));
}

/** Creates a note; never overwrites one. */
export async function createNote(path: string, content: string): Promise<string> {
  assertWritable(content);
  await makeNote(await vaultRoot(), path, (note) => note.writeFile(content));
  return `Created ${path}`;
}

/** Adds to a note, on a line of its own. When the disk refuses half-way the note is as before. */
export async function appendNote(path: string, content: string): Promise<string> {
  assertWritable(content);
  const flags = constants.O_RDWR | constants.O_APPEND;
  return withNote(await vaultRoot(), path, flags, async (note, size) => {
    const last = Buffer.alloc(1);
    if (size > 0) await note.read(last, 0, 1, size - 1);
    const startsLine = size === 0 || last.toString("latin1") === "\n";
    try {
      await note.writeFile(startsLine ? content : `\n${content}`);
    } catch (error) {
      await note.truncate(size);
      throw error;
    }
    return `Appended to ${path}`;
  });
}

function assertWritable(content: string): void {
  const bytes = Buffer.byteLength(content);
  if (bytes <= MAX_WRITE_BYTES) return;
  throw new ToolFailure(`The content has ${bytes} bytes; ${MAX_WRITE_BYTES} is the most. Write it in parts.`);
}

/** The visible folders, notes and other files of a folder, as JSON; links that leave the vault are left out. */
export async function listFolder(path: string): Promise<string> {
  const root = await vaultRoot();
  const folder = await folderAt(root, folderSegments(path), { create: false });
  if (folder === undefined) {
    throw new ToolFailure(`There is no folder ${shown(path)} in the vault. List the folder above it.`);
  }
  const entries = (await readdir(folder)).filter((name) => !isHidden(name)).sort();
  const listing = { folders: [] as string[], notes: [] as string[], other_files: [] as string[] };
  for (const name of entries.slice(0, MAX_LISTED)) {
    const kind = await kindOf(root, join(folder, name), name);
    if (kind !== undefined) listing[kind].push(name.normalize("NFC"));
  }
  const cut =
    entries.length > MAX_LISTED ? { cut: `${entries.length} entries; the first ${MAX_LISTED} are shown` } : {};
  return JSON.stringify({ ...listing, ...cut }, null, 1);
}

async function kindOf(
  root: string,
  path: string,
  name: string,
): Promise<"folders" | "notes" | "other_files" | undefined> {
  try {
    const info = await orUndefined(stat(await realInside(root, path)), "ENOENT", "EACCES");
    if (info?.isDirectory()) return "folders";
    if (info?.isFile()) return isNote(name) ? "notes" : "other_files";
    return undefined;
  } catch {
    // Dangling, circular or leading out: nothing that a tool could open.
    return undefined;
  }
}
