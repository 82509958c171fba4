/** Whether the files a manifest names (icon, logo, skills) are regular files inside the plugin's own folder. */
import { realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import type { ManifestProblem } from "../kernel/codes/manifest.ts";
import { hasErrno } from "../kernel/error.ts";
import { assetPaths } from "../manifest/asset-paths.ts";
import type { Manifest } from "../manifest/manifest.ts";

/** One problem for each named file that is absent, not regular, or reached through a link out of `dir` (spec 1.3, 1.10). */
export function namedFileProblems(manifest: Manifest, dir: string): readonly ManifestProblem[] {
  const problems: ManifestProblem[] = [];
  let root: string | undefined;
  for (const { at, path } of assetPaths(manifest)) {
    root ??= realpathSync.native(dir);
    const says = fileProblem(root, path);
    if (says !== undefined) problems.push({ path: at, rule: "file_inside_plugin", says });
  }
  return problems;
}

function fileProblem(root: string, relative: string): string | undefined {
  if (relative.includes("\0")) return "is not a path";
  try {
    const real = realpathSync.native(join(root, relative));
    if (!real.startsWith(root + sep)) return "leaves the plugin's folder";
    return statSync(real).isFile() ? undefined : "is not a regular file";
  } catch (cause) {
    if (hasErrno(cause, "ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG")) return "names a file that is not there";
    throw cause;
  }
}
