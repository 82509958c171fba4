/** What a plugin of each kind may carry, judged on the unpacked tree (spec 2.1). */
import { FermixError } from "../kernel/error.ts";
import type { Manifest } from "../manifest/manifest.ts";
import type { UnpackedTree, VerifiedTree } from "./proof.ts";

/** Top-level entries of every plugin. */
const ALWAYS = ["plugin.json", "skills", "assets", "CHANGELOG.md", "README.md", "LICENSE", "yanked.json"] as const;
/** Files of package managers, which only a plugin with a local process has a use for. */
const ECOSYSTEM = [
  "package.json",
  "package-lock.json",
  "pyproject.toml",
  "uv.lock",
  "requirements.txt",
  "mix.exs",
  "mix.lock",
] as const;

const HOSTED: ReadonlySet<string> = new Set(ALWAYS);
const DECLARATIVE: ReadonlySet<string> = new Set([...ALWAYS, "bin", "src"]);
const LOCAL: ReadonlySet<string> = new Set([...DECLARATIVE, ...ECOSYSTEM]);
const ECOSYSTEM_NAMES: ReadonlySet<string> = new Set(ECOSYSTEM);
/** Entries that are folders; every other one is a file. */
const FOLDERS: ReadonlySet<string> = new Set(["skills", "assets", "bin", "src"]);

/** The top-level entries that a plugin of this kind may have (spec 2.1). */
export function allowedEntries(rail: Manifest["rail"]): ReadonlySet<string> {
  return rail === "hosted-mcp" ? HOSTED : rail === "local-mcp" ? LOCAL : DECLARATIVE;
}

/**
 * The tree, when its manifest's kind may carry every file in it: top-level entries from a closed list, and for a
 * hosted plugin nothing executable and no package manager's file at any depth (INS-7). Throws content_not_allowed.
 */
export function assertAllowedContent(tree: UnpackedTree, manifest: Manifest): VerifiedTree {
  const allowed = allowedEntries(manifest.rail);
  for (const path of [...tree.folders, ...tree.files.map((file) => file.path)]) {
    if (!allowed.has(path.split("/")[0] ?? "")) throw refused(tree, path, "which a plugin of this kind may not have");
  }
  for (const top of tree.folders.filter((path) => !path.includes("/") && !FOLDERS.has(path))) {
    throw refused(tree, top, "a folder where a file belongs");
  }
  for (const { path } of tree.files.filter((file) => FOLDERS.has(file.path))) {
    throw refused(tree, path, "a file where a folder belongs");
  }
  if (manifest.rail === "hosted-mcp") assertNoCode(tree);
  const { plugin, version, artifact, root, files, folders, hashes } = tree;
  return { plugin, version, artifact, root, files, folders, hashes, manifest } as VerifiedTree;
}

function assertNoCode(tree: UnpackedTree): void {
  for (const { path, executable } of tree.files) {
    if (executable) throw refused(tree, path, "an executable file, and a hosted plugin carries no code");
    if (ECOSYSTEM_NAMES.has(path.split("/").at(-1) ?? "")) {
      throw refused(tree, path, "a package manager's file, and a hosted plugin carries no code");
    }
  }
}

function refused(tree: UnpackedTree, path: string, reason: string): FermixError {
  return new FermixError("content_not_allowed", { plugin: tree.plugin, path, reason });
}
