/** Writes tar archives byte by byte, so that a test can make what no tar program would. */
import { gzipSync } from "node:zlib";

const BLOCK = 512;

export interface EntryFields {
  /** Raw, at most 100 bytes. */
  readonly name: string | Uint8Array;
  readonly content?: string | Uint8Array;
  /** Default 0644, or 0755 for a folder. */
  readonly mode?: number;
  /** Default "0", a regular file. */
  readonly type?: string;
  readonly linkname?: string;
  /** ustar prefix, joined before the name with a slash. */
  readonly prefix?: string;
  /** What the header declares; default the content's length. */
  readonly size?: number;
  /** The raw size field, for numbers that are none. */
  readonly sizeField?: string | Uint8Array;
  readonly modeField?: string;
  /** Default POSIX "ustar\0" + "00". */
  readonly magic?: string;
}

/** A file or any other entry: its header and its padded content. */
export function entry(fields: EntryFields): Buffer {
  const content = Buffer.from(fields.content ?? "");
  const header = Buffer.alloc(BLOCK);
  Buffer.from(fields.name).copy(header, 0, 0, 100);
  header.write(fields.modeField ?? octal(fields.mode ?? (fields.type === "5" ? 0o755 : 0o644), 7), 100, "latin1");
  header.write(octal(0, 7), 108, "latin1");
  header.write(octal(0, 7), 116, "latin1");
  Buffer.from(fields.sizeField ?? octal(fields.size ?? content.byteLength, 11)).copy(header, 124, 0, 12);
  header.write(octal(0, 11), 136, "latin1");
  header.write("        ", 148, "latin1");
  header.write(fields.type ?? "0", 156, "latin1");
  header.write(fields.linkname ?? "", 157, "latin1");
  header.write(fields.magic ?? "ustar\x0000", 257, "latin1");
  header.write(fields.prefix ?? "", 345, "latin1");
  header.write(`${octal(sumOf(header), 6)}\0 `, 148, "latin1");
  return Buffer.concat([header, content, Buffer.alloc(padding(content.byteLength))]);
}

export function file(name: string | Uint8Array, content: string | Uint8Array = "", mode = 0o644): Buffer {
  return entry({ name, content, mode });
}

export function folder(name: string): Buffer {
  return entry({ name, type: "5" });
}

/** A pax extended header with these records, or with raw content. */
export function pax(records: Readonly<Record<string, string>> | Uint8Array, type: "x" | "g" = "x"): Buffer {
  const content =
    records instanceof Uint8Array
      ? records
      : Buffer.concat(Object.entries(records).map(([key, value]) => paxRecord(key, value)));
  return entry({ name: "PaxHeader", type, content });
}

/** `LENGTH KEY=VALUE\n`, where LENGTH counts itself. */
export function paxRecord(key: string, value: string | Uint8Array): Buffer {
  const rest = Buffer.concat([Buffer.from(` ${key}=`), Buffer.from(value), Buffer.from("\n")]);
  let length = rest.byteLength;
  while (String(length).length + rest.byteLength !== length) length = String(length).length + rest.byteLength;
  return Buffer.concat([Buffer.from(String(length)), rest]);
}

/** GNU's long name header: the next entry's name. */
export function gnuLongName(name: string): Buffer {
  return entry({ name: "././@LongLink", type: "L", content: `${name}\0`, magic: "ustar  \0" });
}

/** The two zero blocks that end an archive. */
export const END = Buffer.alloc(2 * BLOCK);

/** The archive of these parts, ended and compressed. */
export function tarball(...parts: readonly Uint8Array[]): Buffer {
  return gzipSync(Buffer.concat([...parts, END]));
}

/** The least a plugin's package holds. */
export const MANIFEST = file("plugin.json", '{"name":"notes","version":"1.0.0"}');

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, "0");
}

function padding(length: number): number {
  return (BLOCK - (length % BLOCK)) % BLOCK;
}

function sumOf(header: Buffer): number {
  return header.reduce((sum, byte) => sum + byte, 0);
}
