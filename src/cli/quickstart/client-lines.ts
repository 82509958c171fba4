/** The exact lines that add Fermix to Claude Code, Cursor and VS Code. */

export interface McpLaunch {
  /** The program and the words before `mcp serve`. */
  readonly command: readonly string[];
  /** Variables the server needs; FERMIX_HOME when it is not the usual home. */
  readonly env: Readonly<Record<string, string>>;
}

export interface ClientLine {
  readonly client: "Claude Code" | "Cursor" | "VS Code";
  /** A command to run; undefined where the client is told by a file. */
  readonly run?: string;
  /** A file to edit, and what goes into it. */
  readonly file?: string;
  readonly json?: string;
}

/** One way for each client, for a server started as `<command> mcp serve`. */
export function clientLines({ command, env }: McpLaunch): readonly ClientLine[] {
  const [program = "fermix", ...before] = command;
  const args = [...before, "mcp", "serve"];
  const server = { command: program, args, ...(Object.keys(env).length === 0 ? {} : { env }) };
  // Claude Code adds to the current folder's project unless told otherwise, and its -e takes every word up to the next
  // dash, the name too (anthropics/claude-code#46121): so the name comes first.
  const variables = Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
  const claude = ["claude", "mcp", "add", "--scope", "user", "fermix", ...variables, "--", program, ...args];
  return [
    { client: "Claude Code", run: claude.map(shellWord).join(" ") },
    { client: "Cursor", file: "~/.cursor/mcp.json", json: JSON.stringify({ mcpServers: { fermix: server } }) },
    { client: "VS Code", run: `code --add-mcp ${shellWord(JSON.stringify({ name: "fermix", ...server }))}` },
  ];
}

/** One word for a POSIX shell, quoted when it has to be. */
export function shellWord(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
