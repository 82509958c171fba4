/** Names the items of the keychain and reads one, turning what the keychain has wrong into a named failure (DECISIONS 25). */
import { FermixError, never } from "../kernel/error.ts";
import type { Keychain, KeychainAnswer, KeychainItem, ManyKeychain } from "../kernel/ports.ts";

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

/** Questions that are put together, once those before them are answered. */
interface Batch {
  readonly questions: (readonly KeychainItem[])[];
  readonly answers: Promise<readonly KeychainAnswer[]>;
}

/**
 * The same keychain for one look at many plugins: each question is put once, those that come while others are being
 * answered are put together, and the first answer that tells of trouble with the keychain itself is the answer to all
 * that follow.
 */
export function askedOnce(keychain: Pick<ManyKeychain, "findEach">): Keychain {
  const known = new Map<string, Promise<KeychainAnswer>>();
  let last: Promise<readonly KeychainAnswer[]> = Promise.resolve([]);
  let open: Batch | undefined;
  const begin = (): Batch => {
    const questions: (readonly KeychainItem[])[] = [];
    last = last.then(async (before) => {
      open = undefined;
      const trouble = before.find(({ state }) => state !== "found" && state !== "missing");
      return trouble === undefined ? await keychain.findEach(questions) : questions.map(() => trouble);
    });
    return { questions, answers: last };
  };
  return {
    find(items) {
      const question = JSON.stringify(items);
      const earlier = known.get(question);
      if (earlier !== undefined) return earlier;
      open ??= begin();
      const at = open.questions.push(items) - 1;
      const answer = open.answers.then((answers): KeychainAnswer => answers[at] ?? { state: "missing" });
      known.set(question, answer);
      return answer;
    },
  };
}
