/** Whether auth.json is this user's alone, and whether a sign-in in it has gone stale (STA-1, STA-2); nobody is asked. */
import { readAuthFile } from "../../auth/auth-file.ts";
import { type Reconnection, reconnections, staleProfiles } from "../../auth/stale.ts";
import { isThere } from "../../files/look.ts";
import { type FermixError, isFermixError } from "../../kernel/error.ts";
import type { App } from "../app.ts";
import type { LoadReport } from "../load.ts";
import { profileOf } from "../readiness.ts";
import { attempt, type Check, failure, ok, warn } from "./check.ts";

const MODE = "auth file mode";
const TOKENS = "auth tokens";

/** Two rows: the file, and the tokens in it. `report`: whose names the profiles are given, where plugins load. */
export async function checkAuthFile(app: App, report: LoadReport | undefined): Promise<readonly Check[]> {
  const { home } = app;
  const stale = await attempt(() => {
    readAuthFile(home);
    return staleProfiles(home, app.ports.clock.now());
  });
  if (isFermixError(stale)) return [failure(MODE, stale), notChecked(stale)];
  const there = isThere(home.authFile) ? `0600, ${home.authFile}` : `no sign-ins yet, ${home.authFile}`;
  return [
    ok(MODE, there),
    tokens(stale.flatMap((profile) => reconnections(profile, report === undefined ? [] : usersOf(report, profile)))),
  ];
}

/** The sentences are the product document's, word for word. */
function tokens(stale: readonly Reconnection[]): Check {
  if (stale.length === 0) return ok(TOKENS, "no stale OAuth tokens");
  const names = stale.map(({ name }) => name).join(", ");
  return warn(TOKENS, `stale, re-auth may be needed: ${names}`, stale.map(({ command }) => command).join("; "));
}

/** The plugins that use a sign-in. */
function usersOf({ plugins, config }: LoadReport, profile: string): readonly string[] {
  const users = plugins.filter(({ name, manifest }) => {
    return (
      manifest.auth.type === "oauth2" && profileOf(manifest, config.plugins.settings.get(name) ?? new Map()) === profile
    );
  });
  return users.map(({ name }) => name);
}

function notChecked({ fix }: FermixError): Check {
  return warn(TOKENS, "not checked, because auth.json can't be used", fix);
}
