/** Judges the raw blocks of a tar archive before any reader interprets them: strict where readers are lenient (INS-6, spec 2.2). */
import type { ArchiveRule } from "../kernel/codes/trust.ts";
import { judgeEntryName, PathRegistry } from "./entry-name.ts";
import { judgePax } from "./pax.ts";
import { BLOCK, type Header, isZero, readHeader } from "./tar-header.ts";

/** The archive's author chooses every size, so the ceiling counts bytes as they come (spec 2.2). */
export const MAX_UNPACKED_BYTES = 104_857_600;
/** As many files as a provenance snapshot may have (spec 2.2), folders counted too. */
export const MAX_ENTRIES = 4096;
/** A name of the longest path and some metadata; the archive's author controls the length. */
const MAX_EXTENSION_BYTES = 16_384;
/** Zero blocks behind the end: tar programs fill up to 10 KiB, a larger blocking factor to some hundred. */
const MAX_PADDING_BYTES = 1_048_576;
/** The end of an archive is two zero blocks (POSIX pax, ustar interchange format). */
const END_BLOCKS = 2;

export interface JudgedEntry {
  /** Relative path; empty for the root folder itself. */
  readonly path: string;
  readonly kind: "file" | "folder";
  readonly bytes: number;
  readonly executable: boolean;
  /** Folders to make first, outermost first; for a folder, itself included. */
  readonly newFolders: readonly string[];
  /** The name as the tar library must have read it, so that both agree on what the entry is. */
  readonly spelling: string;
}

/** A rule that was broken, and by which entry (as text, when there is one). */
export class ArchiveRefused extends Error {
  readonly rule: ArchiveRule;
  readonly entry: string | undefined;

  constructor(rule: ArchiveRule, entry?: string, options?: { cause?: unknown }) {
    super(rule, options);
    this.rule = rule;
    this.entry = entry;
  }
}

interface Extension {
  readonly kind: "pax" | "global" | "name";
  readonly bytes: Uint8Array;
  filled: number;
}

/** Fed with the unpacked bytes in order; every method throws ArchiveRefused. */
export class TarJudge {
  /** Entries whose header was accepted, in order, for whoever writes them. */
  readonly accepted: JudgedEntry[] = [];
  readonly #paths = new PathRegistry();
  readonly #block = new Uint8Array(BLOCK);
  #filled = 0;
  #skip = 0;
  #unpacked = 0;
  #zeroBytes = 0;
  #seenGlobal = false;
  #extension: Extension | undefined;
  #longName: Uint8Array | undefined;
  #paxName: Uint8Array | undefined;
  #pending = false;

  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.byteLength; ) {
      if (this.#zeroBytes > 0) at += this.#judgePadding(chunk.subarray(at));
      else if (this.#extension !== undefined) at += this.#collect(this.#extension, chunk.subarray(at));
      else if (this.#skip > 0) {
        const step = Math.min(this.#skip, chunk.byteLength - at);
        this.#skip -= step;
        at += step;
      } else at += this.#fillBlock(chunk.subarray(at));
    }
  }

  /** The archive is over. */
  end(): void {
    if (this.#zeroBytes < END_BLOCKS * BLOCK || this.#zeroBytes % BLOCK !== 0) throw new ArchiveRefused("truncated");
  }

  #fillBlock(bytes: Uint8Array): number {
    const step = Math.min(BLOCK - this.#filled, bytes.byteLength);
    this.#block.set(bytes.subarray(0, step), this.#filled);
    this.#filled += step;
    if (this.#filled < BLOCK) return step;
    this.#filled = 0;
    if (isZero(this.#block)) {
      if (this.#pending) throw new ArchiveRefused("bad_extension");
      this.#zeroBytes = BLOCK;
    } else this.#judgeHeader(readHeader(this.#block));
    return step;
  }

  #judgePadding(bytes: Uint8Array): number {
    if (!isZero(bytes)) throw new ArchiveRefused("trailing");
    this.#zeroBytes += bytes.byteLength;
    if (this.#zeroBytes > MAX_PADDING_BYTES) throw new ArchiveRefused("trailing");
    return bytes.byteLength;
  }

  #judgeHeader(header: Header): void {
    const { kind } = header;
    if (kind === "not_tar") throw new ArchiveRefused("not_tar");
    if (kind === "pax" || kind === "global" || kind === "name") {
      this.#startExtension(kind, header.size);
      return;
    }
    const shown = Buffer.from(this.#paxName ?? this.#longName ?? header.name).toString("utf8");
    if (kind !== "file" && kind !== "folder") throw new ArchiveRefused(kind, shown);
    if (header.size === undefined || header.mode === undefined) throw new ArchiveRefused("not_tar", shown);
    if ((header.mode & 0o7000) !== 0) throw new ArchiveRefused("special_mode", shown);
    if (kind === "folder" && header.size !== 0) throw new ArchiveRefused("unknown_kind", shown);
    this.#accept(header, kind, header.size, header.mode, shown);
  }

  #accept(header: Header, kind: "file" | "folder", size: number, mode: number, shown: string): void {
    const raw = this.#paxName ?? this.#longName ?? header.name;
    const spelling = Buffer.from(raw).toString(this.#paxName === undefined ? "latin1" : "utf8");
    const verdict = judgeEntryName(raw, kind);
    if (!verdict.ok) throw new ArchiveRefused(verdict.rule, shown);
    const added = this.#paths.add(verdict.path, kind);
    if ("rule" in added) throw new ArchiveRefused(added.rule, shown);
    if (this.#paths.size > MAX_ENTRIES) throw new ArchiveRefused("too_many");
    this.#unpacked += size;
    if (this.#unpacked > MAX_UNPACKED_BYTES) throw new ArchiveRefused("too_large");
    const executable = (mode & 0o111) !== 0;
    const { newFolders } = added;
    this.accepted.push({ path: verdict.path, kind, bytes: size, executable, newFolders, spelling });
    this.#skip = padded(size);
    this.#paxName = undefined;
    this.#longName = undefined;
    this.#pending = false;
  }

  /** One of each kind before an entry, one global one before the first: more only serve to hide something. */
  #startExtension(kind: Extension["kind"], size: number | undefined): void {
    const again = kind === "pax" ? this.#paxName : kind === "name" ? this.#longName : undefined;
    const late = kind === "global" && (this.#seenGlobal || this.#pending || this.accepted.length > 0);
    if (size === undefined || size === 0 || size > MAX_EXTENSION_BYTES || again !== undefined || late) {
      throw new ArchiveRefused("bad_extension");
    }
    if (kind === "global") this.#seenGlobal = true;
    else this.#pending = true;
    this.#extension = { kind, bytes: new Uint8Array(size), filled: 0 };
  }

  #collect(extension: Extension, bytes: Uint8Array): number {
    const step = Math.min(extension.bytes.byteLength - extension.filled, bytes.byteLength);
    extension.bytes.set(bytes.subarray(0, step), extension.filled);
    extension.filled += step;
    if (extension.filled === extension.bytes.byteLength) this.#endExtension(extension.kind, extension.bytes);
    return step;
  }

  #endExtension(kind: Extension["kind"], content: Uint8Array): void {
    this.#extension = undefined;
    this.#skip = padded(content.byteLength) - content.byteLength;
    if (kind === "name") {
      const end = content.indexOf(0);
      this.#longName = end === -1 ? content : content.subarray(0, end);
      return;
    }
    const pax = judgePax(content);
    if (!pax.ok) throw new ArchiveRefused(pax.rule);
    if (kind === "pax") this.#paxName = pax.path;
    else if (pax.path !== undefined) throw new ArchiveRefused("bad_extension");
  }
}

function padded(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK;
}
