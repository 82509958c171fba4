/** Which texts may name a place in the vault: relative, visible, with nothing in them that could mean elsewhere. */
import { shown, ToolFailure } from "./failure.ts";

/** The agent chooses the path; no system takes a longer one. */
const MAX_PATH_BYTES = 1024;
/** What file systems allow for one name. */
const MAX_NAME_BYTES = 255;

/** Whether a file name is a note's. */
export function isNote(name: string): boolean {
  return /[^/]\.md$/i.test(name);
}

/** Whether a file or folder is hidden; `.obsidian` and `.trash` are among them. */
export function isHidden(name: string): boolean {
  return name.startsWith(".");
}

/** The parts of a folder path; the vault itself for "" and ".". Throws a ToolFailure that names the fault. */
export function folderSegments(path: string): readonly string[] {
  return path === "" || path === "." ? [] : segmentsOf(path.replace(/(?<=[^/])\/$/, ""));
}

/** The parts of a note's path, which must end in .md. Throws a ToolFailure that names the fault. */
export function noteSegments(path: string): { folders: readonly string[]; name: string } {
  const segments = segmentsOf(path);
  const name = segments.at(-1) ?? "";
  if (!isNote(name)) throw new ToolFailure(`${shown(path)} is not a note: its path must end in .md.`);
  return { folders: segments.slice(0, -1), name };
}

function segmentsOf(path: string): readonly string[] {
  const fault = faultOf(path);
  if (fault === undefined) return path.split("/");
  throw new ToolFailure(`The path ${shown(path)} ${fault}. Give a path in the vault, such as "Folder/Note.md".`);
}

function faultOf(path: string): string | undefined {
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return `has more than ${MAX_PATH_BYTES} bytes`;
  if (/[\0-\x1f\x7f]/.test(path)) return "has a control character";
  if (!path.isWellFormed()) return "is not valid Unicode";
  if (path.includes("\\")) return 'has a backslash (folders are separated by "/")';
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path)) return "is absolute";
  const segments = path.split("/");
  if (segments.includes("..") || segments.includes(".")) return 'has a "." or ".." part';
  if (segments.includes("")) return "has an empty part";
  if (segments.some((name) => Buffer.byteLength(name) > MAX_NAME_BYTES)) {
    return `has a part with more than ${MAX_NAME_BYTES} bytes`;
  }
  return segments.some(isHidden) ? "names a hidden file or folder" : undefined;
}
