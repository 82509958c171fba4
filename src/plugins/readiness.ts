/** Whether a plugin can be used right now, and if not, what its fix needs (spec 6.1, product document "Readiness states"). */
import { readSignIns, type SignIn, type SignIns } from "../auth/entry-status.ts";
import { askedOnce } from "../auth/keychain-item.ts";
import { findProvider } from "../auth/oauth-providers.ts";
import { isStale } from "../auth/stale.ts";
import type { Config, PluginSettings } from "../config/config.ts";
import { FermixError, isFermixError, never } from "../kernel/error.ts";
import type { PluginName } from "../kernel/names.ts";
import type { Keychain } from "../kernel/ports.ts";
import type { HostedManifest, LoadedPlugin, LocalManifest, Manifest, PluginAuth } from "../manifest/manifest.ts";
import type { App } from "./app.ts";
import type { LoadReport } from "./load.ts";

export type Readiness =
  | { readonly status: "ready" }
  | { readonly status: "not_configured" }
  | ({ readonly status: "missing_host_runtime" } & MissingRuntime)
  | { readonly status: "needs_config"; readonly key: string }
  | { readonly status: "needs_secret" }
  | { readonly status: "needs_workspace" }
  | { readonly status: "invalid_remote_config"; readonly key: string }
  | { readonly status: "needs_client_config"; readonly provider: string }
  | { readonly status: "needs_auth" }
  | { readonly status: "reauthorization_required" }
  | { readonly status: "not_installed" }
  | { readonly status: "incompatible"; readonly reason: string }
  /** `error`: the named failure behind it, where there is one, for those who can pass it on whole. */
  | { readonly status: "error"; readonly reason: string; readonly error?: FermixError };

interface MissingRuntime {
  readonly wanted: string;
  readonly lookedIn: readonly string[];
  /** What is there instead. */
  readonly found?: string;
}

const READY: Readiness = { status: "ready" };
/** A workspace id comes from the vendor and is put into every call (spec 5.1). */
const WORKSPACE_ID = /^[\x21-\x7e]{1,256}$/;

/** Whether the operator switched a plugin on: it is listed, and its own table does not say `enabled = false`. */
export function isEnabled({ plugins }: Config, name: string): boolean {
  const listed = plugins.enabled.find((enabled) => enabled === name);
  return listed !== undefined && plugins.settings.get(listed)?.get("enabled") !== false;
}

/** The readiness of a loaded plugin: the first rung of spec 6.1 that does not hold, else ready. */
export async function readinessOf(app: App, config: Config, plugin: LoadedPlugin): Promise<Readiness> {
  const { name, manifest } = plugin;
  if (!isEnabled(config, name)) return { status: "not_configured" };
  const settings = settingsOf(config, name);
  return (
    (await missingRuntime(app, plugin, settings)) ??
    missingSetting(manifest, settings) ??
    (await missingCredential(app, config, manifest, settings)) ??
    (manifest.rail === "hosted-mcp" ? missingRemoteConfig(manifest, settings) : undefined) ??
    READY
  );
}

/** The readiness of a name that may have no loaded manifest: left out, not installed, or not switched on (spec 6.1). */
export async function readinessOfName(app: App, report: LoadReport, name: string): Promise<Readiness> {
  const plugin = report.plugins.find((loaded) => loaded.name === name);
  if (plugin !== undefined) return await readinessOf(app, report.config, plugin);
  if (!isEnabled(report.config, name)) return { status: "not_configured" };
  const error = report.excluded.find((left) => left.name === name)?.error;
  if (error === undefined) return { status: "not_installed" };
  if (isFermixError(error, "incompatible")) return { status: "incompatible", reason: error.details.reason };
  return failed(error);
}

/** Whose sign-in a plugin has, and whether it has gone stale; nobody's where it has none or is not an OAuth plugin. */
export function signInShown(
  app: App,
  config: Config,
  plugin: LoadedPlugin,
): { readonly account: string | undefined; readonly stale: boolean } {
  const signIn = signInOf(app, config, plugin.manifest, settingsOf(config, plugin.name));
  if (signIn === undefined || signIn.state === "absent") return { account: undefined, stale: false };
  const stale = signIn.state === "connected" && isStale(signIn.expiresAt, app.ports.clock.now());
  return { account: signIn.account, stale };
}

/** What to do about a status, in the words of the product document's readiness table (DECISIONS 31); "" when ready. */
export function fixFor(name: string, readiness: Readiness): string {
  switch (readiness.status) {
    case "ready":
      return "";
    case "not_configured":
      return `\`fermix plugins enable ${name}\``;
    case "missing_host_runtime":
      return `Install or upgrade the runtime, then \`fermix plugins doctor ${name}\``;
    case "needs_config":
      return `\`fermix plugins config set ${name} ${readiness.key} VALUE\``;
    case "needs_secret":
      return `\`fermix plugins auth set ${name}\` (it asks for the value), or \`--stdin\` to pipe it in`;
    case "needs_workspace":
      return "Choose a workspace on the setup Plugins page";
    case "invalid_remote_config":
      return `Choose ${readiness.key} again on the setup Plugins page`;
    case "needs_client_config":
      return clientFix(readiness.provider);
    case "needs_auth":
      return `\`fermix plugins auth login ${name}\` (or connect it on the setup page)`;
    case "reauthorization_required":
      return `\`fermix plugins auth reauthorize ${name}\``;
    case "not_installed":
      return `\`fermix plugins install ${name}\` (or \`enable\` auto-installs it)`;
    case "incompatible":
      return `\`fermix plugins upgrade ${name}\`, or upgrade Fermix`;
    case "error":
      return readiness.error?.fix ?? `\`fermix plugins doctor ${name}\``;
    default:
      return never(readiness);
  }
}

/** The table's words, and the command for a provider that has one: there may be no page to go to (DECISIONS 28). */
function clientFix(provider: string): string {
  const page = "Configure the OAuth client on the setup page";
  return findProvider(provider) === undefined ? page : `${page}, or with \`fermix auth client ${provider} --id ID\``;
}

/** The facts that a status carries besides its name; "" when it has none. */
export function factsOf(readiness: Readiness): string {
  switch (readiness.status) {
    case "missing_host_runtime":
      return `${readiness.wanted}; ${runtimeThere(readiness)}`;
    case "needs_config":
    case "invalid_remote_config":
      return readiness.key;
    case "needs_client_config":
      return readiness.provider;
    case "incompatible":
    case "error":
      return readiness.reason;
    default:
      return "";
  }
}

const NO_SETTINGS: PluginSettings = new Map();

function settingsOf(config: Config, name: PluginName): PluginSettings {
  return config.plugins.settings.get(name) ?? NO_SETTINGS;
}

async function missingRuntime(
  app: App,
  plugin: LoadedPlugin,
  settings: PluginSettings,
): Promise<Readiness | undefined> {
  const { manifest, dir } = plugin;
  if (manifest.rail !== "local-mcp" || dir === undefined || !startsProcess(manifest, settings)) return undefined;
  const { probeRuntime } = await import("../rails/local-mcp/runtime-probe.ts");
  const probe = await probeRuntime(app.ports, app.env, app.home, manifest.runtime, dir);
  if (probe.ok) return undefined;
  const { wanted, lookedIn, found } = probe;
  return { status: "missing_host_runtime", wanted, lookedIn, ...(found === undefined ? {} : { found }) };
}

function runtimeThere({ lookedIn, found }: MissingRuntime): string {
  if (found !== undefined) return `found ${found}`;
  return `looked in: ${lookedIn.length === 0 ? "nowhere, PATH is empty" : lookedIn.join(", ")}`;
}

/** Whether a plugin's process is to run: one behind a switch only while the switch is on (spec 1.4, `requires_setting`). */
export function startsProcess(manifest: LocalManifest, settings: PluginSettings): boolean {
  const key = manifest.runtime.requiresSetting;
  return key === undefined || String(settings.get(key)) === "true";
}

function missingSetting(manifest: Manifest, settings: PluginSettings): Readiness | undefined {
  const missing = manifest.config.find(({ key, required }) => required && !isUsableSetting(settings.get(key)));
  return missing === undefined ? undefined : { status: "needs_config", key: missing.key };
}

/** A value still holding an unresolved `${…}` is as good as unset: it must not reach a child or a provider. */
function isUsableSetting(value: string | boolean | number | undefined): boolean {
  if (value === undefined) return false;
  const text = String(value);
  return text.trim() !== "" && !text.includes("${");
}

/** The rungs of a hosted plugin behind its secret (spec 6.1 rung 4). */
function missingRemoteConfig(manifest: HostedManifest, settings: PluginSettings): Readiness | undefined {
  const profile = settings.get("access_profile");
  if (profile !== undefined && !manifest.toolProfiles.some(({ name }) => name === profile)) {
    return { status: "invalid_remote_config", key: "access_profile" };
  }
  if (manifest.resourceScope === undefined) return undefined;
  const workspace = settings.get("workspace_id");
  if (workspace === undefined || workspace === "") return { status: "needs_workspace" };
  if (typeof workspace !== "string" || !WORKSPACE_ID.test(workspace)) {
    return { status: "invalid_remote_config", key: "workspace_id" };
  }
  return undefined;
}

async function missingCredential(
  app: App,
  config: Config,
  manifest: Manifest,
  settings: PluginSettings,
): Promise<Readiness | undefined> {
  const { auth } = manifest;
  switch (auth.type) {
    case "none":
      return undefined;
    case "api_key":
      return await missingKey(app, config, manifest.name, auth);
    case "oauth2": {
      if (await lacksClient(app, config, auth.provider)) {
        return { status: "needs_client_config", provider: auth.provider };
      }
      return missingSignIn(manifest, profileOf(manifest, settings), signInOf(app, config, manifest, settings));
    }
    default:
      return never(auth);
  }
}

/** One config is one look at the home, so the keychain is asked once for each key and given up at the first trouble. */
const keychainsByConfig = new WeakMap<Config, Keychain>();

/** The keychain for this one look, which asks each question once (`askedOnce`). */
export function keychainOf(ports: Pick<App["ports"], "keychain">, config: Config): Keychain {
  const known = keychainsByConfig.get(config);
  if (known !== undefined) return known;
  // The port is made when it is first used.
  const keychain = askedOnce({ findEach: (questions) => ports.keychain.findEach(questions) });
  keychainsByConfig.set(config, keychain);
  return keychain;
}

/**
 * Whether the provider's client is not set up: no id, no secret, or a sentinel with nothing behind it. A keychain that is
 * locked or away is no reason: the stored token goes on being good, and a refresh names what is wrong.
 */
async function lacksClient({ ports }: App, config: Config, provider: string): Promise<boolean> {
  const { readClient } = await import("../auth/oauth-client.ts");
  try {
    return (await readClient({ keychain: keychainOf(ports, config) }, config, provider)) === undefined;
  } catch (error) {
    if (!isFermixError(error)) throw error;
    return false;
  }
}

/** A key that is there but cannot be read or sent is an error with its reason; what is behind the sentinel counts. */
async function missingKey(
  { ports, env }: App,
  config: Config,
  name: PluginName,
  auth: Extract<PluginAuth, { readonly type: "api_key" }>,
): Promise<Readiness | undefined> {
  const { hasPluginKey } = await import("../auth/plugin-key.ts");
  try {
    const known = await hasPluginKey(keychainOf(ports, config), env, config, { name, auth });
    return known ? undefined : { status: "needs_secret" };
  } catch (error) {
    if (!isFermixError(error)) throw error;
    return failed(error);
  }
}

function missingSignIn(
  manifest: Manifest,
  profile: string,
  signIn: SignIn = { state: "absent" },
): Readiness | undefined {
  const { name: plugin, auth } = manifest;
  switch (signIn.state) {
    case "absent":
      return { status: "needs_auth" };
    case "connected":
      return undefined;
    case "reauthorize":
      return { status: "reauthorization_required" };
    case "client_rejected": {
      const provider = auth.type === "oauth2" ? auth.provider : plugin;
      return failed(new FermixError("oauth_client_rejected", { plugin, provider, reason: signIn.reason }));
    }
    case "refused":
      return failed(new FermixError("sign_in_unusable", { plugin, profile, reason: signIn.reason }));
    case "unreadable":
      return failed(signIn.error);
    default:
      return never(signIn);
  }
}

function failed(error: FermixError): Readiness {
  return { status: "error", reason: error.message, error };
}

/** One config is one look at the home, so auth.json is read once for each. */
const signInsByConfig = new WeakMap<Config, SignIns>();

function signInOf(app: App, config: Config, manifest: Manifest, settings: PluginSettings): SignIn | undefined {
  if (manifest.auth.type !== "oauth2") return undefined;
  let signIns = signInsByConfig.get(config);
  if (signIns === undefined) {
    signIns = readSignIns(app.home);
    signInsByConfig.set(config, signIns);
  }
  return signIns.of(profileOf(manifest, settings), manifest.auth.provider);
}

/** The sign-in of auth.json that a plugin uses: the one its settings name, else its own (spec 8.1). */
export function profileOf(manifest: Manifest, settings: PluginSettings): string {
  const chosen = settings.get("auth_profile");
  return typeof chosen === "string" && chosen !== "" ? chosen : defaultProfile(manifest);
}

/** `<profile_key or plugin>:primary` (spec 1.2). */
export function defaultProfile({ name, auth }: Manifest): string {
  return `${(auth.type === "oauth2" ? auth.profileKey : undefined) ?? name}:primary`;
}
