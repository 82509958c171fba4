/** `fermix call TOOL`: one tool call from the command line or a script. */
import { callTool } from "../host/call-tool.ts";
import { withHost } from "../host/with-host.ts";
import { FermixError } from "../kernel/error.ts";
import { mayLoseDigits, parseKeepingDigits } from "../kernel/exact-json.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../kernel/json.ts";
import { parseStrictJson } from "../kernel/strict-json.ts";
import { StrictJsonError } from "../kernel/strict-json-error.ts";
import { defineVerb } from "./verb.ts";

const COMMAND = "fermix call";
/** The caller writes them; rails take 5 MiB of arguments as JSON, and spaces in the text do not count there. */
const MAX_ARGS_BYTES = 8 * 1024 * 1024;

export const call = defineVerb({
  summary: "Call one tool and print what it answers",
  examples: [
    `fermix call obsidian_search_notes --args '{"query":"roadmap"}'`,
    'echo \'{"path":"Inbox.md"}\' | fermix call obsidian_read_note --args -',
  ],
  args: {
    tool: {
      kind: "positional",
      label: "TOOL",
      required: true,
      about: "a tool's full name, as `capabilities` shows it",
    },
    args: { kind: "option", label: "JSON", about: "its arguments, a JSON object; `-` reads them from standard input" },
  },
  async run(app, { tool, args }) {
    const given = readArguments(args === "-" ? await app.ports.terminal.readInput(MAX_ARGS_BYTES) : args);
    const outcome = await withHost(app, { serve: (plugin) => tool.startsWith(`${plugin}_`) }, (host) =>
      callTool(host, tool, given),
    );
    if (!outcome.ok) throw outcome.error;
    const { result } = outcome;
    return {
      json: result,
      text: { lines: linesOf(result) },
      ...(result["isError"] === true ? { exit: "failed" as const } : {}),
    };
  },
});

/** The arguments, every digit kept. Throws usage unless the text is strictly one JSON object. */
function readArguments(text: string | undefined): JsonObject {
  if (text === undefined) return {};
  let value: unknown;
  try {
    value = parseStrictJson(text, { integers: "any" });
  } catch (cause) {
    if (!(cause instanceof StrictJsonError)) throw cause;
    throw new FermixError("usage", { problem: `--args is not JSON: ${cause.message}.`, command: COMMAND }, { cause });
  }
  if (mayLoseDigits(text)) value = parseKeepingDigits(text);
  if (isJsonObject(value)) return value;
  throw new FermixError("usage", { problem: "--args must be a JSON object, such as {}.", command: COMMAND });
}

/** The text blocks as they are, one line for each block that is no text, and the structure when there is nothing else. */
function linesOf({ content, structuredContent }: JsonObject): readonly string[] {
  const blocks: readonly (JsonValue | undefined)[] = Array.isArray(content) ? content : [];
  if (blocks.length === 0 && structuredContent !== undefined) return [JSON.stringify(structuredContent, undefined, 2)];
  return blocks.filter(isJsonObject).map(lineOf);
}

function lineOf(block: JsonObject): string {
  const { type, text, mimeType, data, uri, resource } = block;
  if (typeof text === "string") return text;
  if (isJsonObject(resource)) return lineOf({ type, ...resource });
  const size = typeof data === "string" ? `, ${data.length} base64 characters` : "";
  return `[${String(type)} ${String(uri ?? mimeType ?? "")}${size}; --json has it whole]`;
}
