/** Keeps a model provider's sign-in: first the tokens in auth.json, then the word in config.toml that it is used (COD-2). */

import type { Config } from "../../config/config.ts";
import { useSignIn } from "../../config/edit-auth-mode.ts";
import { readConfig } from "../../config/read.ts";
import type { Home } from "../../files/home.ts";
import type { Ports } from "../../kernel/ports.ts";
import { accountLabel } from "../sign-in-entry.ts";
import { type NewSignIn, prepareToStore, storeSignIn } from "../store-sign-in.ts";
import type { ModelProvider } from "./model-providers.ts";

export interface ModelSignedIn {
  readonly provider: ModelProvider;
  readonly authMode: string;
  /** Whose it is, as far as the provider said. */
  readonly account: string | undefined;
  /** Whether config.toml said something else before; a running daemon knows nothing of it yet (COD-4). */
  readonly switched: boolean;
}

/**
 * Makes sure, before anybody is asked for anything, that auth.json takes a sign-in and that config.toml can be read.
 * Throws as `prepareToStore` and `readConfig` do.
 */
export async function prepareToKeep(
  ports: Pick<Ports, "clock">,
  home: Home,
  { profile }: ModelProvider,
): Promise<Config> {
  const config = await readConfig(home);
  await prepareToStore(ports, home, profile);
  return config;
}

/**
 * Stores the sign-in and makes the provider run on it. Throws as `storeSignIn` and `useSignIn` do; in the second case the
 * sign-in is kept, and the failure says what to write into config.toml.
 */
export async function keepSignIn(
  ports: Pick<Ports, "clock">,
  home: Home,
  provider: ModelProvider,
  signIn: Omit<NewSignIn, "provider">,
): Promise<ModelSignedIn> {
  let switched = false;
  const entry = { ...signIn, provider: provider.login?.oauth ?? provider.id };
  await storeSignIn(ports, home, provider.profile, entry, async () => {
    switched = provider.hasAuthMode && (await useSignIn(ports, home, provider.id));
  });
  return { provider, authMode: signIn.authMode, account: accountLabel({ account: signIn.account }), switched };
}
