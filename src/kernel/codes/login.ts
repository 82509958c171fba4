/** Failures of signing in: the port, the page, its answer and the tokens for it. Nothing of a sign-in that failed is kept. */
import { quote, row } from "./row.ts";

interface AtProvider {
  /** As people call it. */
  provider: string;
  /** As config.toml calls it. */
  id: string;
}

const AGAIN = "run the command again";

const listenCodes = {
  /** `holder` and `pid`: the program that has the port, where the system tells. */
  login_port_in_use: row<AtProvider & { ports: readonly number[]; holder?: string; pid?: number }>({
    says: ({ provider, holder, pid, ports }) => {
      const by = holder === undefined ? "" : ` by ${quote(holder)} (process ${pid})`;
      return `${provider} sends the browser back to port ${ports.join(", ")} of 127.0.0.1, which is in use${by}.`;
    },
    fix: ({ id }) =>
      `end what holds it, or set redirect_port under [fermix_core.oauth.${id}] in config.toml and register the new redirect URI with the provider`,
    exit: "failed",
  }),
  login_listen_failed: row<AtProvider & { port: number; reason: string }>({
    says: ({ port, reason }) => `Port ${port} of 127.0.0.1 can't be listened on: ${quote(reason)}.`,
    fix: ({ id }) => `set another redirect_port under [fermix_core.oauth.${id}] in config.toml`,
    exit: "failed",
  }),
  login_port_fixed: row<AtProvider & { port: number; fixed: number }>({
    says: ({ provider, port, fixed }) =>
      `${provider} sends the browser back to port ${fixed} alone, as it is registered there, so --port ${port} can't be used.`,
    fix: ({ id, port }) =>
      `leave --port out, or set redirect_port = ${port} under [fermix_core.oauth.${id}] in config.toml and register the new redirect URI`,
    exit: "usage",
  }),
  login_host_unusable: row<AtProvider & { host: string }>({
    says: ({ id, host }) =>
      `redirect_host under [fermix_core.oauth.${id}] is ${quote(host)}, and Fermix listens on this machine alone.`,
    fix: () => 'set it to "127.0.0.1" or "localhost", as it is registered with the provider',
    exit: "failed",
  }),
} as const;

const answerCodes = {
  /** `ownClient`: the user registered its redirect URI. `canPaste`: a terminal would have taken the answer. */
  login_timed_out: row<{
    provider: string;
    seconds: number;
    redirectUri: string;
    ownClient: boolean;
    openBrowser: boolean;
    canPaste: boolean;
  }>({
    says: ({ provider, seconds }) => `No answer from ${provider} came back within ${seconds} s; nothing was stored.`,
    fix: ({ redirectUri, ownClient, openBrowser, canPaste }) =>
      [
        AGAIN,
        ...(ownClient
          ? [`if the page complained of the redirect URI, register ${redirectUri} with the provider`]
          : ["if the time was short, give more with --timeout SECONDS"]),
        ...(openBrowser ? ["if the browser is on another machine, use --no-browser"] : []),
        ...(openBrowser || canPaste
          ? []
          : ["if the browser is on another machine, run it on a terminal, which takes the address of the last page"]),
      ].join("; "),
    exit: "failed",
  }),
  login_stopped: row<{ command: string }>({
    says: () => "The sign-in was stopped; nothing was stored.",
    fix: ({ command }) => `\`${command}\` starts it again`,
    exit: "failed",
  }),
  login_superseded: row<{ provider: string }>({
    says: ({ provider }) =>
      `Another sign-in with ${provider} was started and took over the port; nothing was stored here.`,
    fix: () => "finish the one that was started last",
    exit: "failed",
  }),
  login_state_mismatch: row<{ provider: string }>({
    says: ({ provider }) =>
      `What came back from ${provider} belongs to another sign-in (its state is not this one's); nothing was stored.`,
    fix: () => `close older sign-in pages, then ${AGAIN}`,
    exit: "refused",
  }),
  login_code_missing: row<{ provider: string }>({
    says: ({ provider }) => `What came back from ${provider} holds no authorization code; nothing was stored.`,
    fix: () => AGAIN,
    exit: "failed",
  }),
  login_denied: row<{ provider: string }>({
    says: ({ provider }) => `Access was denied on the page of ${provider} (access_denied); nothing was stored.`,
    fix: () => `${AGAIN} and allow the access`,
    exit: "failed",
  }),
  login_client_rejected: row<AtProvider & { reason: string }>({
    says: ({ provider, reason }) => `${provider} refused the OAuth client: ${reason}; nothing was stored.`,
    fix: ({ id }) => `correct client_id and client_secret: \`fermix auth client ${id} --id ID\``,
    exit: "needs_connecting",
  }),
  login_failed: row<AtProvider & { reason: string }>({
    says: ({ provider, reason }) => `${provider} gave no sign-in: ${reason}; nothing was stored.`,
    fix: () => AGAIN,
    exit: "failed",
  }),
} as const;

const pluginCodes = {
  auth_not_required: row<{ plugin: string; type: "api_key" | "none" }>({
    says: ({ plugin, type }) =>
      type === "none" ? `${plugin} needs no credential.` : `${plugin} takes an API key, not a sign-in.`,
    fix: ({ plugin, type }) =>
      type === "none" ? `\`fermix plugins enable ${plugin}\`` : `\`fermix plugins auth set ${plugin}\``,
    exit: "usage",
  }),
  login_provider_unknown: row<{ plugin: string; provider: string }>({
    says: ({ plugin, provider }) =>
      `${plugin} signs in with ${quote(provider)}, and this version of Fermix does not know how.`,
    fix: () => "`fermix upgrade`",
    exit: "failed",
  }),
  login_client_missing: row<AtProvider>({
    says: ({ provider }) =>
      `There is no OAuth client for ${provider} yet: its client_id or its client_secret is missing.`,
    fix: ({ id }) => `\`fermix auth client ${id} --id ID\`, which also says which redirect URI to register`,
    exit: "needs_connecting",
  }),
  login_other_account: row<{ provider: string; wanted: string; found: string }>({
    says: ({ provider, wanted, found }) =>
      `${provider} signed in ${quote(found)}, and --account asked for ${quote(wanted)}; nothing was stored.`,
    fix: () => `${AGAIN} and choose that account, or leave --account out`,
    exit: "failed",
  }),
  no_refresh_token: row<{ plugin: string }>({
    says: ({ plugin }) => `The sign-in of ${plugin} has no refresh token, so there is nothing to refresh; it is kept.`,
    fix: ({ plugin }) => `\`fermix plugins auth reauthorize ${plugin}\`, if the provider no longer takes it`,
    exit: "failed",
  }),
} as const;

export const loginCodes = { ...listenCodes, ...answerCodes, ...pluginCodes } as const;
