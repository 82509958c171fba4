/** Decides under which name a local server's tool is known: `<plugin>_<tool>` (spec 4 "Tool naming"). */
import { createHash } from "node:crypto";
import { asToolName, type PluginName, type ToolName } from "../../kernel/names.ts";

/** Of a tool name, in bytes; names are ASCII by then. */
const MAX_NAME = 64;
const TAIL_DIGITS = 8;

/** Upstream name to tool name, for every tool of one server; a tool whose name has no letter or digit is left out. */
export function nameTools(plugin: PluginName, upstreamNames: Iterable<string>): Map<string, ToolName> {
  const names = new Map<string, ToolName>();
  const taken = new Set<ToolName>();
  // Sorted, so that which of two clashing tools keeps the plain name does not depend on the server's order.
  for (const upstream of [...new Set(upstreamNames)].sort()) {
    const plain = toolNameFor(plugin, upstream);
    if (plain === undefined) continue;
    const name = taken.has(plain) ? distinctName(plain, plugin, upstream) : plain;
    taken.add(name);
    names.set(upstream, name);
  }
  return names;
}

/** `<plugin>_<sanitised>`, cut with a hash tail when it is too long; undefined when nothing of the name is left. */
export function toolNameFor(plugin: PluginName, upstream: string): ToolName | undefined {
  const sanitised = upstream
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
  if (sanitised === "") return undefined;
  const prefix = `${plugin}_`;
  const name = `${prefix}${sanitised}`;
  return asToolName(name.length > MAX_NAME ? withTail(name, `${prefix}${upstream}`) : name);
}

/** The name for a tool whose plain name another tool already has. */
export function distinctName(plain: ToolName, server: string, upstream: string): ToolName {
  const name = asToolName(withTail(plain, `${server}::${upstream}`));
  if (name === undefined) throw new Error(`no tool name can be made of ${plain}`);
  return name;
}

function withTail(name: string, hashed: string): string {
  const tail = createHash("sha256").update(hashed).digest("hex").slice(0, TAIL_DIGITS);
  return `${name.slice(0, MAX_NAME - TAIL_DIGITS - 1)}_${tail}`;
}
