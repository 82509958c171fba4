/** Starts the Obsidian server as it ships, under the machine's node, against a vault in a temporary folder. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

export const SERVER = join(import.meta.dirname, "../../../catalog/plugins/obsidian/src/index.js");

export interface Lab {
  /** Holds the vault and, beside it, what must stay out of reach. */
  readonly root: string;
  readonly vault: string;
  write(path: string, text: string): void;
  remove(): void;
}

/** A vault `<root>/vault` and a folder `<root>/outside` with a secret. */
export function makeLab(): Lab {
  const root = mkdtempSync(join(tmpdir(), "fermix-vault-"));
  const vault = join(root, "vault");
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write("vault/.obsidian/app.json", "{}");
  write("outside/secret.md", "the secret of somebody else");
  return { root, vault, write, remove: () => rmSync(root, { recursive: true, force: true }) };
}

export interface Session {
  readonly client: Client;
  /** The one text of a result, and whether it is an error. */
  call(name: string, args?: Record<string, unknown>): Promise<{ text: string; isError: boolean }>;
  close(): Promise<void>;
}

/** A session of the official client with the server. `vaultPath` is what the setting says. */
export async function connect(vaultPath: string | undefined): Promise<Session> {
  const client = new Client({ name: "test", version: "1.0.0" });
  const env: Record<string, string> = vaultPath === undefined ? {} : { OBSIDIAN_VAULT_PATH: vaultPath };
  await client.connect(new StdioClientTransport({ command: "node", args: [SERVER], env, cwd: tmpdir() }));
  return {
    client,
    async call(name, args = {}) {
      const result = await client.callTool({ name, arguments: args });
      const content = result.content as readonly { type: string; text: string }[];
      if (content.length !== 1 || content[0]?.type !== "text") throw new Error(`odd result ${JSON.stringify(result)}`);
      return { text: content[0].text, isError: result.isError === true };
    },
    close: () => client.close(),
  };
}
