/** The process that asks the keychain and may hang there: questions on stdin, answers on stdout, ended from outside. */
import { keyringLock, unlockKeyring } from "./libsecret.ts";

/** As Bun.secrets names an item. */
interface Item {
  readonly service: string;
  readonly name: string;
}

export type Asked = { readonly items: readonly Item[]; readonly unlock?: boolean } & (
  | { readonly do: "find" }
  | { readonly do: "remove" }
  /** Stores the value as the first of the items. */
  | { readonly do: "set"; readonly value: string }
);

export interface Told {
  /** One for each item that was to be found. */
  readonly values?: readonly (string | null)[];
  /** Whether a change had something to do. */
  readonly changed?: boolean;
  readonly locked?: boolean;
  /** Why the keychain did not take a change. */
  readonly refused?: string;
  /** Why the keychain could not be asked. */
  readonly error?: string;
}

/** What Bun.secrets calls a keychain that would first have to ask its user. */
const LOCKED_CODES: ReadonlySet<unknown> = new Set([
  "ERR_SECRETS_INTERACTION_NOT_ALLOWED",
  "ERR_SECRETS_INTERACTION_REQUIRED",
  "ERR_SECRETS_AUTH_FAILED",
  "ERR_SECRETS_USER_CANCELED",
]);

/** Answers one question and ends. */
export async function answerFromKeychain(): Promise<void> {
  const asked = JSON.parse(await Bun.stdin.text()) as Asked;
  await Bun.write(Bun.stdout, JSON.stringify(await answer(asked)));
}

async function answer(asked: Asked): Promise<Told> {
  // Asked first: Bun.secrets says null for every item of a locked keyring, after a try to have its user unlock it.
  const lock = process.platform === "linux" ? keyringLock() : "open";
  if (lock === "locked" && !(asked.unlock === true && unlockKeyring())) return { locked: true };
  try {
    return await obey(asked);
  } catch (cause) {
    const { code, message } = cause as { code?: unknown; message: string };
    if (LOCKED_CODES.has(code) || /\blocked\b/i.test(message)) return { locked: true };
    if (asked.do === "find" || lock === "none") return { error: message };
    return { refused: lock === "unmade" ? `it has no default keyring to keep anything in (${message})` : message };
  }
}

async function obey(asked: Asked): Promise<Told> {
  switch (asked.do) {
    case "find": {
      const values: (string | null)[] = [];
      for (const item of asked.items) values.push((await Bun.secrets.get(item)) ?? null);
      return { values };
    }
    case "remove": {
      let changed = false;
      for (const item of asked.items) changed = (await Bun.secrets.delete(item)) || changed;
      return { changed };
    }
    case "set":
      return await store(asked.items[0], asked.value);
  }
}

async function store(item: Item | undefined, value: string): Promise<Told> {
  if (item === undefined) return { refused: "no item was named" };
  const before = await Bun.secrets.get(item);
  if (before === value) return { changed: false };
  try {
    // macOS gives an item its open access list only when it is made.
    if (process.platform === "darwin") await Bun.secrets.delete(item);
    await write(item, value);
    if ((await Bun.secrets.get(item)) === value) return { changed: true };
  } catch (cause) {
    if (process.platform === "darwin" && before !== null) await write(item, before);
    throw cause;
  }
  if (before !== null) await write(item, before);
  return { refused: "it gave back another value than it was given" };
}

async function write(item: Item, value: string): Promise<void> {
  await Bun.secrets.set({ ...item, value, allowUnrestrictedAccess: true });
}
