/** Failures of a call's arguments on the http rail, before anything is sent (spec 1.5; the sentences are the ecosystem's). */
import { formatJsonPath } from "../json-path.ts";
import { row } from "./row.ts";

export const argumentCodes = {
  argument_missing: row<{ tool: string; argument: string }>({
    says: ({ argument }) => `missing required parameter: ${formatJsonPath([argument])}`,
    fix: ({ tool, argument }) => `call ${tool} again with \`${formatJsonPath([argument])}\``,
    exit: "usage",
  }),
  /** `reason` continues "correct it and call again:"; text that is not ours is quoted in it. */
  argument_invalid: row<{ tool?: string; argument: string; reason: string }>({
    says: ({ argument }) => `invalid parameter: ${formatJsonPath([argument])}`,
    fix: ({ reason }) => `correct it and call again: ${reason}`,
    exit: "usage",
  }),
  /** An argument is wanted by the address alone, so the manifest does not call it required. */
  argument_wanted: row<{ argument: string }>({
    says: ({ argument }) => `could not build request: the address needs ${formatJsonPath([argument])}`,
    fix: ({ argument }) => `call it again with \`${formatJsonPath([argument])}\``,
    exit: "usage",
  }),
  argument_too_long: row<{ tool: string; limit: number }>({
    says: ({ limit }) => `could not build request: with these arguments the address is longer than ${limit} characters`,
    fix: ({ tool }) => `call ${tool} again with shorter arguments`,
    exit: "usage",
  }),
  request_too_large: row<{ limit: number }>({
    says: ({ limit }) => `could not build request: with these arguments it is longer than ${limit} characters`,
    fix: () => "send less in one call",
    exit: "usage",
  }),
  /** What only the author of the manifest can mend. */
  request_unsound: row<{ reason: string }>({
    says: ({ reason }) => `could not build request: ${reason}`,
    fix: () => "report it to the plugin's author: the tool's request template is wrong",
    exit: "failed",
  }),
} as const;
