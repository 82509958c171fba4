/** Settles where a provider sends the browser back to: its own address, what config.toml says, or --port (DECISIONS 29). */
import type { OauthClient } from "../../config/config.ts";
import type { Callback } from "./login-flow.ts";
import type { LoginProvider } from "./login-providers.ts";

/** The redirect URI at a port, as it is registered with the provider and sent to it, letter by letter (CASE-47). */
export function redirectUri({ host, path }: Callback, port: number): string {
  return `http://${host}:${port}${path}`;
}

/** The address to listen at. */
export function callbackOf(provider: LoginProvider, _configured: OauthClient | undefined, _port?: number): Callback {
  return { host: provider.redirectHost, path: provider.redirectPath, ports: provider.ports };
}
