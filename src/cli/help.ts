/** What --help prints, for the whole tree, for a group and for one verb. Pure: lines out. */
import { type Command, commands, type Group, groups } from "./commands.ts";
import { EXIT_CODES } from "./exit.ts";
import { commandLine } from "./parse.ts";
import type { ArgSpec, ArgSpecs, Verb } from "./verb.ts";

type Pair = readonly [term: string, about: string];

const TAGLINE = "Fermix: the trusted plugin host for AI agents";

const EVERYWHERE: readonly Pair[] = [
  ["--json", "print the answer as one line of JSON"],
  ["--no-color", "never color the output (NO_COLOR works too)"],
  ["-h, --help", "print this help"],
];

/** Help for `fermix` (empty path) or for a group of verbs. */
export function groupHelp(path: readonly string[]): readonly string[] {
  const below = commands.filter((command) => isBelow(command, path));
  const summary = groups.find((group) => sameWords(group.path, path))?.summary ?? TAGLINE;
  const examples = path.length === 0 ? ["fermix quickstart", "fermix plugins install obsidian"] : [];
  const options: readonly Pair[] =
    path.length === 0
      ? [...EVERYWHERE, ["--version", "print the version, the catalog's date and Bun's version"]]
      : EVERYWHERE;
  return [
    summary,
    ...section("Usage", [`${commandLine(path)} COMMAND [OPTIONS]`, ...aloneLine(path)]),
    ...section("Commands", table(below.map((command) => [command.path.slice(path.length).join(" "), command.summary]))),
    ...section("Options", table(options)),
    ...section("Examples", examples),
    ...exitCodes(),
    "",
    `\`${commandLine([...path, "COMMAND", "--help"])}\` tells more about one command.`,
  ];
}

/** Help for one verb. */
export function verbHelp(command: Command, verb: Verb): readonly string[] {
  const positionals = Object.values(verb.args).flatMap((spec) =>
    spec.kind === "positional" ? [[spec.label, spec.required ? spec.about : `${spec.about} (optional)`] as const] : [],
  );
  return [
    verb.summary,
    ...section("Usage", [usageLine(command.path, verb.args)]),
    ...section("Arguments", table(positionals)),
    ...section("Options", table([...Object.entries(verb.args).flatMap(optionPair), ...EVERYWHERE])),
    ...section("Examples", verb.examples),
    ...exitCodes(),
  ];
}

/** The same as data, for `--help --json`. */
export function helpAsJson(path: readonly string[], command: Command | undefined, verb: Verb | undefined): unknown {
  const below = command === undefined ? commands.filter((candidate) => isBelow(candidate, path)) : [];
  return {
    command: commandLine(path),
    ...(command && verb
      ? { summary: verb.summary, usage: usageLine(command.path, verb.args), examples: verb.examples }
      : { commands: below.map((one) => ({ command: commandLine(one.path), summary: one.summary })) }),
    exit_codes: Object.fromEntries(EXIT_CODES),
  };
}

function usageLine(path: readonly string[], args: ArgSpecs): string {
  const words = Object.values(args).flatMap((spec) =>
    spec.kind === "positional" ? [spec.required ? spec.label : `[${spec.label}]`] : [],
  );
  return [commandLine(path), ...words, "[OPTIONS]"].join(" ");
}

function optionPair([key, spec]: readonly [string, ArgSpec]): Pair[] {
  if (spec.kind === "positional" || spec.kind === "never") return [];
  return [[spec.kind === "option" ? `--${key} ${spec.label}` : `--${key}`, spec.about]];
}

function aloneLine(path: readonly string[]): readonly string[] {
  const alone = groups.find((group: Group) => sameWords(group.path, path))?.alone;
  return alone === undefined ? [] : [`${commandLine(path)} (the same as \`${commandLine(alone)}\`)`];
}

function exitCodes(): readonly string[] {
  return section("Exit codes", table(EXIT_CODES));
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", `${title}:`, ...lines.map((line) => `  ${line}`)];
}

function table(pairs: readonly Pair[]): readonly string[] {
  const width = Math.max(...pairs.map(([term]) => term.length));
  return pairs.map(([term, about]) => `${term.padEnd(width)}  ${about}`);
}

function isBelow(command: Command, path: readonly string[]): boolean {
  return command.path.length > path.length && path.every((word, at) => command.path[at] === word);
}

function sameWords(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word, at) => word === b[at]);
}
