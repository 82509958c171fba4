/** What the plugins verbs say on stderr besides their answer. */
import { readConfig } from "../../config/read.ts";
import type { PluginName } from "../../kernel/names.ts";
import type { App } from "../../plugins/app.ts";
import { factsOf, fixFor, isEnabled, type Readiness } from "../../plugins/readiness.ts";

/** After a change on disk: nothing has to be told to anyone (spec 7.1; `mcp serve` watches its home). */
export const PICKED_UP = "no daemon is running; every `fermix mcp serve` picks this up by itself";

/** Beside an answer without rows. */
export const NOTHING_INSTALLED = "no plugins are installed; `fermix plugins catalog` shows what there is";

/** After a version of a plugin came in: who picks it up, or that nobody does while it is off (spec 7.1). */
export async function arrivalNotice({ home }: App, name: PluginName): Promise<string> {
  if (isEnabled(await readConfig(home), name)) return PICKED_UP;
  return `${name} is not enabled yet: \`fermix plugins enable ${name}\` gives its tools to agents`;
}

/** Where a plugin stands when it cannot be used yet; nothing when it is ready. */
export function standingNotices(name: string, readiness: Readiness): readonly string[] {
  if (readiness.status === "ready") return [];
  // What is wrong may be a whole sentence; in parentheses it is a part of this one.
  const facts = factsOf(readiness).replace(/\.$/, "");
  return [`${name} is ${readiness.status}${facts === "" ? "" : ` (${facts})`}. Fix: ${fixFor(name, readiness)}`];
}

/** A cell that may have nothing in it. */
export function cell(text: string | undefined): string {
  return text === undefined || text === "" ? "-" : text;
}
