/** Whether the home is a folder that nobody else may change or read. */
import { type Stats, statSync } from "node:fs";
import { reasonFor } from "../../files/fs-failure.ts";
import type { Home } from "../../files/home.ts";
import { isThere } from "../../files/look.ts";
import { FermixError, hasErrno } from "../../kernel/error.ts";
import { type Check, failure, ok } from "./check.ts";

/** Who else on this machine may change or read what Fermix trusts. */
const OTHERS_WRITE = 0o022;
const OTHERS_READ = 0o077;

/** A home that is not there yet is fine, and is not made. */
export function checkHome(home: Home): Check {
  let stat: Stats;
  try {
    stat = statSync(home.root);
  } catch (cause) {
    if (hasErrno(cause, "ENOENT") && !isThere(home.root)) return ok("home", `${home.root}, not created yet`);
    return unusable(home, reasonFor(cause) ?? String(cause));
  }
  if (!stat.isDirectory()) return unusable(home, "it is not a folder");
  const mode = (stat.mode & 0o777).toString(8).padStart(4, "0");
  const detail = `${home.root}, mode ${mode}`;
  if ((stat.mode & OTHERS_READ) === 0) return ok("home", detail);
  const level = (stat.mode & OTHERS_WRITE) === 0 ? "warn" : "fail";
  return { name: "home", level, detail, fix: `chmod 700 '${home.root.replaceAll("'", "'\\''")}'` };
}

function unusable({ root: path }: Home, reason: string): Check {
  return failure("home", new FermixError("home_unusable", { path, reason }));
}
