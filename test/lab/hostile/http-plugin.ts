/** A manifest that names every hostile place it can: one that loads, because a template may name any host. */
import { HOSTILE_ADDRESSES, spellings } from "../../forge/hostile-addresses.ts";

const NOTHING = { type: "object", properties: {} } as const;

/** The tool that asks this host, named so that it fits a tool's name. */
export function toolFor(host: string): string {
  return `hostile_${host.replace(".fermix.test", "").replaceAll(/[^a-z0-9]/g, "_")}`;
}

/** The tool whose URL is a literal address of this kind. */
export function literalTool(kind: string): string {
  return `hostile_literal_${kind}`;
}

/** `hostile_get` asks `answers.fermix.test` for a path, `hostile_list` pages through it; the rest are one host each. */
export function hostilePlugin(hosts: readonly string[]): unknown {
  const path = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
  const answers = "https://answers.fermix.test";
  return {
    schema_version: 2,
    plugin_api: 2,
    name: "hostile",
    display_name: "Hostile",
    description: "Asks places that no plugin may ask.",
    category: "test",
    version: "1.0.0",
    auth: { type: "none" },
    tools: [
      tool("hostile_get", { method: "GET", url: `${answers}/{path}` }, path),
      tool("hostile_to", { method: "GET", url: `${answers}/to/{path}` }, path),
      tool("hostile_post", { method: "POST", url: `${answers}/{path}`, body: { a: 1 } }, path),
      ...hosts.map((host) => tool(toolFor(host), { method: "GET", url: `https://${host}/sound` })),
      ...HOSTILE_ADDRESSES.map(({ kind, address }) =>
        tool(literalTool(kind), { method: "GET", url: `https://${spellings(address)[0]}/sound` }),
      ),
    ],
  };
}

function tool(name: string, request: unknown, parameters: unknown = NOTHING): unknown {
  return { name, description: "Asks.", policy_class: "external_api", read_only: true, parameters, request };
}
