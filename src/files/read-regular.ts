/** Reads a file that somebody else may have written: a regular one only, and never more of it than makes sense. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/**
 * The bytes of the file, links followed. Throws the system's error; EFTYPE for a pipe or a device, which could be read
 * for ever, and EFBIG for more than `maxBytes`, both before anything is read.
 */
export function readRegularFile(path: string, maxBytes: number): Buffer {
  // Without O_NONBLOCK the opening of a pipe already waits for somebody to write into it.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(file);
    if (stat.isDirectory()) throw fault("EISDIR", path);
    if (!stat.isFile()) throw fault("EFTYPE", path);
    if (stat.size > maxBytes) throw fault("EFBIG", path);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** The same as text, a byte order mark included; bytes that are not UTF-8 become U+FFFD. */
export function readRegularText(path: string, maxBytes: number): string {
  return readRegularFile(path, maxBytes).toString("utf8");
}

function fault(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code, path });
}
