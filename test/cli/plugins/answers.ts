/** Runs a verb as the command line does and gives what a terminal, a pipe and --json would each show. */
import { renderView } from "../../../src/cli/render.ts";
import type { ArgSpecs, ParsedArgs, Verb } from "../../../src/cli/verb.ts";
import type { App } from "../../../src/plugins/app.ts";

export interface Answers {
  readonly terminal: string;
  readonly piped: string;
  readonly json: unknown;
  readonly notices: readonly string[];
  readonly exit: string;
}

export async function answers<Specs extends ArgSpecs>(
  verb: Verb<Specs>,
  app: App,
  args: ParsedArgs<Specs>,
): Promise<Answers> {
  const view = await verb.run(app, args);
  if (view === undefined) throw new Error("the verb answered nothing");
  return {
    terminal: renderView(view, { json: false, terminal: true }) ?? "",
    piped: renderView(view, { json: false, terminal: false }) ?? "",
    json: JSON.parse(renderView(view, { json: true, terminal: false }) ?? "null"),
    notices: view.notices ?? [],
    exit: view.exit ?? "ok",
  };
}
