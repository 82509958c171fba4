/** Signs out of a model provider on this machine: its entry goes, and an API key is used again (COD-2, spec 7.2). */
import { OAUTH_MODE, useApiKey } from "../../config/edit-auth-mode.ts";
import { readConfig } from "../../config/read.ts";
import type { Home } from "../../files/home.ts";
import type { Ports } from "../../kernel/ports.ts";
import { entryIn, readAuthFile } from "../auth-file.ts";
import { removeSignIn } from "../store-sign-in.ts";
import type { ModelProvider } from "./model-providers.ts";

export interface ModelSignedOut {
  /** Whether there was a sign-in. */
  readonly removed: boolean;
  /** Whether config.toml said that the sign-in is used; now it says `api_key`. */
  readonly reverted: boolean;
}

/**
 * Removes the provider's entry, and takes its `auth_mode` back to `api_key` where it was `oauth`. The grant itself stays
 * good at the provider's until it ends there. A home without either is not touched. Throws as `removeSignIn` and
 * `useApiKey` do.
 */
export async function logoutOf(
  ports: Pick<Ports, "clock">,
  home: Home,
  provider: ModelProvider,
): Promise<ModelSignedOut> {
  const known = entryIn(readAuthFile(home), provider.profile) !== undefined;
  const { providers } = await readConfig(home);
  const used = provider.hasAuthMode && providers.get(provider.id)?.authMode === OAUTH_MODE;
  if (!known && !used) return { removed: false, reverted: false };
  // Both under the sign-in's lock: a login between the two would be left with a mode that is not its own.
  let reverted = false;
  const removed = await removeSignIn(ports, home, provider.profile, async () => {
    reverted = provider.hasAuthMode && (await useApiKey(ports, home, provider.id));
  });
  return { removed, reverted };
}
