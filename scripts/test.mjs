/** `npm test`: all set-up, static checks, every suite; the last line is the true count, `N passed, N failed`. */
import { spawn } from "node:child_process";
import { say } from "./setup/shell.mjs";
import { bringSuiteTools } from "./setup/suites.mjs";
import { orExplain, ROOT, setUp, thisMachine } from "./setup.mjs";

const bun = orExplain(setUp);
orExplain(() => bringSuiteTools(thisMachine().path));
const bin = (name) => ["--bun", `node_modules/.bin/${name}`];

/** Each step counts as one test; a suite counts its own tests. */
const STEPS = [
  { name: "lint", args: [...bin("biome"), "check", "."] },
  { name: "types", args: [...bin("tsc"), "--noEmit"] },
  { name: "dead code", args: [...bin("knip")] },
  { name: "build", args: ["build.ts"] },
  { name: "unit tests", args: ["test", "--path-ignore-patterns=test/flows/**"], suite: true },
  { name: "flows", args: ["test", "--config=test/flows/bunfig.toml", "test/flows"], suite: true },
];

let passed = 0;
let failed = 0;
for (const step of STEPS) {
  say(`\n== ${step.name}`);
  const { status, output } = await passThrough(bun, step.args);
  const counted = step.suite ? suiteCounts(output) : undefined;
  // A suite that ends badly without a failed test (a crash, no test found, a skipped one) is itself a failure.
  const lost = status !== 0 && (counted?.failed ?? 0) === 0;
  passed += counted?.passed ?? (status === 0 ? 1 : 0);
  failed += (counted?.failed ?? 0) + (lost || (counted?.skipped ?? 0) > 0 ? 1 : 0);
}
if (process.env.CI) {
  // Figures for whoever reads the run; a busy machine's ratios decide nothing here (DECISIONS 48).
  say("\n== bench, short form (figures only)");
  await passThrough(bun, ["scripts/bench.ts", "--short"]);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

/** The counts that `bun test` prints at its end: ` 12 pass`, ` 0 fail`, ` 1 skip`. */
function suiteCounts(output) {
  const count = (word) => Number([...output.matchAll(new RegExp(`^ *(\\d+) ${word}$`, "gm"))].at(-1)?.[1] ?? 0);
  return { passed: count("pass"), failed: count("fail"), skipped: count("skip") + count("todo") };
}

/** Runs a program with its output shown as it comes and kept. */
function passThrough(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    const keep = (stream) => (chunk) => {
      output += chunk;
      stream.write(chunk);
    };
    child.stdout.on("data", keep(process.stdout));
    child.stderr.on("data", keep(process.stderr));
    child.on("close", (status) => resolve({ status: status ?? 1, output }));
  });
}
