/** Changes secrets in the keychain, turning what the keychain has wrong into a named failure; there is no other store (DECISIONS 26). */
import { FermixError, never } from "../kernel/error.ts";
import type { KeychainChange, KeychainChangeOptions, KeychainItem, WritableKeychain } from "../kernel/ports.ts";

export interface StoreOptions extends KeychainChangeOptions {
  /** The variable that gives the secret where there is no keychain, for the advice. */
  readonly instead?: string;
}

/**
 * Stores the secret; whether the keychain was changed by it. Throws keychain_unavailable in the words of KCH-9,
 * keychain_locked, keychain_timed_out and keychain_refused; then what was stored before is still there.
 */
export async function storeSecret(
  keychain: WritableKeychain,
  item: KeychainItem,
  secret: string,
  { instead, ...options }: StoreOptions = {},
): Promise<boolean> {
  const change = await keychain.set(item, secret, options);
  return outcome(change, { item: item.name, instead, to: "stored" });
}

/** Removes the items; whether one of them was there. Throws as storeSecret does. */
export async function removeSecrets(
  keychain: WritableKeychain,
  items: readonly [KeychainItem, ...KeychainItem[]],
  options: KeychainChangeOptions = {},
): Promise<boolean> {
  return outcome(await keychain.remove(items, options), { item: items[0].name, to: "removed" });
}

interface Wanted {
  readonly item: string;
  readonly instead?: string | undefined;
  readonly to: "stored" | "removed";
}

function outcome(change: KeychainChange, wanted: Wanted): boolean {
  switch (change.state) {
    case "done":
      return change.changed;
    case "locked":
      throw new FermixError("keychain_locked", wanted);
    case "unavailable":
      throw new FermixError("keychain_unavailable", { ...wanted, reason: change.reason });
    case "refused":
      throw new FermixError("keychain_refused", { ...wanted, reason: change.reason });
    case "timed_out":
      throw new FermixError("keychain_timed_out", { ...wanted, afterMs: change.afterMs });
    default:
      return never(change);
  }
}
