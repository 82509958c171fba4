/** Writes the entries of an archive below one fresh folder, with exact modes, flushed to disk. */
import {
  chmodSync,
  closeSync,
  fchmodSync,
  fstatSync,
  fsync,
  fsyncSync,
  mkdirSync,
  openSync,
  statfsSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { flushFolder } from "../files/atomic-write.ts";
import type { TreeFile } from "./proof.ts";
import type { FileSink } from "./read-archive.ts";
import type { JudgedEntry } from "./tar-judge.ts";

const FOLDER_MODE = 0o755;
const FILE_MODE = 0o644;
const EXECUTABLE_MODE = 0o755;
const MODE_BITS = 0o7777;
/** File systems in memory, tmpfs and ramfs (Linux, statfs(2)): there is no disk that a flush could reach. */
const MEMORY_DISKS: ReadonlySet<number> = new Set([0x01021994, 0x858458f6]);
/** Files kept open while their bytes go to disk: enough for it to order many small writes, few enough for any ulimit. */
const MAX_FLUSHING = 64;

/** The tree is fresh and holds no links, so no path in it leads out of it. */
export class TreeWriter {
  readonly files: TreeFile[] = [];
  readonly folders: string[] = [];
  readonly #root: string;
  readonly #onProgress: ((done: number) => void) | undefined;
  readonly #inMemory: boolean;
  /** Modes that a new file of this tree has as asked, whatever the umask or an inherited access list does to others. */
  readonly #modesKept = new Set<number>();
  readonly #flushing = new Set<Promise<void>>();
  #failure: Error | undefined;
  #handle: number | undefined;

  /** Makes the folder `root`, which must not exist. */
  constructor(root: string, onProgress: ((done: number) => void) | undefined) {
    this.#root = root;
    this.#onProgress = onProgress;
    makeFolder(root);
    this.#inMemory = MEMORY_DISKS.has(statfsSync(root).type);
  }

  entry({ path, kind, bytes, executable, newFolders }: JudgedEntry): FileSink | undefined {
    for (const folder of newFolders) {
      makeFolder(join(this.#root, folder));
      this.folders.push(folder);
    }
    if (kind === "folder") return undefined;
    const mode = executable ? EXECUTABLE_MODE : FILE_MODE;
    // The path was judged segment by segment, so there is nothing for path.join to tidy.
    const handle = openSync(`${this.#root}/${path}`, "wx", mode);
    this.#handle = handle;
    this.#setMode(handle, mode);
    return {
      write: (chunk) => {
        for (let at = 0; at < chunk.byteLength; ) at += writeSync(handle, chunk, at);
      },
      end: () => {
        this.#handle = undefined;
        this.#flushFile(handle);
        this.files.push({ path, bytes, executable });
        this.#onProgress?.(this.files.length);
      },
    };
  }

  /** Waits until every file, then every folder from the inside out, is on disk: a name is only safe when its content is. */
  async flush(): Promise<void> {
    await this.settle();
    if (this.#failure !== undefined) throw this.#failure;
    for (const folder of this.folders.toReversed()) await flushFolder(join(this.#root, folder));
    await flushFolder(this.#root);
  }

  /** Closes all that is open; nothing is written afterwards. */
  async settle(): Promise<void> {
    if (this.#handle !== undefined) closeSync(this.#handle);
    this.#handle = undefined;
    await Promise.all(this.#flushing);
  }

  #setMode(handle: number, mode: number): void {
    if (this.#modesKept.has(mode)) return;
    if ((fstatSync(handle).mode & MODE_BITS) === mode) this.#modesKept.add(mode);
    else fchmodSync(handle, mode);
  }

  /** Beside the unpacking of the next files, as long as not too many are open. */
  #flushFile(handle: number): void {
    if (this.#inMemory) {
      closeSync(handle);
      return;
    }
    if (this.#flushing.size >= MAX_FLUSHING) {
      try {
        fsyncSync(handle);
      } finally {
        closeSync(handle);
      }
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#flushing.add(promise);
    fsync(handle, (error) => {
      closeSync(handle);
      if (error instanceof Error) this.#failure ??= error;
      this.#flushing.delete(promise);
      resolve();
    });
  }
}

/** The umask of whoever runs Fermix must not decide who can read a plugin or run its program: modes are set, not asked. */
function makeFolder(path: string): void {
  mkdirSync(path, { mode: FOLDER_MODE });
  chmodSync(path, FOLDER_MODE);
}
