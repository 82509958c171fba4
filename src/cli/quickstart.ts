/** `fermix quickstart`: a guided first run that ends with the line that adds Fermix to an agent. */
import { join } from "node:path";
import { FermixError } from "../kernel/error.ts";
import type { App } from "../plugins/app.ts";
import { answerView } from "./quickstart/answer.ts";
import { clientLines } from "./quickstart/client-lines.ts";
import { interruptible } from "./quickstart/interrupt.ts";
import { assertLinkable, type LinkPlan, makeLink, planLink } from "./quickstart/link.ts";
import { ownCommand } from "./quickstart/own-command.ts";
import { choosePlaces, discardPlaces, type Places } from "./quickstart/places.ts";
import { askWishes, type Wishes } from "./quickstart/questions.ts";
import { openStepLines, type StepLines } from "./quickstart/step-lines.ts";
import { type FirstRun, firstRun } from "./quickstart/steps.ts";
import { type Asked, defineVerb, type View } from "./verb.ts";

export const quickstart = defineVerb({
  summary: "Guide a first run, from nothing to an agent using a vault; on a terminal and without options it asks",
  examples: [
    "fermix quickstart",
    "fermix quickstart --vault ~/Notes",
    "fermix quickstart --home real --vault ~/Notes --link",
  ],
  args: {
    vault: {
      kind: "option",
      label: "DIR",
      about: "a vault of yours (it is only searched); a small sample is made without it",
    },
    home: {
      kind: "option",
      label: "HOME",
      about: "`throwaway` (a temp folder, the default) or `real` (your own home)",
    },
    link: { kind: "flag", about: "link ~/.local/bin/fermix to this binary" },
    yes: { kind: "flag", about: "ask nothing: what is not given is the default" },
  },
  async run(app, { yes, ...given }, asked = { json: false, noColor: true }) {
    return await interruptible(app.ports.terminal, async (signal) => {
      const command = ownCommand();
      const link = linkOf(app, command);
      const asks = !yes && isGuided(app, given, asked);
      const wishes = asks ? await askWishes(app, { link, noColor: asked.noColor, signal }) : given;
      const wanted = wishes.link ? linkable(link) : undefined;
      const lines = await openStepLines(app.ports.terminal, asked);
      const places = choosePlaces(app, wishes);
      return await orNothing(places, signal, async () => {
        const run = await tellRun(places, lines, signal);
        return answer({ places, run, command, link: wanted === undefined ? link : makeLink(wanted) });
      });
    });
  },
});

/** Whether somebody is there to answer, and left something open to ask. */
function isGuided({ ports: { terminal }, env }: App, given: Partial<Wishes>, asked: Asked): boolean {
  const open = given.home === undefined && given.vault === undefined && given.link !== true;
  // Prompts move the cursor, which a dumb terminal cannot do.
  return open && !asked.json && terminal.stdinIsTty && terminal.stderrIsTty && env.get("TERM") !== "dumb";
}

/** undefined when Fermix runs from its sources: there is no one program to link to. */
function linkOf(app: App, [program, ...more]: readonly string[]): LinkPlan | undefined {
  return program === undefined || more.length > 0 ? undefined : planLink(app.env, program);
}

function linkable(plan: LinkPlan | undefined): LinkPlan {
  if (plan !== undefined) return assertLinkable(plan);
  throw new FermixError("usage", { problem: "--link needs the compiled fermix.", command: "fermix quickstart" });
}

/** A throwaway home does not outlive a run that failed or was cancelled. */
async function orNothing(places: Places, signal: AbortSignal, work: () => Promise<View>): Promise<View> {
  try {
    return await work();
  } catch (error) {
    discardPlaces(places);
    if (!signal.aborted) throw error;
    const kept = places.throwaway === undefined ? { kept: places.app.home.root } : {};
    throw new FermixError("quickstart_cancelled", kept, { cause: error });
  }
}

/** The steps, told on stderr as they become true. */
async function tellRun(places: Places, { fact, step }: StepLines, signal: AbortSignal): Promise<FirstRun> {
  fact(`home: ${places.app.home.root}${places.throwaway === undefined ? "" : " (throwaway)"}`);
  fact(`vault: ${places.vault}${places.sample ? " (a small sample)" : ""}`);
  const run = await firstRun(places, step, signal);
  signal.throwIfAborted();
  return run;
}

interface Done {
  readonly places: Places;
  readonly run: FirstRun;
  readonly command: readonly string[];
  readonly link: LinkPlan | undefined;
}

function answer({ places, run, command, link }: Done): View {
  const { home, env } = places.app;
  // An agent that starts Fermix does not have the FERMIX_HOME of this shell.
  const isUsual = home.root === join(env.userHome, ".fermix");
  const clients = clientLines({ command, env: isUsual ? {} : { FERMIX_HOME: home.root } });
  return answerView({ places, run, clients, link });
}
