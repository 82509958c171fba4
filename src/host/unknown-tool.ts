/** What a call to a tool that nobody offers is answered with: the tool that was meant, or where its name may be found. */
import { openCatalog } from "../catalog/open.ts";
import { FermixError, isFermixError } from "../kernel/error.ts";
import { nearestName } from "../kernel/nearest.ts";
import type { Host } from "./host.ts";
import { type HostedPlugin, standingOf } from "./standing.ts";

/** Tool names are long. */
const MAX_SLIPS = 4;

/**
 * unknown_tool with the live tool that was probably meant, else the plugin that serves tools of this prefix, else the
 * plugin of the catalog that would; `owner` is the plugin of this home whose name the tool's begins with.
 */
export function unknownTool(host: Host, tool: string, owner: HostedPlugin | undefined): FermixError<"unknown_tool"> {
  const names = host.registry().tools.map(({ name }) => name);
  const suggestion = nearestName(tool, names, MAX_SLIPS) ?? namedInPart(tool, names, owner);
  if (suggestion !== undefined) return new FermixError("unknown_tool", { tool, suggestion });
  if (owner !== undefined) {
    // Of a plugin that this process leaves out nothing can be said.
    const serving = standingOf(owner).kind === "serving";
    return new FermixError("unknown_tool", serving ? { tool, served: owner.name } : { tool });
  }
  const plugin = inCatalog(host, tool);
  return new FermixError("unknown_tool", plugin === undefined ? { tool } : { tool, plugin });
}

/** The shortest live tool whose name goes on where this one stops, or is this one after its plugin's name. */
function namedInPart(tool: string, names: readonly string[], owner: HostedPlugin | undefined): string | undefined {
  const begun = owner !== undefined && tool.length > `${owner.name}_`.length;
  return names
    .filter((name) => (begun && name.startsWith(tool)) || name.endsWith(`_${tool}`))
    .toSorted((a, b) => a.length - b.length)[0];
}

/** The plugin of the catalog that a tool of this name would belong to, when it can be installed. */
function inCatalog(host: Host, tool: string): string | undefined {
  try {
    const { entries } = openCatalog(host.app.ports.embedded);
    return entries.find(({ name, latest }) => latest !== undefined && tool.startsWith(`${name}_`))?.name;
  } catch (error) {
    // A catalog that does not verify is said where something is to be installed from it.
    if (!isFermixError(error)) throw error;
    return undefined;
  }
}
