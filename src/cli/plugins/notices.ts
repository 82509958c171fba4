/** What the plugins verbs say on stderr besides their answer. */
import { factsOf, fixFor, type Readiness } from "../../plugins/readiness.ts";

/** After a change on disk: nothing has to be told to anyone (spec 7.1; `mcp serve` watches its home). */
export const PICKED_UP = "no daemon is running; every `fermix mcp serve` picks this up by itself";

/** Where a plugin stands when it cannot be used yet; nothing when it is ready. */
export function standingNotices(name: string, readiness: Readiness): readonly string[] {
  if (readiness.status === "ready") return [];
  const facts = factsOf(readiness);
  return [`${name} is ${readiness.status}${facts === "" ? "" : ` (${facts})`}. Fix: ${fixFor(name, readiness)}`];
}

/** A cell that may have nothing in it. */
export function cell(text: string | undefined): string {
  return text === undefined || text === "" ? "-" : text;
}
