/** `npm run quickstart`: all set-up, one build, then the main job on real input with the binary just built. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { run, say } from "./setup/shell.mjs";
import { orExplain, ROOT, setUp } from "./setup.mjs";

const bun = orExplain(setUp);
say("setup: building dist/fermix");
orExplain(() => run(bun, ["build.ts"], { cwd: ROOT }));
// npm starts scripts in the project; what is given with --vault is meant from where the words were typed.
const cwd = process.env.INIT_CWD ?? process.cwd();
// Ctrl-C is the program's to answer: this script and npm wait for what it has to take back.
process.on("SIGINT", () => {});
const words = ["quickstart", ...process.argv.slice(2)];
const { status } = spawnSync(join(ROOT, "dist/fermix"), words, { cwd, stdio: "inherit" });
process.exit(status ?? 1);
