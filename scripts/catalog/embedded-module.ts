/** Writes the module that compiles a packed catalog into the binary: one static file import for each file. */
import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { filesBelow } from "./sources.ts";

const PROJECT_CATALOG = resolve(import.meta.dirname, "../../catalog");

/** Folders and files of a packed catalog that the binary carries; its sources under `plugins/` stay out. */
const EMBEDDED_FILES = ["index.json", "index.json.sig", "index.pub", "trusted_root.json"];
const EMBEDDED_FOLDERS = ["artifacts", "publishers", "bundled"];
/** What a person reads of a bundled plugin in the repository, and no program needs. */
const NOT_EMBEDDED = /(^|\/)(CHANGELOG|README)\.md$/;

/**
 * The text of `src/system/embedded-catalog.ts` for a packed catalog folder. Specifiers are relative to `from` (the
 * module's folder) when given and absolute otherwise. A folder without `bundled/` gets the project's own trio (BUN-1).
 */
export function embeddedModuleFor(catalogDir: string, from?: string): string {
  const files = embeddedFiles(resolve(catalogDir));
  const names = [...files.keys()].toSorted();
  const imports = names.map((name, at) => {
    const path = files.get(name) ?? name;
    const specifier = from === undefined ? path : relative(from, path);
    return `import file${at} from ${JSON.stringify(specifier)} with { type: "file" };`;
  });
  const rows = names.map((name, at) => `  [${JSON.stringify(name)}, String(file${at})],`);
  return `/** The files of the catalog inside the binary, by name; written by \`bun run catalog\`, never by hand. */
${imports.join("\n")}

/** Name below \`catalog/\` to a path that node:fs and Bun.file can read, also inside the compiled binary. */
export const embeddedPaths: ReadonlyMap<string, string> = new Map([
${rows.join("\n")}
]);
`;
}

/** Name in the binary to absolute path. */
function embeddedFiles(root: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const name of EMBEDDED_FILES) if (existsSync(join(root, name))) files.set(name, join(root, name));
  for (const folder of EMBEDDED_FOLDERS) {
    const own = join(root, folder);
    const path = folder === "bundled" && !existsSync(own) ? join(PROJECT_CATALOG, folder) : own;
    if (!existsSync(path)) continue;
    for (const name of filesBelow(path).keys()) {
      if (!NOT_EMBEDDED.test(name)) files.set(`${folder}/${name}`, join(path, name));
    }
  }
  return files;
}
