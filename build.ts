/** Builds `fermix` as one executable: `bun build.ts [--target T | --all] [--catalog DIR] [--outfile FILE]`. */
import { mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { BunPlugin } from "bun";

const ROOT = import.meta.dirname;
const TARGETS = [
  "bun-linux-x64",
  "bun-linux-arm64",
  "bun-linux-x64-musl",
  "bun-darwin-x64",
  "bun-darwin-arm64",
] as const;
type Target = (typeof TARGETS)[number];

interface BuildOptions {
  /** The machine to build for; this one when absent. */
  readonly target?: Target;
  /** A packed catalog folder to embed instead of this project's own (tests and benches only; DECISIONS 2). */
  readonly catalog?: string;
  readonly outfile: string;
}

/** Swaps the generated module that embeds `catalog/` for one that embeds another packed catalog. */
async function otherCatalog(folder: string): Promise<BunPlugin> {
  const { embeddedModuleFor } = await import("./scripts/catalog/embedded-module.ts");
  return {
    name: "other-catalog",
    setup(build) {
      build.onLoad({ filter: /[\\/]src[\\/]system[\\/]embedded-catalog\.ts$/ }, () => ({
        contents: embeddedModuleFor(folder),
        loader: "ts",
      }));
    },
  };
}

/** How every executable of this project is compiled, the bench's hello world included. */
export const FLAGS = {
  target: "bun",
  format: "esm",
  splitting: true,
  bytecode: true,
  minify: true,
} as const;

export const COMPILE_FLAGS = {
  // A folder the binary happens to be started in must never configure it (PLATFORM, "Bun").
  autoloadDotenv: false,
  autoloadBunfig: false,
  autoloadTsconfig: false,
  autoloadPackageJson: false,
  // A third of a short command's time would go into compiling code that is about to end; `system/engine.ts` sets it
  // back to 1 in a process that serves. (A bytecodeOrder profile was measured as well and gained nothing.)
  jitPolicy: 100,
} as const;

/** Compiles one executable; returns its path. Throws with the bundler's messages when it fails. */
export async function buildFermix({ target, catalog, outfile }: BuildOptions): Promise<string> {
  const folder = resolve(catalog ?? join(ROOT, "catalog"));
  const index = JSON.parse(readFileSync(join(folder, "index.json"), "utf8")) as { generated_at: string };
  mkdirSync(dirname(outfile), { recursive: true });
  const built = await Bun.build({
    entrypoints: [join(ROOT, "src/main.ts")],
    ...FLAGS,
    sourcemap: "external",
    define: {
      FERMIX_CATALOG_DATE: JSON.stringify(index.generated_at),
      "process.env.NODE_ENV": JSON.stringify("production"),
    },
    plugins: catalog === undefined ? [] : [await otherCatalog(folder)],
    compile: {
      ...(target === undefined ? {} : { target }),
      outfile,
      ...COMPILE_FLAGS,
    },
  });
  if (!built.success) throw new AggregateError(built.logs, `building ${outfile} failed`);
  setMapsAside(
    built.outputs.filter(({ kind }) => kind === "sourcemap").map(({ path }) => path),
    `${outfile}.maps`,
  );
  return outfile;
}

/** Source maps stay out of the binary and beside it, for reading a crash report; those of an older build go. */
function setMapsAside(maps: readonly string[], folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const map of maps) renameSync(map, join(folder, basename(map)));
}

function isTarget(text: string): text is Target {
  return (TARGETS as readonly string[]).includes(text);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      target: { type: "string" },
      all: { type: "boolean", default: false },
      catalog: { type: "string" },
      outfile: { type: "string", default: join(ROOT, "dist/fermix") },
    },
  });
  const shared = values.catalog === undefined ? {} : { catalog: values.catalog };
  if (values.all) {
    for (const target of TARGETS) {
      const name = `${basename(values.outfile)}-${target.slice("bun-".length)}`;
      console.log(await buildFermix({ ...shared, target, outfile: join(dirname(values.outfile), name) }));
    }
    return;
  }
  if (values.target !== undefined && !isTarget(values.target)) {
    throw new Error(`unknown target ${values.target}; known: ${TARGETS.join(", ")}`);
  }
  const target = values.target === undefined ? {} : { target: values.target };
  console.log(await buildFermix({ ...shared, ...target, outfile: resolve(values.outfile) }));
}

if (import.meta.main) await main();
