/** `fermix quickstart`: a guided first run that ends with the line that adds Fermix to an agent. */
import { type ClientLine, clientLines, shellWord } from "./quickstart/client-lines.ts";
import { type LinkPlan, makeLink, planLink } from "./quickstart/link.ts";
import { ownCommand } from "./quickstart/own-command.ts";
import { choosePlaces, type Places } from "./quickstart/places.ts";
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
    const places = choosePlaces(app, args);
    const say = (text: string): void => app.ports.terminal.talk(renderNotice(`  ${text}`));
    say(`home: ${places.app.home.root}${places.throwaway ? " (throwaway)" : ""}`);
    say(`vault: ${places.vault}${places.sample ? " (a small sample)" : ""}`);
    const run = await firstRun(places, say);
    const command = ownCommand();
    const plan = planLink(app.env, command[0] ?? "fermix");
    const link = args.link ? makeLink(plan) : plan;
    const env = places.throwaway || isOtherHome(app.env) ? { FERMIX_HOME: places.app.home.root } : {};
    const clients = clientLines({ command, env });
    return {
      json: answerJson(places, run, clients, link),
      text: { lines: answerLines(places, run, clients, link) },
    };
  },
});

/** An agent that starts Fermix does not have the FERMIX_HOME of this shell. */
function isOtherHome(env: { readonly fermixHome: string; readonly userHome: string }): boolean {
  return env.fermixHome !== `${env.userHome}/.fermix`;
}

function answerJson(
  places: Places,
  { proof, searched }: FirstRun,
  clients: readonly ClientLine[],
  link: LinkPlan,
): unknown {
  return {
    home: places.app.home.root,
    throwaway: places.throwaway,
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
    link: {
      path: link.path,
      linked: link.linked,
      on_path: link.onPath,
      command: link.linkCommand,
      path_line: link.pathLine,
    },
  };
}

function answerLines(
  places: Places,
  { searched }: FirstRun,
  clients: readonly ClientLine[],
  link: LinkPlan,
): readonly string[] {
  return [
    `${searched.tool} ${JSON.stringify(searched.arguments)} answered:`,
    ...searched.text.split("\n").map((line) => `  ${line}`),
    "",
    "Add Fermix to your agent:",
    ...clients.flatMap(clientText),
    "",
    ...linkText(link),
    ...(places.throwaway
      ? [
          "",
          "This home is a throwaway one. For your own: fermix quickstart --home real --vault DIR",
          `To remove it: rm -r ${shellWord(throwawayFolder(places))}`,
        ]
      : []),
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

function throwawayFolder({ app }: Places): string {
  return app.home.root.replace(/\/home$/, "");
}
