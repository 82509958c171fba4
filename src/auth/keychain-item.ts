/** Names the items of the keychain and reads one, turning what the keychain has wrong into a named failure (DECISIONS 25). */
import { FermixError, never } from "../kernel/error.ts";
import type { Keychain, KeychainAnswer, KeychainItem } from "../kernel/ports.ts";

/** The item of this name in the profile's own part of the keychain: `fermix`, or `fermix:<profile>` (spec 8.4). */
export function keychainItem(profile: string | undefined, name: string): KeychainItem {
  const own = profile !== undefined && profile !== "" && profile !== "general";
  return { service: own ? `fermix:${profile}` : "fermix", name };
}

/**
 * The first of these items that exists, undefined when none does. `instead` is the variable that gives the secret where
 * there is no keychain, for the advice. Throws keychain_locked, keychain_unavailable and keychain_timed_out.
 */
export async function readKeychain(
  keychain: Keychain,
  items: readonly [KeychainItem, ...KeychainItem[]],
  instead?: string,
): Promise<string | undefined> {
  const wanted = { item: items[0].name, instead };
  const answer = await keychain.find(items);
  switch (answer.state) {
    case "found":
      return answer.value;
    case "missing":
      return undefined;
    case "locked":
      throw new FermixError("keychain_locked", wanted);
    case "unavailable":
      throw new FermixError("keychain_unavailable", { ...wanted, reason: answer.reason });
    case "timed_out":
      throw new FermixError("keychain_timed_out", { ...wanted, afterMs: answer.afterMs });
    default:
      return never(answer);
  }
}

/**
 * The same keychain for one look at many plugins: each question is put once, one after another, and the first answer
 * that tells of trouble with the keychain itself is the answer to all that follow.
 */
export function askedOnce(keychain: Keychain): Keychain {
  const answers = new Map<string, Promise<KeychainAnswer>>();
  let last: Promise<KeychainAnswer> = Promise.resolve({ state: "missing" });
  const ask = async (before: Promise<KeychainAnswer>, items: readonly KeychainItem[]): Promise<KeychainAnswer> => {
    const earlier = await before;
    return earlier.state === "found" || earlier.state === "missing" ? await keychain.find(items) : earlier;
  };
  return {
    find(items) {
      const question = JSON.stringify(items);
      const known = answers.get(question);
      if (known !== undefined) return known;
      last = ask(last, items);
      answers.set(question, last);
      return last;
    },
  };
}
