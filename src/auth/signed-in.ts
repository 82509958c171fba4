/** Finds the sign-in that a plugin may use, or says what keeps it from that (spec 6.1 rung 8, AUTH-8). */
import type { Home } from "../files/home.ts";
import { FermixError } from "../kernel/error.ts";
import type { PluginAuth } from "../manifest/manifest.ts";
import { type AuthDocument, entryIn, readAuthFile, readAuthFileAnew } from "./auth-file.ts";
import { Credential } from "./credential.ts";
import type { Grant } from "./credential-source.ts";
import { standingOf } from "./entry-status.ts";
import { type EntryReading, foreignness, readEntry, type SignInEntry } from "./sign-in-entry.ts";

export interface TokenPlugin {
  readonly name: string;
  readonly auth: Extract<PluginAuth, { type: "oauth2" }>;
  /** The name of its entry in auth.json. */
  readonly profile: string;
  /** How that entry is marked, where it is not a plugin's. */
  readonly authMode?: string;
}

export interface SignedIn {
  readonly entry: SignInEntry;
  readonly grant: Grant;
}

/** Spec 8.3: a token this close to its end could end on the way. */
const MARGIN_MS = 10_000;

/** Readings by the entry they are of: the same file gives the same objects, so a call costs one look at the disk. */
const readings = new WeakMap<object, { readonly read: EntryReading; readonly grant: Grant | undefined }>();

/**
 * The plugin's sign-in as auth.json has it. Throws not_connected, reauthorization_required, sign_in_unusable (no token,
 * another region, a sign-in of another kind or provider), or what is wrong with the file.
 */
export function signedIn(home: Home, plugin: TokenPlugin): SignedIn {
  return judge(readAuthFile(home), plugin);
}

/** The same, from the disk. */
export function signedInAnew(home: Home, plugin: TokenPlugin): SignedIn {
  return judge(readAuthFileAnew(home), plugin);
}

/** Whether the access token has ended or is about to. */
export function endsSoon({ expiresAt }: SignInEntry, now: number): boolean {
  return expiresAt !== undefined && expiresAt - now <= MARGIN_MS;
}

/** Whether the access token has not ended yet. */
export function isAlive({ expiresAt }: SignInEntry, now: number): boolean {
  return expiresAt === undefined || expiresAt > now;
}

function judge(document: AuthDocument, plugin: TokenPlugin): SignedIn {
  const raw = entryIn(document, plugin.profile);
  if (raw === undefined) throw new FermixError("not_connected", { plugin: plugin.name });
  const { read, grant } = reading(raw);
  if (!read.ok || grant === undefined) throw unusable(plugin, read.ok ? "" : read.reason);
  const standing = standingOf(read.entry.status);
  if (standing === "ended") throw new FermixError("reauthorization_required", { plugin: plugin.name });
  // A client that was refused may have been corrected since: its next refresh tells.
  if (standing !== "usable" && read.entry.status !== "client_rejected") throw unusable(plugin, standing.reason);
  const foreign = foreignness(read.entry, plugin.auth.provider, plugin.authMode);
  if (foreign !== undefined) throw unusable(plugin, foreign);
  return { entry: read.entry, grant };
}

function reading(raw: unknown): { readonly read: EntryReading; readonly grant: Grant | undefined } {
  if (typeof raw !== "object" || raw === null) return { read: readEntry(raw), grant: undefined };
  const known = readings.get(raw);
  if (known !== undefined) return known;
  const read = readEntry(raw);
  const made = { read, grant: read.ok ? grantOf(read.entry) : undefined };
  readings.set(raw, made);
  return made;
}

function grantOf({ accessToken, grantedScopes, region }: SignInEntry): Grant {
  const scopes = grantedScopes === undefined || grantedScopes.length === 0 ? undefined : grantedScopes;
  return { credential: new Credential(accessToken), grantedScopes: scopes, region };
}

function unusable({ name, profile }: TokenPlugin, reason: string): FermixError {
  return new FermixError("sign_in_unusable", { plugin: name, profile, reason });
}
