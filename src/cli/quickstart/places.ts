/** Where a first run happens: its home, and the vault it searches. */
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { homeAt } from "../../files/home.ts";
import { FermixError, hasErrno } from "../../kernel/error.ts";
import type { App } from "../../plugins/app.ts";

export interface Places {
  /** The app of the chosen home. */
  readonly app: App;
  /** The folder that was made for this run alone; undefined for the operator's own home. */
  readonly throwaway: string | undefined;
  readonly vault: string;
  readonly sample: boolean;
  /** What to search the vault for. */
  readonly query: string;
}

export interface PlacesAsked {
  readonly home: string | undefined;
  readonly vault: string | undefined;
}

/** Notes of the sample vault; the query finds two of the three. */
const SAMPLE_NOTES: Readonly<Record<string, string>> = {
  "Welcome.md":
    "# Welcome\n\nThis vault was made by `fermix quickstart`. Ask your agent what the plan for the garden is.\n",
  "Projects/Garden.md":
    "# Garden\n\n- [ ] Order seeds before March\n- [x] Repair the fence\n\nThe plan: tomatoes along the wall, herbs by the door.\n",
  "Daily/2026-11-30.md": "# Monday\n\nCalled the neighbour about the hedge.\n",
};
const SAMPLE_QUERY = "garden";
/** The word that asks for the sample where a vault is asked for. */
export const SAMPLE = "sample";

/**
 * The home and the vault of this run, made when they are throwaway ones. Throws `usage` for a home that is neither
 * `throwaway` nor `real`, and for the real home without a vault; `vault_unusable` when the vault is not a folder.
 */
export function choosePlaces(app: App, { home, vault }: PlacesAsked): Places {
  const real = home === "real";
  if (!real && home !== undefined && home !== "throwaway") throw usage("--home takes `throwaway` or `real`.");
  if (real && vault === undefined)
    throw usage("--home real needs --vault DIR: a sample vault has no place in your own home.");
  const own = vault === undefined ? undefined : usableVault(vault, app.env.userHome);
  if (real && own !== undefined) return { app, throwaway: undefined, vault: own, sample: false, query: wordOf(own) };
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "fermix-quickstart-")));
  const root = join(folder, "home");
  mkdirSync(root, { mode: 0o700 });
  const there: App = { ...app, home: homeAt(root), env: { ...app.env, fermixHome: root } };
  if (own !== undefined) return { app: there, throwaway: folder, vault: own, sample: false, query: wordOf(own) };
  const made = join(folder, "vault");
  writeSample(made);
  return { app: there, throwaway: folder, vault: made, sample: true, query: SAMPLE_QUERY };
}

/** Takes a throwaway home away again, after a run that failed. */
export function discardPlaces({ throwaway }: Places): void {
  if (throwaway !== undefined) rmSync(throwaway, { recursive: true, force: true });
}

function usage(problem: string): FermixError<"usage"> {
  return new FermixError("usage", { problem, command: "fermix quickstart" });
}

/** The absolute path of a vault that is a folder; a ~ that no shell expanded is the user's home. Throws `vault_unusable`. */
export function usableVault(given: string, userHome: string): string {
  const path = given === "~" || given.startsWith("~/") ? join(userHome, given.slice(1)) : resolve(given);
  try {
    if (statSync(path).isDirectory()) return path;
  } catch (cause) {
    if (!hasErrno(cause, "ENOENT", "ENOTDIR", "EACCES", "ELOOP")) throw cause;
    throw new FermixError("vault_unusable", { path, reason: "there is nothing to read there" }, { cause });
  }
  throw new FermixError("vault_unusable", { path, reason: "it is not a folder" });
}

function writeSample(vault: string): void {
  for (const [path, text] of Object.entries(SAMPLE_NOTES)) {
    mkdirSync(join(vault, path, ".."), { recursive: true });
    writeFileSync(join(vault, path), text);
  }
}

/** A word that the vault should have: the first of the first note's name. */
function wordOf(vault: string): string {
  const note = readdirSync(vault)
    .sort()
    .find((name) => name.endsWith(".md"));
  return note?.replace(/\.md$/, "").split(/\s+/)[0] || "note";
}
