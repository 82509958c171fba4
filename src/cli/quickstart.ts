/** `fermix quickstart`: a guided first run that ends with the line that adds Fermix to an agent. */
import { join } from "node:path";
import { FermixError } from "../kernel/error.ts";
import type { App } from "../plugins/app.ts";
import { type ClientLine, clientLines, shellWord } from "./quickstart/client-lines.ts";
import { type LinkPlan, makeLink, planLink } from "./quickstart/link.ts";
import { ownCommand } from "./quickstart/own-command.ts";
import { choosePlaces, discardPlaces, type Places } from "./quickstart/places.ts";
import { type FirstRun, firstRun } from "./quickstart/steps.ts";
import { renderNotice } from "./render.ts";
import { defineVerb } from "./verb.ts";

export const quickstart = defineVerb({
  summary: "Guide a first run, from nothing to an agent using a vault",
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
  },
  async run(app, args) {
    const command = ownCommand();
    const link = linkOf(app, command, args.link);
    const places = choosePlaces(app, args);
    const run = await guidedRun(app, places);
    const env = isUsualHome(places) ? {} : { FERMIX_HOME: places.app.home.root };
    const clients = clientLines({ command, env });
    return {
      json: answerJson(places, run, clients, link),
      text: { lines: answerLines(places, run, clients, link) },
    };
  },
});

/** The steps, told on stderr as they become true; a throwaway home does not outlive a run that failed. */
async function guidedRun(app: App, places: Places): Promise<FirstRun> {
  const say = (text: string): void => app.ports.terminal.talk(renderNotice(`  ${text}`));
  say(`home: ${places.app.home.root}${places.throwaway === undefined ? "" : " (throwaway)"}`);
  say(`vault: ${places.vault}${places.sample ? " (a small sample)" : ""}`);
  try {
    return await firstRun(places, say);
  } catch (error) {
    discardPlaces(places);
    throw error;
  }
}

/** undefined when Fermix runs from its sources: there is no one program to link to. */
function linkOf(app: App, command: readonly string[], make: boolean): LinkPlan | undefined {
  const [program, ...more] = command;
  if (program === undefined || more.length > 0) {
    if (make)
      throw new FermixError("usage", { problem: "--link needs the compiled fermix.", command: "fermix quickstart" });
    return undefined;
  }
  const plan = planLink(app.env, program);
  return make ? makeLink(plan) : plan;
}

/** An agent that starts Fermix does not have the FERMIX_HOME of this shell. */
function isUsualHome({ app }: Places): boolean {
  return app.home.root === join(app.env.userHome, ".fermix");
}

function answerJson(
  places: Places,
  { proof, searched }: FirstRun,
  clients: readonly ClientLine[],
  link: LinkPlan | undefined,
): unknown {
  return {
    home: places.app.home.root,
    throwaway: places.throwaway !== undefined,
    vault: places.vault,
    sample_vault: places.sample,
    proof,
    call: searched,
    clients: clients.map(({ client, run, file, json }) => ({
      client,
      run: run ?? null,
      file: file ?? null,
      json: json ?? null,
    })),
    link: link === undefined ? null : linkJson(link),
  };
}

function linkJson({ path, linked, onPath, linkCommand, pathLine }: LinkPlan): unknown {
  return { path, linked, on_path: onPath, command: linkCommand, path_line: pathLine };
}

function answerLines(
  places: Places,
  { searched }: FirstRun,
  clients: readonly ClientLine[],
  link: LinkPlan | undefined,
): readonly string[] {
  return [
    `${searched.tool} ${JSON.stringify(searched.arguments)} answered:`,
    ...searched.text.split("\n").map((line) => `  ${line}`),
    "",
    "Add Fermix to your agent:",
    ...clients.flatMap(clientText),
    ...(link === undefined ? [] : ["", ...linkText(link)]),
    ...(places.throwaway === undefined ? [] : ["", ...throwawayText(places.throwaway)]),
  ];
}

function clientText({ client, run, file, json }: ClientLine): readonly string[] {
  return run === undefined ? [`  ${client}, in ${file}:`, `    ${json}`] : [`  ${client}:`, `    ${run}`];
}

function linkText({ linked, path, linkCommand, onPath, pathLine }: LinkPlan): readonly string[] {
  return [
    linked
      ? `${path} leads to this binary.`
      : `To have \`fermix\` in your shell (or run quickstart with --link):\n  ${linkCommand}`,
    ...(onPath ? [] : [`Then, in your shell's start-up file:\n  ${pathLine}`]),
  ];
}

function throwawayText(folder: string): readonly string[] {
  return [
    "This home is a throwaway one. For your own: fermix quickstart --home real --vault DIR",
    `To remove it: rm -r ${shellWord(folder)}`,
  ];
}
