/** Finds names that two plugins of one union would both own: plugins, tools and skills (spec 1.10, 1.11). */
import type { PluginName } from "../kernel/names.ts";
import type { LoadedPlugin } from "./manifest.ts";

/** One name with everyone who claims it, in the order the plugins were given; a doubled plugin name is listed twice. */
export interface Clash {
  readonly kind: "plugin" | "tool" | "skill";
  readonly name: string;
  readonly owners: readonly PluginName[];
}

/**
 * Every clash of the union, sorted by kind and name. A skill also clashes with a plugin of the same name, because both
 * are looked up by it; each owner is listed once.
 */
export function findClashes(plugins: readonly LoadedPlugin[]): readonly Clash[] {
  const byPlugin = new Map<string, LoadedPlugin[]>();
  const byTool = new Map<string, LoadedPlugin[]>();
  const bySkill = new Map<string, LoadedPlugin[]>();
  for (const plugin of plugins) {
    claim(byPlugin, plugin.name, plugin);
    for (const tool of plugin.manifest.tools) claim(byTool, tool.name, plugin);
    for (const skill of plugin.manifest.skills) claim(bySkill, skill.name, plugin);
  }
  return [
    ...clashes("plugin", byPlugin),
    ...clashes("skill", withNamesakes(bySkill, byPlugin)),
    ...clashes("tool", byTool),
  ];
}

function claim(owners: Map<string, LoadedPlugin[]>, name: string, plugin: LoadedPlugin): void {
  const known = owners.get(name);
  if (known === undefined) owners.set(name, [plugin]);
  else if (!known.includes(plugin)) known.push(plugin);
}

/** Skill owners, joined by the plugins that bear the skill's name. */
function withNamesakes(
  skills: ReadonlyMap<string, readonly LoadedPlugin[]>,
  plugins: ReadonlyMap<string, readonly LoadedPlugin[]>,
): Map<string, LoadedPlugin[]> {
  const joined = new Map<string, LoadedPlugin[]>();
  for (const [name, owners] of skills) {
    joined.set(name, [...new Set([...owners, ...(plugins.get(name) ?? [])])]);
  }
  return joined;
}

function clashes(kind: Clash["kind"], owners: ReadonlyMap<string, readonly LoadedPlugin[]>): readonly Clash[] {
  return [...owners]
    .filter(([, plugins]) => plugins.length > 1)
    .map(([name, plugins]) => ({ kind, name, owners: plugins.map((plugin) => plugin.name) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
