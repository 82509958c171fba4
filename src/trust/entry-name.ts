/** Which names an archive's entries may have, so that every system reads them as the same path inside the tree (INS-6). */
import type { ArchiveRule } from "../kernel/codes/trust.ts";

/** The archive's author chooses names; paths of real plugins are far shorter, and macOS ends at 1024 with the store's own path. */
const MAX_PATH_BYTES = 512;
const MAX_COMPONENT_BYTES = 255;
const MAX_DEPTH = 32;

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
/** Controls, what reorders text, and what other systems take for a separator, a drive or a stream. */
const BAD_CHARACTER = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\\:]/u;

export type NameVerdict =
  | {
      readonly ok: true /** Relative, without `./` or a trailing slash; empty for the root itself. */;
      readonly path: string;
    }
  | { readonly ok: false; readonly rule: ArchiveRule };

/** Judges the name of an entry from its raw bytes. `./` before a path and one slash behind a folder's are accepted. */
export function judgeEntryName(raw: Uint8Array, kind: "file" | "folder"): NameVerdict {
  const name = decode(raw);
  if (name === undefined) return { ok: false, rule: "encoding" };
  if (name === "") return { ok: false, rule: "empty_name" };
  if (BAD_CHARACTER.test(name)) return { ok: false, rule: "bad_character" };
  if (name.startsWith("/")) return { ok: false, rule: "absolute" };
  if (kind === "file" && name.endsWith("/")) return { ok: false, rule: "file_named_like_folder" };
  const path = name.replace(/^\.\//, "").replace(/\/$/, "");
  if (path === "" || path === ".")
    return kind === "folder" ? { ok: true, path: "" } : { ok: false, rule: "bad_component" };
  const components = path.split("/");
  if (components.includes("..")) return { ok: false, rule: "traversal" };
  if (components.some((part) => part === "" || /^\.$|[. ]$/.test(part))) return { ok: false, rule: "bad_component" };
  const tooLong =
    raw.byteLength > MAX_PATH_BYTES ||
    components.length > MAX_DEPTH ||
    components.some((part) => Buffer.byteLength(part) > MAX_COMPONENT_BYTES);
  return tooLong ? { ok: false, rule: "too_long" } : { ok: true, path };
}

function decode(raw: Uint8Array): string | undefined {
  try {
    return UTF8.decode(raw);
  } catch (cause) {
    if (cause instanceof TypeError) return undefined;
    throw cause;
  }
}

/** The paths of one tree; refuses two that a file system without case, or with its own composition, takes for one. */
export class PathRegistry {
  readonly #known = new Map<string, { path: string; kind: "file" | "folder"; explicit: boolean }>();

  /** How many files and folders there are, folders that are only implied by a path included. */
  get size(): number {
    return this.#known.size;
  }

  /** Adds a path; returns the rule it breaks, or the folders above it that are new, outermost first. */
  add(path: string, kind: "file" | "folder"): { rule: ArchiveRule } | { newFolders: readonly string[] } {
    const newFolders: string[] = [];
    for (let slash = path.indexOf("/"); slash !== -1; slash = path.indexOf("/", slash + 1)) {
      const folder = path.slice(0, slash);
      const known = this.#known.get(fold(folder));
      if (known === undefined) {
        this.#known.set(fold(folder), { path: folder, kind: "folder", explicit: false });
        newFolders.push(folder);
      } else if (known.path !== folder) return { rule: "case_collision" };
      else if (known.kind === "file") return { rule: "kind_conflict" };
    }
    const known = this.#known.get(fold(path));
    if (known === undefined) this.#known.set(fold(path), { path, kind, explicit: true });
    else if (known.path !== path) return { rule: "case_collision" };
    else if (known.kind !== kind) return { rule: "kind_conflict" };
    else if (known.explicit) return { rule: "duplicate" };
    else known.explicit = true;
    if (kind === "folder" && known === undefined && path !== "") newFolders.push(path);
    return { newFolders };
  }
}

/** One key for all spellings that some file system takes for the same name. */
function fold(path: string): string {
  return path.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFC");
}
