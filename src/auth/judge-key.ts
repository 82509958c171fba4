/** Whether an API key may be stored: it must fit a header, and the rules of its plugin's manifest (spec 1.2, DECISIONS 27). */
import type { KeyValidation } from "../manifest/manifest.ts";
import { unsendable } from "./credential.ts";

/** Why not, as the end of a sentence that tells nothing of the key; undefined when it may. */
export function keyProblem(key: string, validation: KeyValidation | undefined): string | undefined {
  const problem = unsendable(key);
  if (problem !== undefined || validation === undefined) return problem;
  const { prefix, minBytes, maxBytes, forbidWhitespace } = validation;
  if (!key.startsWith(prefix)) return `it does not begin with ${prefix}`;
  const bytes = Buffer.byteLength(key);
  if (bytes < minBytes || bytes > maxBytes) {
    return `it has ${bytes} bytes, and such a key has ${minBytes} to ${maxBytes}`;
  }
  return forbidWhitespace && /\s/.test(key) ? "it holds a space" : undefined;
}
