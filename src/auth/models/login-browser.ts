/** Signs in to OpenAI Codex or xAI in the browser, with a grant that is Fermix's own (COD-1, COD-2). */
import { Credential } from "../credential.ts";
import { callbackOf } from "../oauth/callback.ts";
import { type LoginDeps, type LoginRequest, signIn } from "../oauth/login-flow.ts";
import { findLoginProvider } from "../oauth/login-providers.ts";
import { keepSignIn, type ModelSignedIn, prepareToKeep } from "./keep-sign-in.ts";
import { type ModelLogin, type ModelProvider, publicClient, XAI } from "./model-providers.ts";
import { mayUseXaiApi, planWithoutApi, saysForbidden } from "./xai-plan.ts";

/** What the person at the terminal decides; see `LoginRequest`. */
export interface LoginChoices extends Pick<LoginRequest, "timeoutMs" | "openBrowser" | "onPage" | "paste" | "signal"> {
  readonly port?: number | undefined;
}

export interface BrowserSignedIn extends ModelSignedIn {
  /** xAI only: false when its API refuses this plan (COD-3); undefined when that could not be told. */
  readonly apiAccess: boolean | undefined;
}

/**
 * Signs in and stores the tokens under the provider's own profile; another program's sign-in is neither read nor written.
 * Throws what `signIn` and keeping it throw, login_port_fixed, and xai_plan_without_api.
 */
export async function loginInBrowser(
  { ports, home }: LoginDeps,
  provider: ModelProvider & { readonly login: ModelLogin },
  { port, ...choices }: LoginChoices,
): Promise<BrowserSignedIn> {
  const { login } = provider;
  const page = findLoginProvider(login.oauth);
  if (page === undefined) throw new Error(`no sign-in page is known for ${login.oauth}`);
  const config = await prepareToKeep(ports, home, provider);
  const callback = callbackOf(page, config.oauth.get(login.oauth), port);
  const request: LoginRequest = {
    ...choices,
    provider: page,
    client: publicClient(config, login.oauth) ?? { id: login.clientId, secret: undefined },
    scopes: login.scopes,
    callback,
    network: config.network,
  };
  try {
    const kept = await signIn({ ports, home }, request, async (fresh) => ({
      signedIn: await keepSignIn(ports, home, provider, { ...fresh, authMode: login.authMode }),
      token: new Credential(fresh.accessToken),
    }));
    const apiAccess = provider.id === XAI.id ? await mayUseXaiApi(ports, config.network, kept.token) : undefined;
    return { ...kept.signedIn, apiAccess };
  } catch (error) {
    throw provider.id === XAI.id && saysForbidden(error) ? planWithoutApi(error) : error;
  }
}
