/** Signs a plugin in with its provider, keeps the sign-in and lets agents use the plugin (AUTH-2, spec 7.1). */

import { callbackOf } from "../auth/oauth/callback.ts";
import { type FreshSignIn, type LoginRequest, signIn } from "../auth/oauth/login-flow.ts";
import { findLoginProvider, type LoginProvider } from "../auth/oauth/login-providers.ts";
import { readClient } from "../auth/oauth-client.ts";
import { accountLabel } from "../auth/sign-in-entry.ts";
import { prepareToStore, storeSignIn } from "../auth/store-sign-in.ts";
import type { Config } from "../config/config.ts";
import { FermixError } from "../kernel/error.ts";
import { isJsonObject } from "../kernel/json.ts";
import type { PluginName } from "../kernel/names.ts";
import type { App } from "./app.ts";
import { enablePlugin, type InstallByName } from "./enable.ts";
import { loadPlugins } from "./load.ts";
import { findOAuthPlugin } from "./oauth-plugin.ts";
import { type Readiness, readinessOfName } from "./readiness.ts";

/** How a plugin's entry in auth.json is marked (spec 8.1). */
const PLUGIN_MODE = "oauth2";

/** What the user of a sign-in chooses; the account must also be the one that comes of it. */
export interface LoginOptions
  extends Pick<LoginRequest, "timeoutMs" | "openBrowser" | "account" | "onPage" | "paste" | "signal"> {
  /** Where to listen, where the provider leaves the choice. */
  readonly port?: number | undefined;
  /** Given to `login`, which enables the plugin; `reauthorize` leaves it as it is. */
  readonly enable?: InstallByName;
}

export interface LoggedIn {
  readonly plugin: PluginName;
  readonly provider: string;
  readonly account: string | undefined;
  /** Where the plugin stands now. */
  readonly readiness: Readiness;
}

/**
 * Signs in, in this order, so that nobody is sent to a browser for nothing:
 * 1. plugin, provider and client     Fail: named; nothing was touched
 * 2. see that auth.json takes it     Fail: named; nothing was asked
 * 3. install what only the catalog has
 * 4. the sign-in                     Fail: what `signIn` throws; auth.json is as it was
 * 5. store it                        Fail: named; what was there stays
 * 6. enable the plugin               Fail: named; the sign-in is kept
 * Throws auth_not_required, login_provider_unknown, login_client_missing and login_other_account beside those.
 */
export async function loginPlugin(app: App, typed: string, options: LoginOptions): Promise<LoggedIn> {
  const { ports, home } = app;
  const { name, plugin, config, loaded } = await findOAuthPlugin(app, typed);
  const provider = findLoginProvider(plugin.auth.provider);
  if (provider === undefined) {
    throw new FermixError("login_provider_unknown", { plugin: name, provider: plugin.auth.provider });
  }
  const client = await clientFor(app, config, provider);
  const { enable, port, ...asked } = options;
  const callback = callbackOf(provider, config.oauth.get(provider.tokens.id), port);
  await prepareToStore(ports, home, plugin.profile);
  if (!loaded && enable !== undefined) await enable(app, name);
  const request = { ...asked, provider, client, callback, scopes: plugin.auth.scopes, network: config.network };
  const account = await signIn({ ports, home }, request, async (fresh) => {
    assertAccount(provider, fresh, options.account);
    const entry = { ...fresh, authMode: PLUGIN_MODE, provider: provider.tokens.id };
    await storeSignIn(ports, home, plugin.profile, entry);
    if (enable !== undefined) await enablePlugin(app, name, enable);
    return accountLabel({ account: fresh.account });
  });
  const readiness = await readinessOfName(app, await loadPlugins(app), name);
  return { plugin: name, provider: provider.name, account, readiness };
}

async function clientFor({ ports }: App, config: Config, { name, tokens }: LoginProvider) {
  const client = await readClient(ports, config, tokens.id);
  if (client === undefined) throw new FermixError("login_client_missing", { provider: name, id: tokens.id });
  return client;
}

/** What the provider does not say of the account can't be held against it. */
function assertAccount({ name }: LoginProvider, { account }: FreshSignIn, wanted: string | undefined): void {
  if (wanted === undefined || !isJsonObject(account)) return;
  const names = Object.values(account).filter((value) => typeof value === "string");
  if (names.some((value) => value.toLowerCase() === wanted.toLowerCase())) return;
  throw new FermixError("login_other_account", { provider: name, wanted, found: accountLabel({ account }) ?? "" });
}
