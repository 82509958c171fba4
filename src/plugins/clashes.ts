/** Who keeps a name that two plugins claim: dev_local clashes stop loading, any other leaves the later plugin out. */
import type { ClashOwner } from "../kernel/codes/plugins.ts";
import { FermixError } from "../kernel/error.ts";
import { findClashes } from "../manifest/cross-checks.ts";
import type { LoadedPlugin } from "../manifest/manifest.ts";

export interface Settled {
  readonly kept: readonly LoadedPlugin[];
  readonly excluded: readonly FermixError<"name_clash">[];
}

/**
 * The plugins that may live together, given in order of precedence (bundled, then installed by name, then dev_local).
 * A plugin, tool or skill name has one owner, the first (spec 1.11, BUN-5); throws `dev_local_clash` when the author's
 * folder takes part (DECISIONS 10).
 */
export function settleClashes(plugins: readonly LoadedPlugin[]): Settled {
  const excluded: FermixError<"name_clash">[] = [];
  const byName = new Map<string, LoadedPlugin>();
  for (const plugin of plugins) {
    const first = byName.get(plugin.name);
    if (first === undefined) byName.set(plugin.name, plugin);
    else excluded.push(clash({ kind: "plugin", name: plugin.name }, [first, plugin], plugin));
  }
  const out = new Set<string>();
  for (const { kind, name, owners } of findClashes([...byName.values()])) {
    const claimants = [...byName.values()].filter((plugin) => owners.includes(plugin.name) && !out.has(plugin.name));
    const first = claimants[0];
    if (first === undefined) continue;
    for (const later of claimants.slice(1)) {
      out.add(later.name);
      excluded.push(clash({ kind, name }, [first, later], later));
    }
  }
  return { kept: [...byName.values()].filter(({ name }) => !out.has(name)), excluded };
}

function clash(
  what: { readonly kind: "plugin" | "tool" | "skill"; readonly name: string },
  sides: readonly LoadedPlugin[],
  loser: LoadedPlugin,
): FermixError<"name_clash"> {
  const owners = sides.map(owner);
  if (sides.some(({ origin }) => origin === "dev_local")) throw new FermixError("dev_local_clash", { ...what, owners });
  return new FermixError("name_clash", { plugin: loser.name, ...what, owners });
}

function owner(plugin: LoadedPlugin): ClashOwner {
  return { plugin: plugin.name, from: plugin.dir ?? "bundled in this binary" };
}
