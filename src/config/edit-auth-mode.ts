/** Says in config.toml whether a model provider runs on its sign-in or on an API key (spec 7.2, 8.5). */
import type { Home } from "../files/home.ts";
import type { Ports } from "../kernel/ports.ts";
import { edit, setAt } from "./edit.ts";

/** `[fermix_core.providers.<p>] auth_mode`, as the ecosystem writes it. */
export const OAUTH_MODE = "oauth";
const API_KEY_MODE = "api_key";

/** Makes the provider run on its sign-in; whether anything was changed by it. Throws as enableInConfig. */
export async function useSignIn(ports: Pick<Ports, "clock">, home: Home, provider: string): Promise<boolean> {
  return await setMode(ports, home, provider, (mode) => (mode === OAUTH_MODE ? undefined : OAUTH_MODE));
}

/** Takes that back; a provider that does not run on its sign-in is left as it is. Throws as enableInConfig. */
export async function useApiKey(ports: Pick<Ports, "clock">, home: Home, provider: string): Promise<boolean> {
  return await setMode(ports, home, provider, (mode) => (mode === OAUTH_MODE ? API_KEY_MODE : undefined));
}

async function setMode(
  ports: Pick<Ports, "clock">,
  home: Home,
  provider: string,
  next: (mode: string | undefined) => string | undefined,
): Promise<boolean> {
  let changed = false;
  await edit(ports, home, ({ providers }) => {
    const mode = next(providers.get(provider)?.authMode);
    changed = mode !== undefined;
    return mode === undefined ? [] : [setAt(["fermix_core", "providers", provider, "auth_mode"], mode)];
  });
  return changed;
}
