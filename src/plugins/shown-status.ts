/** How a plugin stands as every surface shows it: one status, its facts, its account and the one thing to do (RDY-1, RDY-2). */
import { reauthorizeCommand } from "../auth/stale.ts";
import type { App } from "./app.ts";
import type { ExcludedPlugin, LoadReport } from "./load.ts";
import { factsOf, fixFor, type Readiness, readinessOfName, signInShown } from "./readiness.ts";

export interface ShownStatus {
  readonly readiness: Readiness;
  /** The account it is signed in with. */
  readonly account: string | undefined;
  /** Its sign-in ended long ago and nobody has used it since: it may have to be made anew (STA-1). */
  readonly stale: boolean;
  /** What is known besides the status; "" when nothing is. */
  readonly detail: string;
  /** The next action; "" when there is none. */
  readonly fix: string;
  /** Why the plugin is left out of loading. */
  readonly excludedBecause: string | undefined;
}

/** The status of any name, loaded or not. */
export async function shownStatus(app: App, report: LoadReport, name: string): Promise<ShownStatus> {
  const plugin = report.plugins.find((loaded) => loaded.name === name);
  const readiness = await readinessOfName(app, report, name);
  const { account, stale } = plugin === undefined ? NOBODY : signInShown(app, report.config, plugin);
  // A sign-in that is not good any more has its own status; one that only slept has none.
  const sleeping = stale && readiness.status === "ready";
  const left = plugin === undefined ? report.excluded.find((excluded) => excluded.name === name) : undefined;
  return {
    readiness,
    account,
    stale: sleeping,
    detail: left?.error.message ?? (sleeping ? STALE : factsOf(readiness)),
    fix: sleeping ? reauthorizeCommand(name) : (offFix(left, readiness) ?? fixFor(name, readiness)),
    excludedBecause: left?.error.message,
  };
}

const NOBODY = { account: undefined, stale: false } as const;
/** The badge of the product document ("Stale token detection"). */
const STALE = "Reconnect needed";

/** Switching on a plugin that could not be loaded would not help it. */
function offFix(left: ExcludedPlugin | undefined, { status }: Readiness): string | undefined {
  return status === "not_configured" ? left?.error.fix : undefined;
}
