/** `npm test`: all set-up, static checks, every suite; the last line is the true count, `N passed, N failed`. */
import { spawn } from "node:child_process";
import { say } from "./setup/shell.mjs";
import { bringSuiteTools } from "./setup/suites.mjs";
import { orExplain, ROOT, setUp, thisMachine } from "./setup.mjs";

const bun = orExplain(setUp);
orExplain(() => bringSuiteTools(thisMachine().path));
const bin = (name) => ["--bun", `node_modules/.bin/${name}`];

/** Each counts as one test. */
const CHECKS = [
  { name: "lint", args: [...bin("biome"), "check", "."] },
  { name: "types", args: [...bin("tsc"), "--noEmit"] },
  { name: "dead code", args: [...bin("knip")] },
  { name: "build", args: ["build.ts"] },
];
/** Most tests start programs, beside each other's: Bun's own five seconds would be a bet on how busy the machine is. */
const PATIENCE = "--timeout=60000";
/** Each counts its own tests. They run side by side: flows wait for processes most of the time, unit tests hardly ever. */
const SUITES = [
  { name: "unit tests", args: ["test", PATIENCE, "--path-ignore-patterns=test/flows/**"] },
  { name: "flows", args: ["test", PATIENCE, "--config=test/flows/bunfig.toml", "test/flows"] },
];

let passed = 0;
let failed = 0;
for (const { name, args } of CHECKS) {
  say(`\n== ${name}`);
  const { status } = await start(args, shown).ended;
  if (status === 0) passed += 1;
  else failed += 1;
}
const running = SUITES.map(({ name, args }) => ({ name, ...start(args, held()) }));
for (const { name, output, ended } of running) {
  say(`\n== ${name}`);
  output.release();
  const { status, text } = await ended;
  const counted = suiteCounts(text);
  // A suite that ends badly without a failed test (a crash, no test found, a skipped one) is itself a failure.
  const lost = (status !== 0 && counted.failed === 0) || counted.passed === 0 || counted.skipped > 0;
  passed += counted.passed;
  failed += counted.failed + (lost ? 1 : 0);
}
if (process.env.CI) {
  // Figures for whoever reads the run; a busy machine's ratios decide nothing here (DECISIONS 48).
  say("\n== bench, short form (figures only)");
  await start(["scripts/bench.ts", "--short"], shown).ended;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

/** The counts that `bun test` prints at its end: ` 12 pass`, ` 0 fail`, ` 1 skip`. */
function suiteCounts(output) {
  const count = (word) => Number([...output.matchAll(new RegExp(`^ *(\\d+) ${word}$`, "gm"))].at(-1)?.[1] ?? 0);
  return { passed: count("pass"), failed: count("fail"), skipped: count("skip") + count("todo") };
}

/** Shows what a program writes as it comes. */
function shown(stream, chunk) {
  stream.write(chunk);
}

/** Keeps what a program writes until it is released, and shows it as it comes from then on. */
function held() {
  let waiting = [];
  const take = (stream, chunk) => (waiting === undefined ? shown(stream, chunk) : waiting.push([stream, chunk]));
  const release = () => {
    for (const [stream, chunk] of waiting ?? []) shown(stream, chunk);
    waiting = undefined;
  };
  return Object.assign(take, { release });
}

/** Starts Bun with these words; `ended` has its status and all that it wrote. */
function start(args, output) {
  const child = spawn(bun, args, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  const keep = (stream) => (chunk) => {
    text += chunk;
    output(stream, chunk);
  };
  child.stdout.on("data", keep(process.stdout));
  child.stderr.on("data", keep(process.stderr));
  const ended = new Promise((resolve) => child.on("close", (status) => resolve({ status: status ?? 1, text })));
  return { output, ended };
}
