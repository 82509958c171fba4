/** Whether the files a manifest names (icon, logo, skills) are regular files inside the plugin's own folder. */
import { realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import type { ManifestProblem } from "../kernel/codes/manifest.ts";
import { hasErrno } from "../kernel/error.ts";
import type { Manifest } from "../manifest/manifest.ts";

/** One problem for each named file that is absent, not regular, or reached through a link out of `dir` (spec 1.3, 1.10). */
export function namedFileProblems(manifest: Manifest, dir: string): readonly ManifestProblem[] {
  const problems: ManifestProblem[] = [];
  let root: string | undefined;
  const judge = (path: string, relative: unknown): void => {
    if (typeof relative !== "string") return;
    root ??= realpathSync.native(dir);
    const says = fileProblem(root, relative);
    if (says !== undefined) problems.push({ path, rule: "file_inside_plugin", says });
  };
  judge("interface.icon", manifest.interface["icon"]);
  judge("interface.logo", manifest.interface["logo"]);
  for (const [index, skill] of manifest.skills.entries()) judge(`skills[${index}].path`, skill.path);
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
