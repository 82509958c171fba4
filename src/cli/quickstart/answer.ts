/** What a first run answers: what the vault said, the line for each client, the link, and how to go on. */
import type { View } from "../verb.ts";
import { type ClientLine, shellWord } from "./client-lines.ts";
import type { LinkPlan } from "./link.ts";
import type { Places } from "./places.ts";
import type { FirstRun } from "./steps.ts";

export interface Outcome {
  readonly places: Places;
  readonly run: FirstRun;
  readonly clients: readonly ClientLine[];
  /** undefined when there is no one program to link to. */
  readonly link: LinkPlan | undefined;
}

/** The answer as data and as text. */
export function answerView(outcome: Outcome): View {
  return { json: answerJson(outcome), text: { lines: answerLines(outcome) } };
}

function answerJson({ places, run: { proof, searched }, clients, link }: Outcome): unknown {
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

function linkJson({ path, linked, taken, onPath, linkCommand, pathLine }: LinkPlan): unknown {
  return { path, linked, taken: taken ?? null, on_path: onPath, command: linkCommand, path_line: pathLine };
}

function answerLines({ places, run: { searched }, clients, link }: Outcome): readonly string[] {
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

function linkText({ linked, taken, path, linkCommand, onPath, pathLine }: LinkPlan): readonly string[] {
  if (taken !== undefined) return [`${path} is ${taken}, which was left alone.`];
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
