/** The five tools: how they are listed, which arguments they take, and what runs. */
import { isErrno, shown, ToolFailure } from "./failure.ts";
import { appendNote, createNote, listFolder, readNote } from "./notes.ts";
import { searchNotes } from "./search.ts";

const MAX_RESULTS = 50;
const DEFAULT_RESULTS = 10;

interface ArgumentSchema {
  readonly type: "string" | "integer";
  readonly description: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
}

interface Tool {
  readonly title: string;
  readonly description: string;
  readonly readOnly: boolean;
  readonly properties: Readonly<Record<string, ArgumentSchema>>;
  readonly required: readonly string[];
  readonly run: (args: Arguments, signal: AbortSignal) => Promise<string>;
}

export interface ToolResult {
  readonly content: readonly { readonly type: "text"; readonly text: string }[];
  readonly isError?: true;
}

/** Arguments after the check: what is there has its declared type. */
class Arguments {
  readonly #given: ReadonlyMap<string, unknown>;
  constructor(given: ReadonlyMap<string, unknown>) {
    this.#given = given;
  }
  text(key: string): string {
    return String(this.#given.get(key) ?? "");
  }
  number(key: string, otherwise: number): number {
    return Number(this.#given.get(key) ?? otherwise);
  }
}

const notePath: ArgumentSchema = { type: "string", description: 'Path in the vault, such as "Projects/Plan.md".' };

const TOOLS: ReadonlyMap<string, Tool> = new Map<string, Tool>([
  [
    "search_notes",
    {
      title: "Search notes",
      description: "Find notes whose path or text contains every word of the query; snippets show where.",
      readOnly: true,
      properties: {
        query: { type: "string", description: "Words to look for; case does not matter." },
        limit: {
          type: "integer",
          minimum: 1,
          maximum: MAX_RESULTS,
          default: DEFAULT_RESULTS,
          description: "Most notes to return.",
        },
      },
      required: ["query"],
      run: (args, signal) => searchNotes(args.text("query"), args.number("limit", DEFAULT_RESULTS), signal),
    },
  ],
  [
    "read_note",
    {
      title: "Read a note",
      description: "Read one note by its path in the vault.",
      readOnly: true,
      properties: { path: notePath },
      required: ["path"],
      run: (args) => readNote(args.text("path")),
    },
  ],
  [
    "create_note",
    {
      title: "Create a note",
      description: "Create a note at a path that is still free; folders are made as needed.",
      readOnly: false,
      properties: { path: notePath, content: { type: "string", description: "The whole note, as Markdown." } },
      required: ["path", "content"],
      run: (args) => createNote(args.text("path"), args.text("content")),
    },
  ],
  [
    "append_note",
    {
      title: "Append to a note",
      description: "Add text to the end of a note that exists.",
      readOnly: false,
      properties: {
        path: notePath,
        content: { type: "string", description: "Text to add, as Markdown; it starts on a new line." },
      },
      required: ["path", "content"],
      run: (args) => appendNote(args.text("path"), args.text("content")),
    },
  ],
  [
    "list_folder",
    {
      title: "List a folder",
      description: "List the notes and folders in a folder of the vault.",
      readOnly: true,
      properties: { path: { type: "string", description: "Folder in the vault; the vault itself when absent." } },
      required: [],
      run: (args) => listFolder(args.text("path")),
    },
  ],
]);

/** What tools/list answers. */
export function listedTools(): readonly object[] {
  return [...TOOLS].map(([name, { title, description, readOnly, properties, required }]) => ({
    name,
    title,
    description,
    inputSchema: { type: "object", properties, required, additionalProperties: false },
    annotations: {
      title,
      readOnlyHint: readOnly,
      destructiveHint: false,
      idempotentHint: readOnly,
      openWorldHint: false,
    },
  }));
}

/** Writes run one after another, so that two appends never meet. */
let writes: Promise<unknown> = Promise.resolve();

/** Runs a tool; undefined when there is none of that name. A failure is a result that says what to do. */
export async function callTool(name: string, given: unknown, signal: AbortSignal): Promise<ToolResult | undefined> {
  const tool = TOOLS.get(name);
  if (tool === undefined) return undefined;
  const run = (): Promise<ToolResult> => outcomeOf(async () => tool.run(checked(tool, given), signal));
  if (tool.readOnly) return run();
  const turn = writes.then(run);
  writes = turn;
  return turn;
}

async function outcomeOf(work: () => Promise<string>): Promise<ToolResult> {
  try {
    return { content: [{ type: "text", text: await work() }] };
  } catch (error) {
    return { content: [{ type: "text", text: wordsFor(error) }], isError: true };
  }
}

function wordsFor(error: unknown): string {
  if (error instanceof ToolFailure) return error.message;
  if (isErrno(error, "EACCES", "EPERM", "EROFS"))
    return "The vault does not allow that (no permission for this file or folder).";
  if (isErrno(error, "ENOSPC", "EDQUOT")) return "The disk of the vault is full. Nothing was written.";
  if (isErrno(error, "ENAMETOOLONG")) return "A part of that path is too long for the disk. Choose a shorter name.";
  if (isErrno(error, "ELOOP")) return "That path is a link that changed while it was opened, or leads in a circle.";
  const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
  return `The vault could not be used${code}. Try again, or read the note in Obsidian.`;
}

function checked(tool: Tool, given: unknown): Arguments {
  if (given !== undefined && (typeof given !== "object" || given === null || Array.isArray(given))) {
    throw new ToolFailure("The arguments must be an object.");
  }
  const args = new Map(Object.entries(given ?? {}));
  for (const [key, value] of args) {
    const fault = faultOf(Object.hasOwn(tool.properties, key) ? tool.properties[key] : undefined, value);
    if (fault !== undefined) throw new ToolFailure(`The argument ${shown(key)} ${fault}.`);
  }
  const missing = tool.required.find((key) => !args.has(key));
  if (missing !== undefined) throw new ToolFailure(`The argument "${missing}" is missing.`);
  return new Arguments(args);
}

function faultOf(schema: ArgumentSchema | undefined, value: unknown): string | undefined {
  if (schema === undefined) return "is not one of this tool";
  if (schema.type === "string") return typeof value === "string" ? undefined : "must be text";
  const { minimum = 0, maximum = 0 } = schema;
  if (typeof value === "number" && Number.isInteger(value) && value >= minimum && value <= maximum) return undefined;
  return `must be a whole number from ${minimum} to ${maximum}`;
}
