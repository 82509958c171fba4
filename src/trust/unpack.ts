/** Unpacks a verified archive into a fresh tree, or leaves nothing at all (INS-6, spec 2.2). */
import { chmodSync, closeSync, fchmodSync, fsync, mkdirSync, openSync, writeSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { flushFolder } from "../files/atomic-write.ts";
import { namedFailure } from "../files/fs-failure.ts";
import { FermixError } from "../kernel/error.ts";
import type { TreeFile, UnpackedTree, VerifiedArtifact } from "./proof.ts";
import { type FileSink, readArchive } from "./read-archive.ts";
import type { JudgedEntry } from "./tar-judge.ts";

const FOLDER_MODE = 0o755;
const FILE_MODE = 0o644;
const EXECUTABLE_MODE = 0o755;
/** Enough to let the disk order the writes of many small files. */
const FLUSHES_AT_ONCE = 32;

/**
 * Writes the archive's files below the new folder `into`, flushed to disk, folders 0755, files 0644 or 0755. The bytes
 * read are hashed again and must be the verified ones. Throws archive_unsafe, disk_full or home_unusable; then `into`
 * does not exist. `onProgress` counts files; the total is known at the end.
 */
export async function unpackVerified(
  verified: VerifiedArtifact,
  into: string,
  onProgress?: (done: number, total?: number) => void,
): Promise<UnpackedTree> {
  const { plugin, version, path, sha256 } = verified;
  const tree = new TreeWriter(into, onProgress);
  try {
    makeFolder(into);
  } catch (cause) {
    throw namedFailure(into, cause);
  }
  try {
    await readArchive({ path, sha256, plugin }, tree);
    if (!tree.files.some((file) => file.path === "plugin.json")) {
      throw new FermixError("archive_unsafe", { plugin, entry: undefined, rule: "no_manifest" });
    }
    await tree.flush();
  } catch (cause) {
    tree.abandon();
    await rm(into, { recursive: true, force: true });
    throw namedFailure(into, cause);
  }
  const files: readonly TreeFile[] = tree.files;
  const folders: readonly string[] = tree.folders;
  onProgress?.(files.length, files.length);
  return { plugin, version, artifact: verified, root: into, files, folders } as UnpackedTree;
}

/** Writes one entry after the other; the tree is fresh and holds no links, so no path in it leads out of it. */
class TreeWriter {
  readonly files: TreeFile[] = [];
  readonly folders: string[] = [];
  readonly #root: string;
  readonly #onProgress: ((done: number) => void) | undefined;
  #handle: number | undefined;

  constructor(root: string, onProgress: ((done: number) => void) | undefined) {
    this.#root = root;
    this.#onProgress = onProgress;
  }

  entry({ path, kind, bytes, executable, newFolders }: JudgedEntry): FileSink | undefined {
    for (const folder of newFolders) {
      makeFolder(join(this.#root, folder));
      this.folders.push(folder);
    }
    if (kind === "folder") return undefined;
    const mode = executable ? EXECUTABLE_MODE : FILE_MODE;
    const handle = openSync(join(this.#root, path), "wx", mode);
    this.#handle = handle;
    fchmodSync(handle, mode);
    return {
      write: (chunk) => {
        for (let at = 0; at < chunk.byteLength; ) at += writeSync(handle, chunk, at);
      },
      end: () => {
        this.abandon();
        this.files.push({ path, bytes, executable });
        this.#onProgress?.(this.files.length);
      },
    };
  }

  /** Closes the file that is being written, if any. */
  abandon(): void {
    if (this.#handle !== undefined) closeSync(this.#handle);
    this.#handle = undefined;
  }

  /** Every file, then every folder from the inside out: a name is only safe when what it names is. */
  async flush(): Promise<void> {
    for (let at = 0; at < this.files.length; at += FLUSHES_AT_ONCE) {
      await Promise.all(
        this.files.slice(at, at + FLUSHES_AT_ONCE).map(({ path }) => flushFile(join(this.#root, path))),
      );
    }
    for (const folder of this.folders.toReversed()) await flushFolder(join(this.#root, folder));
    await flushFolder(this.#root);
  }
}

/** The umask of whoever runs Fermix must not decide who can read a plugin or run its program: modes are set, not asked. */
function makeFolder(path: string): void {
  mkdirSync(path, { mode: FOLDER_MODE });
  chmodSync(path, FOLDER_MODE);
}

/** On a file opened again, so that no more than FLUSHES_AT_ONCE are ever open. */
function flushFile(path: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const handle = openSync(path, "r");
  fsync(handle, (error) => {
    closeSync(handle);
    if (error === null || error === undefined) resolve();
    else reject(error);
  });
  return promise;
}
