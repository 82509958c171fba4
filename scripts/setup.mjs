/** Brings all that Fermix needs on a machine with only Node and npm: Bun, the dependencies, cosign. Needs no root. */
import { homedir } from "node:os";
import { delimiter, dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { bringBunAndDependencies, checkNode } from "./setup/bun.mjs";
import { bringCosign } from "./setup/cosign.mjs";
import { SetupError, say } from "./setup/shell.mjs";

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..");

/** The machine as the set-up sees it; the arguments let a test describe another one. */
export function thisMachine(osRelease = "/etc/os-release") {
  return {
    home: homedir(),
    osRelease,
    path: (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== ""),
    platform: process.platform,
    usualPlaces: true,
  };
}

/** Runs every step; returns the path of Bun. */
export function setUp() {
  checkNode();
  const bun = bringBunAndDependencies(ROOT);
  say(`setup: cosign is ${bringCosign(thisMachine())}`);
  return bun;
}

/** Runs a script's work; a SetupError ends it with what is missing and what to run. */
export function orExplain(work) {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    say(`setup: ${error.message}\nfix: ${error.fix}`);
    process.exit(1);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      "only-cosign": { type: "boolean" },
      "os-release": { type: "string" },
      "no-usual-places": { type: "boolean" },
    },
  });
  orExplain(() => {
    if (!values["only-cosign"]) return setUp();
    const machine = { ...thisMachine(values["os-release"]), usualPlaces: !values["no-usual-places"] };
    say(`setup: cosign is ${bringCosign(machine)}`);
  });
}
