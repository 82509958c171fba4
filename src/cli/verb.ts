/** How a command is declared: strict arguments in, one use case, a view out. */
import type { ExitClass } from "../kernel/codes/row.ts";
import type { App } from "../plugins/app.ts";

/** One argument of a verb. Positionals are taken in the order of declaration. */
export type ArgSpec =
  | { readonly kind: "positional"; readonly label: string; readonly required: boolean; readonly about: string }
  | { readonly kind: "option"; readonly label: string; readonly about: string }
  | { readonly kind: "flag"; readonly about: string }
  /**
   * Where people put a secret that no command line may carry (DECISIONS 24): any surplus word or value is refused
   * without a word of it being told. `instead`: the command that takes the secret.
   */
  | { readonly kind: "never"; readonly instead: string };

export type ArgSpecs = Readonly<Record<string, ArgSpec>>;

/** Parsed arguments: keys as declared (kebab-case for flags and options on the command line too). */
export type ParsedArgs<Specs extends ArgSpecs> = {
  readonly [Key in keyof Specs as Specs[Key] extends { kind: "never" } ? never : Key]: Specs[Key] extends {
    kind: "flag";
  }
    ? boolean
    : Specs[Key] extends { kind: "positional"; required: true }
      ? string
      : string | undefined;
};

/** What a verb answers. `render.ts` alone prints it: `json` with --json, else the text form; talk goes to stderr. */
export interface View {
  readonly json: unknown;
  /** Rows are aligned on a terminal and TAB-separated when piped (DECISIONS 39); `lines` are printed as they are. */
  readonly text: { readonly rows: readonly (readonly string[])[] } | { readonly lines: readonly string[] };
  /** Talk for stderr, one line each: notices such as "no daemon is running; changes apply when it starts". */
  readonly notices?: readonly string[];
  /** When the answer itself is a failure (doctor); ok when absent. */
  readonly exit?: ExitClass;
}

/** How the answer was asked for, for a verb that talks on the way. */
export interface Asked {
  /** --json: a program reads the answer. */
  readonly json: boolean;
  /** --no-color, NO_COLOR or a dumb terminal. */
  readonly noColor: boolean;
}

export interface Verb<Specs extends ArgSpecs = ArgSpecs> {
  readonly summary: string;
  /** Whole command lines, shown in --help. */
  readonly examples: readonly string[];
  readonly args: Specs;
  /** undefined when the verb wrote its own protocol to stdout (`mcp serve`). Without `asked`, nobody watches. */
  run(app: App, args: ParsedArgs<Specs>, asked?: Asked): Promise<View | undefined>;
}

/** Declares a verb; the argument types follow from `args`. `--json`, `--help`, `--no-color` are added by the frame. */
export function defineVerb<const Specs extends ArgSpecs>(verb: Verb<Specs>): Verb<Specs> {
  return verb;
}
