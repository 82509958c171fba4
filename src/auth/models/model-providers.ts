/** The model providers that somebody can sign in to with an account, and what sets each apart (spec 7.2, 8.1, 8.2). */
import type { Config } from "../../config/config.ts";
import { FermixError } from "../../kernel/error.ts";
import type { TokenClient } from "../request-tokens.ts";
import type { TokenPlugin } from "../signed-in.ts";

/** How a provider's browser sign-in is done; its page and ports are in oauth/login-providers.ts. */
export interface ModelLogin {
  /** In oauth/login-providers.ts, and under `[fermix_core.oauth.<id>]` for who brings a client of their own. */
  readonly oauth: "openai_codex" | "xai_oauth";
  /** Public: it is in every copy of the providers' own programs, and no secret belongs to it (DECISIONS 28). */
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** As spec 8.1 marks the entry. */
  readonly authMode: string;
}

export interface ModelProvider {
  /** As config.toml and auth.json call it. */
  readonly id: "openai_codex" | "anthropic" | "xai";
  /** What `--provider` takes for it, the usual word first. */
  readonly words: readonly [string, ...string[]];
  /** As people call it. */
  readonly name: string;
  /** Its entry in auth.json. */
  readonly profile: string;
  /** Whether `auth_mode` in config.toml chooses between the sign-in and an API key; openai_codex knows no API key. */
  readonly hasAuthMode: boolean;
  /** undefined: there is no browser sign-in. */
  readonly login: ModelLogin | undefined;
}

const OPENID = ["openid", "profile", "email", "offline_access"] as const;

export const CODEX: ModelProvider = {
  id: "openai_codex",
  words: ["codex", "openai_codex"],
  name: "OpenAI Codex",
  profile: "openai_codex",
  hasAuthMode: false,
  login: {
    oauth: "openai_codex",
    clientId: "app_EMoamEEZ73f0CkXaXp7hrann",
    scopes: OPENID,
    authMode: "chatgpt",
  },
};

export const ANTHROPIC: ModelProvider = {
  id: "anthropic",
  words: ["anthropic"],
  name: "Anthropic",
  profile: "anthropic_oauth",
  hasAuthMode: true,
  login: undefined,
};

export const XAI: ModelProvider = {
  id: "xai",
  words: ["xai"],
  name: "xAI",
  profile: "xai_oauth",
  hasAuthMode: true,
  login: {
    oauth: "xai_oauth",
    clientId: "b1a00492-073a-47ea-816f-4c329264a828",
    scopes: [...OPENID, "grok-cli:access", "api:access"],
    authMode: "oauth_pkce",
  },
};

export const modelProviders: readonly ModelProvider[] = [CODEX, ANTHROPIC, XAI];

/** The provider that a word of the command line names. Throws model_provider_unknown. */
export function modelProviderNamed(word: string): ModelProvider {
  const found = modelProviders.find(({ words }) => words.includes(word.toLowerCase()));
  if (found !== undefined) return found;
  throw new FermixError("model_provider_unknown", { word, known: modelProviders.map(({ words }) => words[0]) });
}

/**
 * The client that a model provider's OAuth side knows: config.toml's own id, else the public one. undefined for every
 * other provider, whose client has a secret.
 */
export function publicClient(config: Config, oauth: string): TokenClient | undefined {
  const login = modelProviders.find((provider) => provider.login?.oauth === oauth)?.login;
  if (login === undefined) return undefined;
  return { id: config.oauth.get(oauth)?.clientId?.trim() || login.clientId, secret: undefined };
}

/** The sign-ins that are refreshed like those of plugins; a setup token has nothing to refresh it with. */
export const refreshedModels: readonly TokenPlugin[] = modelProviders.flatMap(({ words: [name], profile, login }) => {
  if (login === undefined) return [];
  const { oauth: provider, scopes, authMode } = login;
  const header = { header: "authorization", scheme: "Bearer" } as const;
  return [{ name, profile, authMode, auth: { type: "oauth2", provider, scopes, profileKey: undefined, ...header } }];
});
