/** The first run itself: install, point at the vault, enable, start, search. */

import { FermixError } from "../../kernel/error.ts";
import { enablePlugin } from "../../plugins/enable.ts";
import { factsOf, fixFor } from "../../plugins/readiness.ts";
import { setPluginConfig } from "../../plugins/set-config.ts";
import { installStep, type Proof } from "./install-step.ts";
import type { Places } from "./places.ts";
import { type Searched, searchStep } from "./search-step.ts";
import type { Say } from "./step-lines.ts";

const PLUGIN = "obsidian";
const VAULT_KEY = "OBSIDIAN_VAULT_PATH";
const SEARCH_TOOL = "obsidian_search_notes";

export interface FirstRun {
  readonly proof: Proof;
  readonly searched: Searched;
}

/** Runs every step in order; the first that fails, or the signal, ends the run with its own reason. */
export async function firstRun({ app, vault, query }: Places, say: Say, signal: AbortSignal): Promise<FirstRun> {
  const proof = await installStep(app, PLUGIN, say, signal);
  await setPluginConfig(app, PLUGIN, VAULT_KEY, vault);
  say(`${VAULT_KEY} is ${vault}`);
  const { readiness } = await enablePlugin(app, PLUGIN, () => Promise.resolve());
  if (readiness.status !== "ready") {
    const { status } = readiness;
    const facts = factsOf(readiness);
    throw new FermixError("plugin_not_ready", { plugin: PLUGIN, status, facts, remedy: fixFor(PLUGIN, readiness) });
  }
  say(`${PLUGIN} is enabled and ready`);
  signal.throwIfAborted();
  const searched = await searchStep(app, { plugin: PLUGIN, tool: SEARCH_TOOL, args: { query } }, signal);
  say(`its server started, offered ${searched.tools.length} tools, and ${SEARCH_TOOL} answered`);
  return { proof, searched };
}
