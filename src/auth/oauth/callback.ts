/** Settles where a provider sends the browser back to: its own address, what config.toml says, or --port (DECISIONS 29). */
import { FermixError } from "../../kernel/error.ts";
import type { LoginProvider } from "./login-providers.ts";

/** Where the provider sends the browser back to: the first free port, or the only one. */
export interface Callback {
  readonly host: string;
  readonly path: string;
  readonly ports: readonly number[];
}

/** What config.toml says of it, under `[fermix_core.oauth.<provider>]`. */
export interface CallbackSettings {
  readonly redirectHost?: string | undefined;
  readonly redirectPort?: number | undefined;
}

/** The two names of the only address that Fermix listens at (AUTH-9). */
const HOSTS: readonly string[] = ["127.0.0.1", "localhost"];

/** The redirect URI at a port, as it is registered with the provider and sent to it, letter by letter (CASE-47). */
export function redirectUri({ host, path }: Callback, port: number): string {
  return `http://${host}:${port}${path}`;
}

/**
 * Where to listen. A provider with one registered port is reached at that one, or at the one that config.toml names:
 * another `port` throws login_port_fixed. A redirect_host that is not this machine throws login_host_unusable.
 */
export function callbackOf(provider: LoginProvider, settings: CallbackSettings = {}, port?: number): Callback {
  const { redirectHost: host = provider.redirectHost, redirectPort } = settings;
  const details = { provider: provider.name, id: provider.tokens.id };
  if (!HOSTS.includes(host)) throw new FermixError("login_host_unusable", { ...details, host });
  const ports = redirectPort === undefined ? provider.ports : [redirectPort];
  const [only] = ports;
  if (port !== undefined && provider.ports.length === 1 && only !== undefined && port !== only) {
    throw new FermixError("login_port_fixed", { ...details, port, fixed: only });
  }
  return { host, path: provider.redirectPath, ports: port === undefined ? ports : [port] };
}
