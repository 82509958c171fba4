/** Judges the records of a pax extended header: a long name is accepted, whatever changes what an entry is, is not. */

/** Records that say nothing about where or what an entry is. */
const HARMLESS = new Set(["path", "atime", "ctime", "mtime", "uid", "gid", "uname", "gname", "comment"]);
/** Extended attributes that macOS and libarchive add; Fermix does not apply them. */
const HARMLESS_PREFIX = /^(LIBARCHIVE\.xattr|SCHILY\.xattr|LIBARCHIVE\.creationtime)/;

export type PaxVerdict =
  | { readonly ok: true /** The raw `path` record, if there is one. */; readonly path: Uint8Array | undefined }
  | { readonly ok: false; readonly rule: "bad_extension" | "sparse" | "link" | "encoding" };

/** Reads `LENGTH KEY=VALUE\n` records, each exactly as long as it says (POSIX pax). */
export function judgePax(content: Uint8Array): PaxVerdict {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  let path: Uint8Array | undefined;
  for (let at = 0; at < bytes.byteLength; ) {
    const space = bytes.indexOf(0x20, at);
    const digits = space === -1 ? "" : bytes.toString("latin1", at, space);
    const end = at + (/^[1-9]\d{0,5}$/.test(digits) ? Number(digits) : 0);
    const equals = bytes.indexOf(0x3d, at);
    const whole = end <= bytes.byteLength && equals > space && equals < end && bytes[end - 1] === 0x0a;
    if (!whole) return { ok: false, rule: "bad_extension" };
    const key = bytes.toString("latin1", space + 1, equals);
    if (key.startsWith("GNU.sparse.") || key === "SCHILY.realsize") return { ok: false, rule: "sparse" };
    if (key === "linkpath") return { ok: false, rule: "link" };
    if (!HARMLESS.has(key) && !HARMLESS_PREFIX.test(key)) return { ok: false, rule: "bad_extension" };
    if (key === "path") {
      const value = bytes.subarray(equals + 1, end - 1);
      if (path !== undefined || value.byteLength === 0) return { ok: false, rule: "bad_extension" };
      // The tar library replaces bytes that are not UTF-8, so the comparison with its reading needs text that is.
      if (!isUtf8(value)) return { ok: false, rule: "encoding" };
      path = value;
    }
    at = end;
  }
  return { ok: true, path };
}

function isUtf8(bytes: Buffer): boolean {
  return Buffer.from(bytes.toString("utf8"), "utf8").equals(bytes);
}
