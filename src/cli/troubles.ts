/** What keeps enabled plugins from serving, one notice each, for verbs that show what agents get. */
import type { Host } from "../host/host.ts";
import { isDisabled, standingOf } from "../host/standing.ts";
import { fixFor } from "../plugins/readiness.ts";

/** `NAME: status. Fix: …` for every enabled plugin without tools. */
export function troubles(host: Pick<Host, "plugins">): readonly string[] {
  return host.plugins().flatMap((hosted) => {
    const { name } = hosted;
    const standing = standingOf(hosted);
    if (isDisabled(hosted)) return [];
    if (standing.kind === "failed") return [`${standing.error.message} Fix: ${standing.error.fix}`];
    if (standing.kind === "starting") return [`${name}: still starting.`];
    if (standing.kind !== "not_ready") return [];
    return [`${name}: ${standing.readiness.status}. Fix: ${fixFor(name, standing.readiness)}`];
  });
}
