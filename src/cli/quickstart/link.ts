/** Puts `fermix` on the user's PATH: a link in ~/.local/bin, only when asked (DECISIONS 41). */
import { lstatSync, mkdirSync, readlinkSync, realpathSync, type Stats, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Environment } from "../../config/env.ts";
import { FermixError, hasErrno } from "../../kernel/error.ts";
import { shellWord } from "./client-lines.ts";

export interface LinkPlan {
  /** `~/.local/bin/fermix`. */
  readonly path: string;
  readonly target: string;
  /** Whether the link is there and leads to this binary. */
  readonly linked: boolean;
  /** What else has that name; undefined when nothing has, or the link is there. */
  readonly taken: string | undefined;
  /** Whether the shell finds programs in that folder. */
  readonly onPath: boolean;
  /** What makes the link, and what makes the shell look there. */
  readonly linkCommand: string;
  readonly pathLine: string;
}

/** What would have to be done; nothing is changed. */
export function planLink(env: Pick<Environment, "userHome" | "path">, target: string): LinkPlan {
  const folder = join(env.userHome, ".local", "bin");
  const path = join(folder, "fermix");
  const linked = leadsTo(path, target);
  return {
    path,
    target,
    linked,
    taken: linked ? undefined : whatIsAt(path),
    onPath: env.path.includes(folder),
    linkCommand: `mkdir -p ${shellWord(folder)} && ln -s ${shellWord(target)} ${shellWord(path)}`,
    pathLine: 'export PATH="$HOME/.local/bin:$PATH"',
  };
}

/** The plan, when the link is there or its name is free. Throws `link_taken` when something else has the name. */
export function assertLinkable(plan: LinkPlan): LinkPlan {
  if (plan.taken !== undefined) throw new FermixError("link_taken", { path: plan.path, found: plan.taken });
  return plan;
}

/** Makes the link; a link to this binary is fine as it is. Throws `link_taken`, or `link_failed` with what to run. */
export function makeLink(plan: LinkPlan): LinkPlan {
  if (assertLinkable(plan).linked) return plan;
  try {
    mkdirSync(dirname(plan.path), { recursive: true });
    symlinkSync(plan.target, plan.path);
  } catch (cause) {
    if (hasErrno(cause, "EEXIST"))
      throw new FermixError("link_taken", { path: plan.path, found: whatIsAt(plan.path) ?? "taken" }, { cause });
    if (hasErrno(cause, "EACCES", "EROFS", "ENOTDIR", "EPERM")) {
      throw new FermixError("link_failed", { path: plan.path, command: plan.linkCommand }, { cause });
    }
    throw cause;
  }
  return { ...plan, linked: true };
}

function leadsTo(path: string, target: string): boolean {
  try {
    return realpathSync(path) === realpathSync(target);
  } catch (cause) {
    if (hasErrno(cause, "ENOENT", "ENOTDIR", "EACCES", "ELOOP")) return false;
    throw cause;
  }
}

/** What has this name; undefined when nothing has, or when it cannot be seen (making the link will tell). */
function whatIsAt(path: string): string | undefined {
  const stat = look(path);
  if (stat === undefined) return undefined;
  if (stat.isSymbolicLink()) return `a link to ${readlinkSync(path)}`;
  return stat.isDirectory() ? "a folder" : "a file";
}

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (cause) {
    if (hasErrno(cause, "ENOENT", "ENOTDIR", "EACCES", "ELOOP")) return undefined;
    throw cause;
  }
}
