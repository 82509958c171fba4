/** A Fermix home in the HTTP lab: plugins enabled by the real verbs, credentials where their owners would put them. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { placeSignIn, type SignInGiven } from "./auth-file.ts";
import { type Answer, BINARY, FlowHome, type StartOptions } from "./binary.ts";
import { canariesIn } from "./canaries.ts";
import type { Lab } from "./network.ts";
import { LAB_CLIENT } from "./token-book.ts";

export interface HttpHomeOptions {
  /** Enabled in this order; those of the catalog are installed first. */
  readonly plugins: readonly string[];
  /** API keys by plugin. */
  readonly keys?: Readonly<Record<string, string>>;
  /** Sign-ins by profile, such as `github:primary`; the OAuth client of each one's provider is configured too. */
  readonly signIns?: Readonly<Record<string, SignInGiven & { readonly provider: string }>>;
  /** OAuth clients by provider; one that is not named is `LAB_CLIENT`. */
  readonly clients?: Readonly<Record<string, { readonly id: string; readonly secret: string }>>;
  /** A folder of plugins under development. */
  readonly devLocal?: string;
  /** What config.toml holds besides; not the table [fermix_core.plugins] together with `devLocal`. */
  readonly config?: string;
}

/** What `fermix call --json` said: what the tool gave, or the refusal. */
export type Called =
  | { readonly code: number; readonly value: unknown }
  | { readonly code: number; readonly error: { code: string; message: string; fix: string; details: unknown } };

export class HttpHome extends FlowHome {
  private readonly network: Lab;
  private readonly options: HttpHomeOptions;

  constructor(network: Lab, options: HttpHomeOptions) {
    super();
    this.network = network;
    this.options = options;
    for (const key of Object.values(options.keys ?? {})) this.plant(key);
    for (const secret of canariesIn(options.config ?? "", Object.values(options.keys ?? {}))) this.inClear.add(secret);
    mkdirSync(this.root, { mode: 0o700 });
    writeFileSync(join(this.root, "config.toml"), configOf(options), { mode: 0o600 });
    for (const [profile, signIn] of Object.entries(options.signIns ?? {})) placeSignIn(this.root, profile, signIn);
  }

  /** Makes every plugin ready by the verbs a person would use. Throws what a verb said when it failed. */
  async enableAll(): Promise<void> {
    for (const plugin of this.options.plugins) {
      const { code, stderr } = await this.inLab(["plugins", "enable", plugin]);
      if (code !== 0) throw new Error(`plugins enable ${plugin}: ${stderr}`);
    }
  }

  /** Runs `fermix` inside the namespace. */
  async inLab(words: string | readonly string[], options: StartOptions = {}): Promise<Answer> {
    const env = { ...this.labEnv(), ...options.env };
    const through = [...this.network.inside, ...(options.through ?? [])];
    return await this.fermix(words, { ...options, env, through });
  }

  /** One call by `fermix call TOOL --args JSON --json`. */
  async call(tool: string, args: unknown = {}, options: StartOptions = {}): Promise<Called> {
    const words = ["call", tool, "--args", JSON.stringify(args), "--json"];
    const { code, stdout, stderr } = await this.inLab(words, options);
    if (stdout === "") throw new Error(`fermix call ${tool} said nothing: ${stderr}`);
    const said = JSON.parse(stdout);
    return said.error === undefined ? { code, value: readAnswer(said.content) } : { code, error: said.error };
  }

  /** One call through `fermix mcp serve` by the MCP SDK's own client; `value` is the error's text when it is one. */
  async callAsAgent(tool: string, args: Record<string, unknown> = {}): Promise<{ isError: boolean; value: unknown }> {
    return await this.agent(async (client) => {
      const { content, isError } = await client.callTool({ name: tool, arguments: args });
      return isError === true ? { isError, value: textOf(content) } : { isError: false, value: readAnswer(content) };
    });
  }

  /** Gives an MCP client of `fermix mcp serve` inside the namespace, whose environment may hold more. */
  async agent<Given>(
    use: (client: Client) => Promise<Given>,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Given> {
    const [command = "", ...before] = [...this.network.inside, BINARY];
    const client = new Client({ name: "an-agent", version: "1.0.0" });
    const transport = new StdioClientTransport({
      command,
      args: [...before, "mcp", "serve"],
      env: this.env({ ...this.labEnv(), ...more }),
      cwd: this.folder,
      stderr: "pipe",
    });
    let talk = "";
    transport.stderr?.on("data", (chunk) => {
      talk += chunk;
      process.stderr.write(chunk);
    });
    await client.connect(transport);
    try {
      return await use(client);
    } finally {
      await client.close();
      this.expectNoSecret("mcp serve", talk);
    }
  }

  private labEnv(): Record<string, string> {
    const keys = Object.entries(this.options.keys ?? {}).map(([plugin, key]) => [
      `FERMIX_PLUGIN_KEY_${plugin.toUpperCase()}`,
      key,
    ]);
    return { NODE_EXTRA_CA_CERTS: this.network.caFile, ...Object.fromEntries(keys) };
  }
}

function configOf({ devLocal, signIns = {}, clients: given = {}, config = "" }: HttpHomeOptions): string {
  const providers = new Set([...Object.keys(given), ...Object.values(signIns).map(({ provider }) => provider)]);
  const clients = [...providers].map((provider) => {
    const { id, secret } = given[provider] ?? LAB_CLIENT;
    return `[fermix_core.oauth.${provider}]\nclient_id = "${id}"\nclient_secret = "${secret}"\n`;
  });
  const local = devLocal === undefined ? "" : `[fermix_core.plugins]\ndev_local = ${JSON.stringify(devLocal)}\n`;
  return [local, ...clients, config].filter((text) => text !== "").join("\n");
}

/** The text of an answer, which is one block of JSON on this rail. */
function textOf(content: unknown): string {
  if (!Array.isArray(content) || content.length !== 1) throw new Error(`not one block: ${JSON.stringify(content)}`);
  return content[0].text;
}

function readAnswer(content: unknown): unknown {
  return JSON.parse(textOf(content));
}
