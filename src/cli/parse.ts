/** Words of a command line become one command and its arguments, strictly: what is not declared is a usage error. */
import { FermixError } from "../kernel/error.ts";
import type { Command, Group } from "./commands.ts";
import { assertNoSecret } from "./no-secret.ts";
import { nearest } from "./suggest.ts";
import type { ArgSpec, ArgSpecs, ParsedArgs } from "./verb.ts";

/** Flags of every verb. */
export interface FrameFlags {
  readonly json: boolean;
  readonly help: boolean;
  readonly noColor: boolean;
}

/** What the first words name, and the words left for it. */
export interface Resolved {
  /** The words that named it, without `fermix`. */
  readonly path: readonly string[];
  /** undefined for a group, and for `fermix` alone. */
  readonly command: Command | undefined;
  readonly rest: readonly string[];
  readonly flags: FrameFlags;
}

const FRAME_FLAGS: Readonly<Record<string, keyof FrameFlags>> = {
  "--json": "json",
  "--help": "help",
  "-h": "help",
  "--no-color": "noColor",
};

/** main.ts answers them when they stand alone. */
const isVersionFlag = (word: string): boolean => word === "--version" || word === "-V";
/** How other programs are asked for their version; no verb and no flag here is near enough to be what was meant. */
const VERSION_ELSEWHERE: ReadonlySet<string> = new Set(["version", "-v"]);

/** `fermix` followed by the words. */
export function commandLine(path: readonly string[]): string {
  return ["fermix", ...path].join(" ");
}

/** The flags of every verb, taken out of the words before `--`. Never fails, so that a usage error knows --json too. */
export function takeFrameFlags(argv: readonly string[]): { flags: FrameFlags; rest: readonly string[] } {
  const flags = { json: false, help: false, noColor: false };
  const end = argv.indexOf("--");
  const words = end === -1 ? argv : argv.slice(0, end);
  const rest = words.filter((word) => {
    const flag = Object.hasOwn(FRAME_FLAGS, word) ? FRAME_FLAGS[word] : undefined;
    if (flag !== undefined) flags[flag] = true;
    return flag === undefined;
  });
  return { flags, rest: end === -1 ? rest : [...rest, ...argv.slice(end)] };
}

/**
 * Finds the command that the leading words name; the longest path wins, so `plugins config set` is not a plugin named
 * set. `fermix help ...` is `fermix ... --help`. Throws usage for words that name nothing.
 */
export function resolveCommand(
  argv: readonly string[],
  commands: readonly Command[],
  groups: readonly Group[],
): Resolved {
  const taken = takeFrameFlags(argv);
  const isHelp = taken.rest[0] === "help";
  const words = isHelp ? taken.rest.slice(1) : taken.rest;
  const flags = isHelp ? { ...taken.flags, help: true } : taken.flags;
  const known = [...commands, ...groups].map(({ path }) => path);
  let depth = 0;
  while (known.some((path) => startsWith(path, words.slice(0, depth + 1))) && depth < words.length) depth += 1;
  const path = words.slice(0, depth);
  const rest = words.slice(depth);
  const command = commands.find((candidate) => same(candidate.path, path));
  if (command !== undefined) return { path, command, rest, flags };
  const next = rest[0];
  if (next !== undefined) throw unknownWord(path, next, known);
  const alone = groups.find((group) => same(group.path, path))?.alone;
  if (alone === undefined || flags.help) return { path, command: undefined, rest, flags };
  return { path: alone, command: commands.find((candidate) => same(candidate.path, alone)), rest, flags };
}

function unknownWord(
  path: readonly string[],
  word: string,
  known: readonly (readonly string[])[],
): FermixError<"usage"> {
  const command = commandLine(path);
  if (word === "--") return usage(path, "the command goes before `--`");
  if (path.length === 0 && VERSION_ELSEWHERE.has(word)) {
    return usage(path, `\`fermix\` takes no ${shown(word)}`, "fermix --version");
  }
  if (isFlag(word)) return unknownFlag(path, word, Object.keys(FRAME_FLAGS));
  const siblings = known.filter((other) => startsWith(other, path)).flatMap((other) => other[path.length] ?? []);
  const sibling = nearest(word, [...new Set(siblings)]);
  // `fermix install` leaves out the group: the word may be right and its place wrong.
  const lasts = known.flatMap((other) => other.at(-1) ?? []);
  const last = lasts.includes(word) ? word : sibling === undefined ? nearest(word, lasts) : undefined;
  const meant = last === undefined ? sibling && [...path, sibling] : known.find((other) => other.at(-1) === last);
  return usage(path, `there is no command ${shown(`${command} ${word}`)}`, meant && commandLine(meant));
}

/**
 * The arguments of a verb from the words after it: `--option value`, `--option=value`, flags, positionals in order,
 * `--` before words that start with a dash. Rejects with usage for anything undeclared, missing, surplus or repeated.
 */
export async function parseArguments<Specs extends ArgSpecs>(
  path: readonly string[],
  specs: Specs,
  words: readonly string[],
): Promise<ParsedArgs<Specs>> {
  assertNoSecret(specs, words);
  const { options, positionals } = splitWords(path, specs, words);
  const labels = Object.entries(specs).filter(([, spec]) => spec.kind === "positional");
  const surplus = positionals[labels.length];
  if (surplus !== undefined) {
    throw usage(
      path,
      `${shown(surplus)} is one argument too many`,
      surplus.startsWith("{") ? jsonOption(specs) : undefined,
    );
  }
  for (const [at, [, spec]] of labels.entries()) {
    if (spec.kind === "positional" && spec.required && positionals[at] === undefined) {
      throw usage(path, `${spec.label} is missing`);
    }
  }
  return (await read(specs, options, positionals)) as ParsedArgs<Specs>;
}

/** The option that takes an object, which a word alone may have been meant for. */
function jsonOption(specs: ArgSpecs): string | undefined {
  const found = Object.entries(specs).find(([, spec]) => spec.kind === "option" && spec.label === "JSON");
  return found && `--${found[0]}=JSON`;
}

interface SplitWords {
  /** Normalised: `--flag`, `--option=value`. */
  readonly options: readonly string[];
  readonly positionals: readonly string[];
}

function splitWords(path: readonly string[], specs: ArgSpecs, words: readonly string[]): SplitWords {
  const options: string[] = [];
  const positionals: string[] = [];
  const seen = new Set<string>();
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (word === "--") {
      positionals.push(...words.slice(at + 1));
      break;
    }
    if (!word.startsWith("-") || word === "-") {
      positionals.push(word);
      continue;
    }
    const { name, inline } = nameIn(word);
    const spec = specOf(path, specs, word, name);
    if (spec.kind === "flag") {
      if (inline !== undefined) throw usage(path, `--${name} takes no value`);
      options.push(`--${name}`);
      continue;
    }
    if (seen.has(name)) throw usage(path, `--${name} is given twice`);
    seen.add(name);
    const value = inline ?? words[at + 1];
    if (value === undefined || (inline === undefined && isFlag(value))) {
      throw usage(path, `--${name} needs a value`, `--${name}=${spec.kind === "option" ? spec.label : ""}`);
    }
    if (inline === undefined) at += 1;
    options.push(`--${name}=${value}`);
  }
  return { options, positionals };
}

function nameIn(word: string): { name: string; inline: string | undefined } {
  const equals = word.indexOf("=");
  const name = (equals === -1 ? word : word.slice(0, equals)).replace(/^--/, "");
  return { name, inline: equals === -1 ? undefined : word.slice(equals + 1) };
}

function specOf(path: readonly string[], specs: ArgSpecs, word: string, name: string): ArgSpec {
  const spec = Object.hasOwn(specs, name) ? specs[name] : undefined;
  if (spec?.kind === "option" || spec?.kind === "flag") return spec;
  const declared = Object.entries(specs).flatMap(([key, { kind }]) =>
    kind === "option" || kind === "flag" ? [`--${key}`] : [],
  );
  const flag = word.split("=", 1)[0] ?? word;
  // `--json=1` reaches this too: the frame's flags take no value.
  if (Object.hasOwn(FRAME_FLAGS, flag)) throw usage(path, `${flag} takes no value`);
  const frame = Object.keys(FRAME_FLAGS).filter((known) => known.startsWith("--"));
  throw unknownFlag(path, flag, [...declared, ...frame]);
}

function unknownFlag(path: readonly string[], flag: string, known: readonly string[]): FermixError<"usage"> {
  if (isVersionFlag(flag)) return usage(path, `${shown(flag)} goes with nothing but --json`, "fermix --version");
  return usage(path, `\`${commandLine(path)}\` takes no ${shown(flag)}`, nearest(flag, known));
}

function isFlag(word: string): boolean {
  return word.startsWith("-") && word !== "-";
}

/** citty turns the checked words into values. A flag named `no-x` is read as it does: `x`, on unless switched off. */
async function read(
  specs: ArgSpecs,
  options: readonly string[],
  positionals: readonly string[],
): Promise<Record<string, unknown>> {
  // A verb without arguments starts without citty, whose node:util takes a quarter as long as a whole hello world.
  const taken = Object.entries(specs).filter(([, { kind }]) => kind !== "never");
  if (taken.length === 0) return {};
  const { parseArgs } = await import("citty");
  const declared = Object.fromEntries(
    taken.map(([key, spec]) => {
      if (spec.kind === "positional") return [key, { type: "positional" as const, required: false }];
      if (spec.kind === "option") return [key, { type: "string" as const }];
      return key.startsWith("no-")
        ? [key.slice("no-".length), { type: "boolean" as const, default: true }]
        : [key, { type: "boolean" as const, default: false }];
    }),
  );
  const values = parseArgs<Record<string, never>>([...options, "--", ...positionals], declared) as Record<
    string,
    unknown
  >;
  return Object.fromEntries(
    taken.map(([key, spec]) => [
      key,
      spec.kind === "flag" && key.startsWith("no-") ? values[key.slice("no-".length)] === false : values[key],
    ]),
  );
}

function usage(path: readonly string[], problem: string, suggestion?: string): FermixError<"usage"> {
  const sentence = `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`;
  return new FermixError("usage", {
    problem: sentence,
    command: commandLine(path),
    ...(suggestion === undefined ? {} : { suggestion }),
  });
}

const MAX_SHOWN = 60;

/** A word of the command line in a message: without control characters, cut. */
function shown(word: string): string {
  const cut = word.length > MAX_SHOWN ? `${word.slice(0, MAX_SHOWN)}…` : word;
  return `\`${cut.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g, "?")}\``;
}

function startsWith(path: readonly string[], words: readonly string[]): boolean {
  return words.length <= path.length && words.every((word, at) => path[at] === word);
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && startsWith(a, b);
}
