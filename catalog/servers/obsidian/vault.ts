/** From a path somebody chose to an open file that is surely inside the vault. */
import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readdir, realpath, stat, unlink } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { env, platform } from "node:process";
import { isErrno, shown, ToolFailure } from "./failure.ts";
import { isHidden, noteSegments } from "./paths.ts";

/** Paths are resolved before they are opened, so a link met here was put there meanwhile; a FIFO is never waited for. */
export const SAFE_FLAGS = constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The real path of the vault that OBSIDIAN_VAULT_PATH names; `~/` is the user's home. */
export async function vaultRoot(): Promise<string> {
  const set = (env["OBSIDIAN_VAULT_PATH"] ?? "").trim();
  const fix = "Set it with: fermix plugins config set obsidian OBSIDIAN_VAULT_PATH /full/path/of/the/vault";
  if (set === "") throw new ToolFailure(`No vault is set. ${fix}`);
  const path = set === "~" || set.startsWith("~/") ? join(homedir(), set.slice(1)) : set;
  if (!isAbsolute(path)) throw new ToolFailure(`The vault path ${shown(set)} is not a full path. ${fix}`);
  const root = await orUndefined(realpath(path), "ENOENT", "ENOTDIR", "EACCES");
  if (root !== undefined && (await stat(root)).isDirectory()) return root;
  throw new ToolFailure(`There is no vault folder at ${shown(set)}. ${fix}`);
}

/** The real place of a path that exists. A link may lead to another visible place in the vault, never out of it. */
export async function realInside(root: string, path: string): Promise<string> {
  const real = await realpath(path);
  const inside = real === root || real.startsWith(root.endsWith(sep) ? root : root + sep);
  if (inside && !relative(root, real).split(sep).some(isHidden)) return real;
  throw new ToolFailure("That path leads through a link to a place outside the vault, which is not allowed.");
}

/** The name on disk: the same, or the same in another Unicode form (some systems write é as two characters). */
async function nameOnDisk(folder: string, name: string): Promise<string | undefined> {
  if ((await orUndefined(lstat(join(folder, name)), "ENOENT", "ENOTDIR", "ENAMETOOLONG")) !== undefined) return name;
  const wanted = name.normalize("NFC");
  const entries = await orUndefined(readdir(folder), "ENOENT", "ENOTDIR");
  return entries?.find((entry) => entry.normalize("NFC") === wanted);
}

/**
 * Runs `use` with a prefix for names in this real folder. On Linux the prefix is the open descriptor, so it stays this
 * folder whatever is renamed or linked meanwhile; elsewhere it is the path, checked just before.
 */
export async function inFolder<T>(root: string, folder: string, use: (prefix: string) => Promise<T>): Promise<T> {
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | SAFE_FLAGS);
  try {
    if (platform !== "linux") return await use(await realInside(root, folder));
    const prefix = `/proc/self/fd/${handle.fd}`;
    await realInside(root, prefix);
    return await use(prefix);
  } finally {
    await handle.close();
  }
}

/** The real folder at these segments, undefined when there is none; with `create` missing ones are made on the way. */
export async function folderAt(
  root: string,
  segments: readonly string[],
  { create }: { create: boolean },
): Promise<string | undefined> {
  let folder = root;
  for (const segment of segments) {
    let name = await nameOnDisk(folder, segment);
    if (name === undefined) {
      if (!create) return undefined;
      name = segment;
      await orUndefined(
        inFolder(root, folder, (prefix) => mkdir(join(prefix, segment))),
        "EEXIST",
      );
    }
    const real = await orUndefined(realInside(root, join(folder, name)), "ENOENT");
    if (real === undefined && !create) return undefined;
    if (real === undefined) throw new ToolFailure(`${shown(segment)} is a link that leads nowhere.`);
    if (!(await stat(real)).isDirectory()) throw new ToolFailure(`${shown(segments.join("/"))} is not a folder.`);
    folder = real;
  }
  return folder;
}

/** Opens a note that exists and hands it to `use` with its size in bytes. */
export async function withNote<T>(
  root: string,
  path: string,
  flags: number,
  use: (note: FileHandle, size: number) => Promise<T>,
): Promise<T> {
  const real = await noteAt(root, path);
  return inFolder(root, dirname(real), (prefix) => withNoteIn(prefix, basename(real), flags, use));
}

/** The same for a name in a folder that `inFolder` opened. */
async function withNoteIn<T>(
  prefix: string,
  name: string,
  flags: number,
  use: (note: FileHandle, size: number) => Promise<T>,
): Promise<T> {
  const special = `${shown(name)} is not a note but a folder or special file.`;
  // A socket cannot even be opened.
  const handle = await orUndefined(open(join(prefix, name), flags | SAFE_FLAGS), "ENXIO");
  if (handle === undefined) throw new ToolFailure(special);
  try {
    const info = await handle.stat();
    if (!info.isFile()) throw new ToolFailure(special);
    return await use(handle, info.size);
  } finally {
    await handle.close();
  }
}

async function noteAt(root: string, path: string): Promise<string> {
  const { folders, name } = noteSegments(path);
  const folder = await folderAt(root, folders, { create: false });
  const found = folder === undefined ? undefined : await nameOnDisk(folder, name);
  const real = await orUndefined(realInside(root, join(folder ?? root, found ?? name)), "ENOENT", "ENAMETOOLONG");
  if (found !== undefined && real !== undefined) return real;
  throw new ToolFailure(`There is no note at ${shown(path)}. Search for it, or list its folder.`);
}

/** Makes a note that does not exist yet, folders included, and hands it to `fill`; a failed fill leaves no note. */
export async function makeNote(root: string, path: string, fill: (note: FileHandle) => Promise<void>): Promise<void> {
  const { folders, name } = noteSegments(path);
  const taken = `${shown(path)} exists already. Append to it, or choose another name.`;
  const folder = (await folderAt(root, folders, { create: true })) ?? root;
  if ((await nameOnDisk(folder, name)) !== undefined) throw new ToolFailure(taken);
  await inFolder(root, folder, async (prefix) => {
    const file = join(prefix, name);
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | SAFE_FLAGS;
    const handle = await orUndefined(open(file, flags, 0o644), "EEXIST");
    if (handle === undefined) throw new ToolFailure(taken);
    try {
      await fill(handle);
    } catch (error) {
      await unlink(file);
      throw error;
    } finally {
      await handle.close();
    }
  });
}

/** The result, or undefined when it failed with one of these system errors. */
export async function orUndefined<T>(work: Promise<T>, ...names: readonly string[]): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isErrno(error, ...names)) return undefined;
    throw error;
  }
}
