/** `bun run catalog [--check] [--source DIR] [--out DIR]`: packs and signs the catalog; FERMIX_CATALOG_KEY is a maintainer's key. */
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { buildCatalog } from "./catalog/build.ts";
import { bundleServers } from "./catalog/bundle.ts";
import { checkCatalog } from "./catalog/check.ts";
import { embeddedModuleFor } from "./catalog/embedded-module.ts";

const ROOT = resolve(import.meta.dirname, "..");
const CATALOG = join(ROOT, "catalog");
const MODULE = join(ROOT, "src/system/embedded-catalog.ts");

/** The text that src/system/embedded-catalog.ts must have for the project's own catalog. */
function currentModule(): string {
  return embeddedModuleFor(CATALOG, dirname(MODULE));
}

async function check(sources: string, out: string): Promise<void> {
  const problems = [...(await checkCatalog({ sources, out }))];
  for (const [name, text] of await bundleServers(sources)) {
    if (readFileSync(join(sources, name), "utf8") !== text) problems.push(`${name} is not current`);
  }
  if (out === CATALOG && readFileSync(MODULE, "utf8") !== currentModule()) {
    problems.push("src/system/embedded-catalog.ts is not current");
  }
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else console.log("the catalog is current");
}

async function build(sources: string, out: string): Promise<void> {
  const key = process.env["FERMIX_CATALOG_KEY"];
  for (const [name, text] of await bundleServers(sources)) writeFileSync(join(sources, name), text);
  const report = await buildCatalog({ sources, out, ...(key === undefined ? {} : { key }) });
  if (out === CATALOG) writeFileSync(MODULE, currentModule());
  for (const name of report.added) console.log(`signed ${name}`);
  const by = key === undefined ? "a fresh key whose private half is gone" : "the maintainer's key";
  console.log(report.indexSigned ? `index signed with ${by} (${report.keyId})` : "nothing changed");
}

const { values } = parseArgs({
  options: {
    check: { type: "boolean", default: false },
    source: { type: "string", default: CATALOG },
    out: { type: "string", default: CATALOG },
  },
});
const [sources, out] = [resolve(values.source), resolve(values.out)];
await (values.check ? check(sources, out) : build(sources, out));
