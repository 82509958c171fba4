#!/usr/bin/env bun
/** Words in, exit status out. Nothing is loaded before it is known what was asked for. */

/** Set by build.ts; absent when the sources are run as they are. */
declare const FERMIX_CATALOG_DATE: string | undefined;

/** The hidden first word that turns this process into the guard of one child (PLATFORM, no orphan outlives Fermix). */
const GUARD = "__guard";
/** The hidden first word that turns this process into the one that asks the keychain (system/keychain.ts). */
const ASK_KEYCHAIN = "__keychain";
/** Answered before anything is loaded, with such flags of every verb beside it as change nothing else. */
const VERSION: ReadonlySet<string> = new Set(["--version", "-V"]);
const BESIDE_VERSION: ReadonlySet<string> = new Set(["--json", "--no-color"]);

async function main(argv: readonly string[]): Promise<void> {
  const [first = "", ...rest] = argv;
  if (first === GUARD || first === ASK_KEYCHAIN) {
    await runHelper(first, rest);
    return;
  }
  // Behind the guard only: what it was given is exactly what its child gets.
  const { dropUnsafeVariables } = await import("./config/env.ts");
  dropUnsafeVariables();
  if (asksForVersion(argv)) {
    await printVersion(argv.includes("--json"));
    return;
  }
  const [{ composeFrame }, { answerCrash, runCommandLine }] = await Promise.all([
    import("./compose.ts"),
    import("./cli/run.ts"),
  ]);
  const frame = composeFrame();
  // Without these, what nobody awaited ends the process with kilobytes of minified source on stderr.
  const crash = (cause: unknown): never => process.exit(answerCrash(cause, frame));
  process.on("uncaughtException", crash);
  process.on("unhandledRejection", crash);
  process.exitCode = await runCommandLine(argv, frame);
}

/** A process that no person started. What ends it unforeseen may quote what it was given, so it is not told. */
async function runHelper(name: string, argv: readonly string[]): Promise<void> {
  try {
    if (name === GUARD) (await import("./system/guard.ts")).runGuard(argv);
    else await (await import("./system/keychain-process.ts")).answerFromKeychain();
  } catch {
    (await import("./system/terminal.ts")).systemTerminal().talk(`fermix: Fermix hit a bug in ${name}\n`);
    process.exitCode = 1;
  }
}

function asksForVersion(argv: readonly string[]): boolean {
  return argv.some((word) => VERSION.has(word)) && argv.every((word) => VERSION.has(word) || BESIDE_VERSION.has(word));
}

async function printVersion(json: boolean): Promise<void> {
  const [{ print }, { CORE_VERSION }] = await Promise.all([import("./cli/render.ts"), import("./kernel/version.ts")]);
  const catalog = typeof FERMIX_CATALOG_DATE === "string" ? FERMIX_CATALOG_DATE : await catalogDateOfSources();
  const facts = { version: CORE_VERSION, catalog, bun: Bun.version };
  print(json ? JSON.stringify(facts) : `fermix ${facts.version} (catalog ${facts.catalog}, bun ${facts.bun})`);
}

async function catalogDateOfSources(): Promise<string> {
  const { embeddedFiles } = await import("./system/embedded.ts");
  const index = embeddedFiles.read("index.json");
  if (index === undefined) return "none";
  const { generated_at: date } = JSON.parse(new TextDecoder().decode(index)) as { generated_at?: unknown };
  return typeof date === "string" ? date : "none";
}

await main(process.argv.slice(2));

export {};
