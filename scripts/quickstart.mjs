/** `npm run quickstart`: all set-up, one build, then the main job on real input with the binary just built. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { run, say } from "./setup/shell.mjs";
import { orExplain, ROOT, setUp } from "./setup.mjs";

const bun = orExplain(setUp);
say("setup: building dist/fermix");
orExplain(() => run(bun, ["build.ts"], { cwd: ROOT }));
const { status } = spawnSync(join(ROOT, "dist/fermix"), ["quickstart", ...process.argv.slice(2)], { stdio: "inherit" });
process.exit(status ?? 1);
