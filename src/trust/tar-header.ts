/** Reads one 512-byte tar header as strictly as POSIX and GNU tar write it. */

/** Bytes of a block; everything in a tar archive is a whole number of them. */
export const BLOCK = 512;

/** What an entry's type flag makes of it; the refused kinds are named like the rules they break. */
type HeaderKind =
  | "file"
  | "folder"
  | "pax"
  | "global"
  | "name"
  | "link"
  | "device"
  | "sparse"
  | "unknown_kind"
  | "not_tar";

export interface Header {
  readonly kind: HeaderKind;
  /** Raw bytes, the ustar prefix included. */
  readonly name: Uint8Array;
  /** undefined when the field is not an octal number. */
  readonly size: number | undefined;
  readonly mode: number | undefined;
}

const KINDS: Readonly<Record<string, HeaderKind>> = {
  "\0": "file",
  "0": "file",
  "1": "link",
  "2": "link",
  "3": "device",
  "4": "device",
  "5": "folder",
  "6": "device",
  K: "link",
  L: "name",
  S: "sparse",
  g: "global",
  x: "pax",
};

const POSIX_MAGIC = "ustar\0";
const GNU_MAGIC = "ustar  \0";

/** The fields of a header block that matter; `not_tar` when it has no ustar magic. */
export function readHeader(block: Uint8Array): Header {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  const magic = bytes.toString("latin1", 257, 265);
  const isPosix = magic.startsWith(POSIX_MAGIC);
  const kind =
    isPosix || magic === GNU_MAGIC ? (KINDS[bytes.toString("latin1", 156, 157)] ?? "unknown_kind") : "not_tar";
  const prefix = isPosix ? field(bytes, 345, 155) : Buffer.alloc(0);
  const name = field(bytes, 0, 100);
  return {
    kind,
    name: prefix.byteLength === 0 ? name : Buffer.concat([prefix, Buffer.from("/"), name]),
    size: octal(bytes, 124, 12),
    mode: octal(bytes, 100, 8),
  };
}

/** Whether every byte is zero. */
export function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

/** A NUL-terminated field; a copy, because the block is used again. */
function field(bytes: Buffer, at: number, length: number): Buffer {
  const whole = bytes.subarray(at, at + length);
  const end = whole.indexOf(0);
  return Buffer.from(end === -1 ? whole : whole.subarray(0, end));
}

/** An octal number; the binary form for 8 GiB and more is none, as nothing that large is accepted. */
function octal(bytes: Buffer, at: number, length: number): number | undefined {
  const text = bytes.toString("latin1", at, at + length);
  const digits = /^ *([0-7]+)[ \0]*$/.exec(text)?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 8);
}
