/** What config.toml holds in a secret's place while the secret itself is in the keychain. */

/** As the ecosystem writes it (spec 8.4). */
export const KEYRING_SENTINEL = "@keyring";

/** Whether a value of config.toml says that the keychain has the secret. */
export function isSentinel(value: string | undefined): boolean {
  return value?.trim() === KEYRING_SENTINEL;
}
