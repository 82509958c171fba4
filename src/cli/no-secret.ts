/** Refuses a command line that carries a secret, before any message could quote it (DECISIONS 24). */
import { FermixError } from "../kernel/error.ts";
import type { ArgSpecs } from "./verb.ts";

/**
 * For a verb with a `never` argument: a surplus word, a value given to a flag, or what only looks like a short flag may be
 * the secret. Throws secret_in_arguments, which tells none of these words.
 */
export function assertNoSecret(specs: ArgSpecs, words: readonly string[]): void {
  const never = Object.values(specs).find((spec) => spec.kind === "never");
  if (never !== undefined && hasSurplus(specs, words)) {
    throw new FermixError("secret_in_arguments", { command: never.instead });
  }
}

function hasSurplus(specs: ArgSpecs, words: readonly string[]): boolean {
  const end = words.indexOf("--");
  const before = end === -1 ? words : words.slice(0, end);
  let positionals = end === -1 ? 0 : words.length - end - 1;
  for (let at = 0; at < before.length; at += 1) {
    const word = before[at] ?? "";
    if (!word.startsWith("--")) {
      // No verb has short flags of its own.
      if (word.startsWith("-") && word !== "-") return true;
      positionals += 1;
      continue;
    }
    const [name = "", value] = word.slice("--".length).split("=", 2);
    const takesValue = Object.hasOwn(specs, name) && specs[name]?.kind === "option";
    if (!takesValue && value !== undefined) return true;
    if (takesValue && value === undefined) at += 1;
  }
  return positionals > Object.values(specs).filter(({ kind }) => kind === "positional").length;
}
