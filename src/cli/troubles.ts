/** What keeps enabled plugins from serving, one notice each, for verbs that show what agents get. */
import type { Host } from "../host/host.ts";
import { isDisabled, standingOf } from "../host/standing.ts";
import { factsOf, fixFor } from "../plugins/readiness.ts";
import { failureNotice } from "./failure-notice.ts";

/** `NAME: status. Fix: …` for every enabled plugin without tools, and each tool whose name another plugin has. */
export function troubles(host: Pick<Host, "plugins" | "registry">): readonly string[] {
  const shadowed = host.registry().shadowed.map(({ name, plugin }) => {
    return `${plugin}: its tool ${name} is left out, because another plugin has that name.`;
  });
  const stuck = host.plugins().flatMap((hosted) => {
    const { name } = hosted;
    const standing = standingOf(hosted);
    if (isDisabled(hosted)) return [];
    if (standing.kind === "failed") return [failureNotice(standing.error)];
    if (standing.kind === "starting") return [`${name}: still starting.`];
    if (standing.kind !== "not_ready") return [];
    const { readiness } = standing;
    const facts = factsOf(readiness);
    return [`${name}: ${readiness.status}${facts === "" ? "" : ` (${facts})`}. Fix: ${fixFor(name, readiness)}`];
  });
  return [...stuck, ...shadowed];
}
