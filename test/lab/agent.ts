/** An agent: starts an MCP server as a client was told to, with a client that we did not write, and searches the vault. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

/** What a client's configuration says about a stdio server. */
export interface ServerLine {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The server's tools, and what `obsidian_search_notes` answers. The server's own variables go over the agent's. */
export async function searchAsAgent(
  { command, args, env }: ServerLine,
  query: string,
  own: { readonly env: Readonly<Record<string, string>>; readonly cwd: string },
): Promise<{ readonly tools: readonly string[]; readonly text: string }> {
  const client = new Client({ name: "an-agent", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({ command, args: [...args], env: { ...own.env, ...env }, cwd: own.cwd, stderr: "pipe" }),
  );
  try {
    const { tools } = await client.listTools();
    const result = await client.callTool({ name: "obsidian_search_notes", arguments: { query } });
    return { tools: tools.map(({ name }) => name).sort(), text: JSON.stringify(result.content) };
  } finally {
    await client.close();
  }
}

/** A line for a shell, run with a stand-in for its program: the words that the program would have been given. */
export function wordsOfLine(line: string, program: string, env: Readonly<Record<string, string>>): readonly string[] {
  const script = `${program}() { printf '%s\\0' "$@"; }\n${line}\n`;
  const { exitCode, stdout, stderr } = Bun.spawnSync(["bash", "-euo", "pipefail", "-c", script], { env: { ...env } });
  if (exitCode !== 0) throw new Error(`${line}: ${stderr.toString()}`);
  return stdout.toString().split("\0").slice(0, -1);
}
