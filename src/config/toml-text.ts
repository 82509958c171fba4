/** Gets the text of config.toml and its plain values, or says why there are none. */
import { isUtf8 } from "node:buffer";
import { parse, TomlError } from "smol-toml";
import { namedFailure } from "../files/fs-failure.ts";
import { readRegularFile } from "../files/read-regular.ts";
import { FermixError, hasErrno } from "../kernel/error.ts";

/** The user writes this file; a larger one is not a configuration. */
export const MAX_CONFIG_BYTES = 1024 * 1024;

/** The file's text, a byte order mark included; undefined when there is no file. Throws config_invalid or home_unusable. */
export function readConfigText(path: string): string | undefined {
  let bytes: Buffer;
  try {
    bytes = readRegularFile(path, MAX_CONFIG_BYTES);
  } catch (cause) {
    if (hasErrno(cause, "ENOENT")) return undefined;
    if (hasErrno(cause, "EFBIG"))
      throw new FermixError("config_invalid", { path, reason: "it is over 1 MiB" }, { cause });
    throw namedFailure(path, cause);
  }
  if (isUtf8(bytes)) return bytes.toString("utf8");
  throw new FermixError("config_invalid", { path, line: firstBadLine(bytes), reason: "it is not UTF-8 text" });
}

/** The number, from 1, of the first line that is not UTF-8; no character's bytes hold a line feed. */
function firstBadLine(bytes: Buffer): number {
  let line = 1;
  for (let at = 0; at < bytes.byteLength; line += 1) {
    const end = bytes.indexOf(0x0a, at);
    const next = end === -1 ? bytes.byteLength : end + 1;
    if (!isUtf8(bytes.subarray(at, next))) return line;
    at = next;
  }
  return line;
}

/** The document as plain values. Integers beyond a number's precision are bigints. Throws config_invalid with the line. */
export function parseToml(text: string, path: string): Record<string, unknown> {
  try {
    return parse(withoutMark(text), { integersAsBigInt: "asNeeded" });
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    // The rest of the library's message quotes the line, which may hold a secret.
    const reason = (cause.message.split("\n")[0] ?? "").replace(/^Invalid TOML document: /, "");
    throw new FermixError("config_invalid", { path, line: cause.line, reason }, { cause });
  }
}

/** The text without its byte order mark. */
export function withoutMark(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}
