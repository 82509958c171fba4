/** A home with a plugin made on the spot, and real `fermix mcp serve` processes from the sources, spoken to by the official client. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { replaceFile } from "../lab/replace-file.ts";
import { localManifest } from "../plugins/lab.ts";

const ROOT = join(import.meta.dirname, "../..");

/** A whole MCP server in a page, without any library: what it is told goes into `journal` and can be asked for. */
const SERVER = `
import { createInterface } from "node:readline";
const journal = [];
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const tool = (name, properties = {}) => ({ name, description: "Does " + name + ".", inputSchema: { type: "object", properties } });
const TOOLS = [tool("echo", { text: { type: "string" } }), tool("wait"), tool("count"), tool("fail"), tool("finish"), tool("crash"), tool("journal"), tool("pid")];
const say = (id, text) => send({ id, result: { content: [{ type: "text", text }] } });
const step = (progressToken, progress) => send({ method: "notifications/progress", params: { progressToken, progress, total: 3 } });
let finish;
const CALLS = {
  echo: (id, { text }) => say(id, text),
  wait: (id, _, token) => step(token, 1),
  count: (id, _, token) => {
    for (const progress of [1, 2, 3]) step(token, progress);
    finish = () => say(id, "counted");
  },
  finish: (id) => {
    finish();
    say(id, "finished");
  },
  fail: (id) => send({ id, result: { content: [{ type: "text", text: "no such note" }, { type: "image", mimeType: "image/png", data: "AAAA" }], isError: true } }),
  crash: () => process.exit(7),
  journal: (id) => say(id, journal.join(" ")),
  pid: (id) => say(id, String(process.pid)),
};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") {
    send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "t", version: "1" } } });
  } else if (method === "tools/list") send({ id, result: { tools: TOOLS } });
  else if (method === "tools/call") CALLS[params.name](id, params.arguments, params._meta?.progressToken);
  else if (method === "notifications/cancelled") journal.push("cancelled");
});
`;

export class AgentLab implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), "fermix-agent-"));
  readonly home = join(this.folder, "home");
  readonly #clients: Client[] = [];

  /** Every plugin is there; config enables these. */
  constructor(plugins: readonly string[], enabled = plugins) {
    mkdirSync(this.home, { mode: 0o700 });
    for (const name of plugins) {
      const dir = join(this.folder, "plugins", name);
      mkdirSync(dir, { recursive: true });
      writeFileSync(join(dir, "server.mjs"), SERVER);
      writeFileSync(join(dir, "plugin.json"), JSON.stringify(localManifest(name, { args: ["server.mjs"] })));
    }
    this.enable(enabled);
  }

  enable(plugins: readonly string[]): void {
    const lines = ["[fermix_core.plugins]", `enabled = ${JSON.stringify(plugins)}`];
    this.config([...lines, `dev_local = ${JSON.stringify(join(this.folder, "plugins"))}`].join("\n"));
  }

  config(text: string): void {
    replaceFile(join(this.home, "config.toml"), `${text}\n`);
  }

  get env(): Record<string, string> {
    const node = Bun.which("node");
    if (node === null) throw new Error("not run: node is missing");
    return { PATH: `${dirname(node)}:/usr/bin:/bin`, HOME: this.folder, FERMIX_HOME: this.home };
  }

  command(...words: readonly string[]): string[] {
    return [process.execPath, join(ROOT, "src/main.ts"), ...words];
  }

  /** A connected client of a server of its own. */
  async connect(...words: readonly string[]): Promise<Client> {
    const [command = "", ...args] = this.command("mcp", "serve", ...words);
    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(new StdioClientTransport({ command, args, env: this.env, stderr: "ignore" }));
    this.#clients.push(client);
    return client;
  }

  /** Runs `fermix` with these words to its end. */
  async fermix(words: readonly string[], input = ""): Promise<{ code: number; stdout: string; stderr: string }> {
    const options = {
      env: this.env,
      cwd: this.folder,
      stdin: Buffer.from(input),
      stdout: "pipe",
      stderr: "pipe",
    } as const;
    const child = Bun.spawn(this.command(...words), options);
    const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    return { code, stdout, stderr };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The one text of a tool result, marked when it is an error. */
export function said(result: Awaited<ReturnType<Client["callTool"]>>): string {
  const [block] = result.content as readonly { text?: string }[];
  return `${result.isError === true ? "ERROR " : ""}${block?.text ?? ""}`;
}
