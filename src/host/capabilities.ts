/** What agents get right now, by kind: tools built in, skills, and the tools of MCP servers (AGT-7, spec 7.3). */
import type { Host } from "./host.ts";
import { order } from "./registry.ts";
import { type HostedPlugin, standingOf } from "./standing.ts";

export const CAPABILITY_KINDS = ["builtin", "skill", "mcp"] as const;
type CapabilityKind = (typeof CAPABILITY_KINDS)[number];

export interface Capability {
  readonly name: string;
  readonly kind: CapabilityKind;
  readonly plugin: string;
  readonly description: string;
}

/** Every capability, sorted by name. A hosted plugin's tools are like a local one's: both are `mcp` (AGT-14). */
export function listCapabilities(host: Pick<Host, "plugins" | "registry">): readonly Capability[] {
  const plugins = host.plugins();
  const rails = new Map(plugins.map(({ name, plugin }) => [name, plugin?.manifest.rail]));
  const tools = host.registry().tools.map(({ name, plugin, description }): Capability => {
    return { name, kind: rails.get(plugin) === "http" ? "builtin" : "mcp", plugin, description };
  });
  return [...tools, ...plugins.flatMap(skillsOf)].sort((a, b) => order(a.name, b.name));
}

function skillsOf(hosted: HostedPlugin): readonly Capability[] {
  const { name: plugin, plugin: loaded } = hosted;
  if (loaded === undefined || standingOf(hosted).kind !== "serving") return [];
  const description = `How to work with ${loaded.manifest.displayName}`;
  return loaded.manifest.skills.map(({ name }) => ({ name, kind: "skill", plugin, description }));
}
