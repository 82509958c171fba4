/** Tells the log how each plugin stands, and again whenever that changes. */
import type { Host } from "./host.ts";
import { type HostedPlugin, sessionOf, standingOf } from "./standing.ts";

/** What a plugin that is switched off is said to be; one that was never on is not told of. */
const OFF = "not_configured";
const GONE = "gone";
/** All else is something that somebody may have to look at. */
const FINE: ReadonlySet<string> = new Set([OFF, GONE, "ready", "starting"]);

/** Writes a line for each plugin that is switched on now, and one for each change, or fault of all, from now on. */
export function logStandings(host: Host): void {
  const { log } = host.app.ports;
  const told = new Map<string, string>();
  let fault: string | undefined;
  const tell = (): void => {
    const faultNow = host.fault()?.code;
    if (faultNow !== fault)
      log.write(faultNow === undefined ? "info" : "warn", "plugins", { state: faultNow ?? "loaded" });
    fault = faultNow;
    const now = new Map(host.plugins().map((hosted) => [hosted.name, stateOf(hosted)]));
    for (const plugin of told.keys()) if (!now.has(plugin)) now.set(plugin, GONE);
    for (const [plugin, state] of now) {
      if (state === undefined || (told.get(plugin) ?? OFF) === state) continue;
      told.set(plugin, state);
      log.write(FINE.has(state) ? "info" : "warn", "plugin", { plugin, state });
    }
    for (const [plugin, state] of told) if (state === GONE) told.delete(plugin);
  };
  host.onChange(tell);
  tell();
}

/** The status that `list` shows, or the code of what is wrong; undefined for one that is not served here (any more). */
function stateOf(hosted: HostedPlugin): string | undefined {
  // At the end of the process a session closes and none follows it.
  if (sessionOf(hosted)?.state().status === "closed") return undefined;
  const standing = standingOf(hosted);
  switch (standing.kind) {
    case "serving":
      return "ready";
    case "starting":
      return "starting";
    case "left_out":
      return undefined;
    case "failed":
      return standing.error.code;
    case "not_ready": {
      const { readiness } = standing;
      return readiness.status === "error" ? (readiness.error?.code ?? "error") : readiness.status;
    }
  }
}
