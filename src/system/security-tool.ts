/** What `security -i` is told on stdin to make an item anew that every program of the user may read (DECISIONS 24). */

/** Where macOS has it; a program of this name in PATH could be anybody's. */
export const SECURITY = "/usr/bin/security";

/** Its interactive mode reads a line into 4096 bytes, end of string included (SecurityTool/macOS/security.c). */
const MAX_LINE_BYTES = 4095;

/**
 * The lines that delete the item and add it again: macOS sets the open access list (`-A`) only when an item is made. The
 * value goes in hex, so that nothing in it can end the line or an argument. undefined when a line cannot hold it: it is
 * too long, or the operator's name of the profile has a line break in it.
 */
export function recreateLines(service: string, account: string, value: string): string | undefined {
  if (/[\u0000-\u001f\u007f]/.test(service)) return undefined;
  const item = `-a ${quoted(account)} -s ${quoted(service)}`;
  const add = `add-generic-password ${item} -X ${Buffer.from(value).toString("hex")} -A\n`;
  if (Buffer.byteLength(add) > MAX_LINE_BYTES) return undefined;
  return `delete-generic-password ${item}\n${add}`;
}

/** As its line splitter reads it back: within double quotes a backslash takes the next character as it is. */
function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}
