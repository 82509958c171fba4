/** The client that agents have: the MCP library's own, over stdio. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

export class SdkClient implements AsyncDisposable {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  /** Starts the server and greets it. */
  static async open([command = "", ...args]: readonly string[], env: Record<string, string>): Promise<SdkClient> {
    const client = new Client({ name: "bench", version: "1.0.0" });
    await client.connect(new StdioClientTransport({ command, args, env, stderr: "ignore" }));
    await client.listTools();
    return new SdkClient(client);
  }

  /** The content that a tool gives, as JSON. */
  async call(name: string, args: Readonly<Record<string, unknown>>): Promise<string> {
    const { content } = await this.#client.callTool({ name, arguments: { ...args } });
    return JSON.stringify(content);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.close();
  }
}
