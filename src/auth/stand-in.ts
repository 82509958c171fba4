/** Tells a secret from a text that only stands for one, which must be neither stored nor sent (CASE-13, spec 6.1). */
import { isSentinel } from "../config/sentinel.ts";

/** What the text is instead of a secret, as the end of a sentence; undefined when it may be one. */
export function standIn(text: string): string | undefined {
  if (isSentinel(text)) return "it is only the word by which config.toml refers to the keychain";
  return text.includes("${") ? "it still holds a placeholder" : undefined;
}
