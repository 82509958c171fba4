/** Reads one tool's arguments by name, and refuses by that name what a header line cannot hold. */
import { FermixError } from "../../../kernel/error.ts";
import type { Arguments } from "../api.ts";

/** Everything below a space but the tab, and DEL: what would end a header line or hide in one. */
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f]/;

/** The arguments of one call, with the tool's name for whoever has to read a refusal. */
export interface Named {
  readonly tool: string;
  readonly args: Arguments;
}

/** The argument as text; undefined when it is absent. Types were judged before (DECISIONS 17). */
export function textOf({ args }: Named, name: string): string | undefined {
  const value = args.get(name);
  return typeof value === "string" ? value : undefined;
}

/** The argument as text for a header line; undefined when absent or blank. Throws argument_invalid for a line break or another control character. */
export function lineOf(named: Named, name: string): string | undefined {
  const value = textOf(named, name);
  if (value === undefined || value.trim() === "") return undefined;
  if (!CONTROL.test(value)) return value;
  throw refusal(named, name, "it holds a line break or another control character, which a header cannot carry");
}

/** The refusal that names the argument and says what is wrong with it. */
export function refusal({ tool }: Named, argument: string, reason: string): FermixError<"argument_invalid"> {
  return new FermixError("argument_invalid", { tool, argument, reason });
}
