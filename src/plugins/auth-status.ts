/** How each plugin's credential stands, without asking any provider and without giving anything of it away (spec 7.1). */
import { readSignIns, type SignIn, type SignIns } from "../auth/entry-status.ts";
import { type KeySource, keySource } from "../auth/key-source.ts";
import { askedOnce } from "../auth/keychain-item.ts";
import { hasPluginKey, type KeyedPlugin } from "../auth/plugin-key.ts";
import { isStale } from "../auth/stale.ts";
import { FermixError, isFermixError, never } from "../kernel/error.ts";
import type { Keychain } from "../kernel/ports.ts";
import type { Manifest } from "../manifest/manifest.ts";
import type { App } from "./app.ts";
import { keptCredentials } from "./kept-credentials.ts";
import { notHere } from "./known.ts";
import { type LoadReport, loadPlugins } from "./load.ts";
import { offeredManifest } from "./offered-manifest.ts";
import { fixFor, profileOf } from "./readiness.ts";

type CredentialStatus = "ready" | "missing" | "reauthorization_required" | "client_rejected" | "error" | "none";

export interface CredentialRow {
  readonly plugin: string;
  readonly auth: "oauth2" | "api_key" | "none";
  /** The entry of auth.json; undefined for a key. */
  readonly profile: string | undefined;
  readonly status: CredentialStatus;
  readonly account: string | undefined;
  /** Where a key comes from. */
  readonly source: KeySource | undefined;
  /** When the access token ends, in Unix milliseconds. */
  readonly expiresAt: number | undefined;
  /** It ended long ago and nobody has used it since (STA-1). */
  readonly stale: boolean;
  readonly error: string | undefined;
  /** The command that helps; undefined when nothing has to be done. */
  readonly fix: string | undefined;
  /** Why the plugin itself is not here; undefined when it is. */
  readonly absent: FermixError | undefined;
}

/**
 * The rows of all loaded plugins that need a credential and of all others that have one, or of the one that is named: it
 * may be only in the catalog, because its key may be set before it is installed. Throws as `notHere`.
 */
export async function authStatus(app: App, name?: string): Promise<readonly CredentialRow[]> {
  const report = await loadPlugins(app);
  const plugins = name === undefined ? await allOf(app, report) : [await manifestOf(app, report, name)];
  const { keychain } = app.ports;
  const signIns = readSignIns(app.home);
  const once = askedOnce({ findEach: (questions) => keychain.findEach(questions) });
  // At once, so that their questions to the keychain are one.
  return await Promise.all(plugins.map((plugin) => rowOf(app, report, { signIns, keychain: once }, plugin)));
}

async function allOf(app: App, report: LoadReport): Promise<readonly Manifest[]> {
  const loaded = report.plugins.map(({ manifest }) => manifest).filter(({ auth }) => auth.type !== "none");
  const byName = (one: Manifest, other: Manifest) => (one.name < other.name ? -1 : 1);
  return [...loaded, ...(await keptCredentials(app, report))].toSorted(byName);
}

async function manifestOf(app: App, report: LoadReport, name: string): Promise<Manifest> {
  const loaded = report.plugins.find((plugin) => plugin.name === name)?.manifest;
  const manifest = loaded ?? (await offeredManifest(app, name));
  if (manifest === undefined) throw notHere(app, report, name);
  return manifest;
}

interface Places {
  readonly signIns: SignIns;
  readonly keychain: Keychain;
}

const NOTHING = {
  profile: undefined,
  account: undefined,
  source: undefined,
  expiresAt: undefined,
  stale: false,
  error: undefined,
  fix: undefined,
} as const;

async function rowOf(app: App, report: LoadReport, places: Places, manifest: Manifest): Promise<CredentialRow> {
  const { name, auth } = manifest;
  const isHere = report.plugins.some((plugin) => plugin.name === name);
  const row = { ...NOTHING, plugin: name, absent: isHere ? undefined : notHere(app, report, name) };
  switch (auth.type) {
    case "none":
      return { ...row, auth: "none", status: "none" };
    case "api_key":
      return { ...row, auth: "api_key", ...(await keyRow(app, report, places, { name, auth })) };
    case "oauth2": {
      const profile = profileOf(manifest, report.config.plugins.settings.get(name) ?? new Map());
      const signIn = places.signIns.of(profile, auth.provider);
      const of = { plugin: name, provider: auth.provider, profile };
      return { ...row, auth: "oauth2", profile, ...signInRow(of, signIn, app.ports.clock.now()) };
    }
    default:
      return never(auth);
  }
}

type Found = Pick<CredentialRow, "status"> & Partial<CredentialRow>;

async function keyRow({ env }: App, { config }: LoadReport, { keychain }: Places, plugin: KeyedPlugin): Promise<Found> {
  const source = keySource(env, config, plugin.name);
  const fix = fixFor(plugin.name, { status: "needs_secret" });
  try {
    const found = await hasPluginKey(keychain, env, config, plugin);
    return found ? { status: "ready", source } : { status: "missing", source, fix };
  } catch (error) {
    if (!isFermixError(error)) throw error;
    return { status: "error", source, error: error.message, fix: error.fix };
  }
}

/** Every fix is the one that `list` and the agent show for the same trouble (RDY-2). */
function signInRow(
  { plugin, provider, profile }: { readonly plugin: string; readonly provider: string; readonly profile: string },
  signIn: SignIn,
  now: number,
): Found {
  const reauthorize = fixFor(plugin, { status: "reauthorization_required" });
  switch (signIn.state) {
    case "absent":
      return { status: "missing", fix: fixFor(plugin, { status: "needs_auth" }) };
    case "connected": {
      const { account, expiresAt } = signIn;
      const stale = isStale(expiresAt, now);
      return { status: "ready", account, expiresAt, stale, fix: stale ? reauthorize : undefined };
    }
    case "reauthorize":
      return { status: "reauthorization_required", account: signIn.account, fix: reauthorize };
    case "client_rejected": {
      const { account, reason } = signIn;
      const { message, fix } = new FermixError("oauth_client_rejected", { plugin, provider, reason });
      return { status: "client_rejected", account, error: message, fix };
    }
    case "refused": {
      const { account, reason } = signIn;
      const { message } = new FermixError("sign_in_unusable", { plugin, profile, reason });
      return { status: "error", account, error: message, fix: reauthorize };
    }
    case "unreadable":
      return { status: "error", error: signIn.error.message, fix: signIn.error.fix };
    default:
      return never(signIn);
  }
}
