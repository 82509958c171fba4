/** Tells a sign-in that has gone stale from disuse (STA-1, spec 8.3), by auth.json alone: nobody is asked over the network. */
import type { Home } from "../files/home.ts";
import { quote } from "../kernel/codes/row.ts";
import { asPluginName } from "../kernel/names.ts";
import { readAuthFile } from "./auth-file.ts";
import { modelProviders } from "./models/model-providers.ts";
import { readEntry } from "./sign-in-entry.ts";

/** A token in use is refreshed before it ends, so one that ended longer ago than this has not been used. */
export const STALE_AFTER_MS = 3_600_000;
/** What a plugin's own profile ends with (spec 1.2). */
const OWN_PROFILE = /:primary$/;

/** Whether a token that ends then is stale now; one without an end never is. Both in Unix milliseconds. */
export function isStale(expiresAt: number | undefined, now: number): boolean {
  return expiresAt !== undefined && now - expiresAt > STALE_AFTER_MS;
}

/**
 * The profiles of auth.json whose token is stale, in the order of the file; an entry that can't be read is none of them.
 * Throws the faults of `readAuthFile`.
 */
export function staleProfiles(home: Home, now: number): readonly string[] {
  return Object.entries(readAuthFile(home).providers).flatMap(([profile, raw]) => {
    const read = readEntry(raw);
    return read.ok && isStale(read.entry.expiresAt, now) ? [profile] : [];
  });
}

/** Who signed in with a profile, as the commands name it, and the command that connects it anew. */
export interface Reconnection {
  readonly name: string;
  /** In backquotes, as every fix is shown; a sentence where no command of Fermix can do it. */
  readonly command: string;
}

/**
 * What connects a profile anew: a provider's own login, or that of each plugin that uses the profile; `plugins` are
 * those. A plugin's own profile that nothing here uses keeps its plugin's name.
 */
export function reconnections(profile: string, plugins: readonly string[]): readonly Reconnection[] {
  const provider = modelProviders.find((known) => known.profile === profile);
  if (provider !== undefined) {
    return [{ name: provider.id, command: `\`fermix auth login --provider ${provider.words[0]}\`` }];
  }
  if (plugins.length > 0) return plugins.map((name) => ({ name, command: reauthorizeCommand(name) }));
  const name = asPluginName(profile.replace(OWN_PROFILE, ""));
  // A name that nobody here knows is another program's: it is told, and never put into a command.
  if (name === undefined) return [{ name: quote(profile), command: "sign in again with the program that made it" }];
  return [{ name, command: reauthorizeCommand(name) }];
}

/** The command that connects a plugin anew (product document "Stale token detection"). */
export function reauthorizeCommand(plugin: string): string {
  return `\`fermix plugins auth reauthorize ${plugin}\``;
}
