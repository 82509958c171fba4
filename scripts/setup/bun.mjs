/** Brings the pinned Bun and the locked dependencies, with nothing but Node and npm there. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run, SetupError, say, which } from "./shell.mjs";

const OLDEST_NODE = 20;

/** Refuses a Node older than the oldest one that the plugins' servers run on. */
export function checkNode(version = process.versions.node) {
  if (Number(version.split(".")[0]) >= OLDEST_NODE) return;
  throw new SetupError(
    `Fermix needs Node ${OLDEST_NODE} or newer; this is Node ${version}`,
    `install Node ${OLDEST_NODE} or newer (for example with nvm: \`nvm install ${OLDEST_NODE}\`), then run the command again`,
  );
}

/**
 * Installs Bun from npm into `.tools/` (its version is the one pinned in package.json), then everything bun.lock names
 * into `node_modules/`. Returns the path of the Bun that the project uses. Does nothing when both are up to date.
 */
export function bringBunAndDependencies(root) {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const wanted = manifest.devDependencies.bun;
  const tools = join(root, ".tools");
  const bun = join(tools, "node_modules/bun/bin/bun.exe");
  if (installedVersion(tools) !== wanted || !existsSync(bun)) {
    const npm = which("npm");
    if (npm === undefined) throw new SetupError("npm was not found on PATH", "install Node together with npm");
    say(`setup: installing Bun ${wanted}`);
    mkdirSync(tools, { recursive: true });
    writeFileSync(join(tools, "package.json"), JSON.stringify({ private: true }));
    // The package's own install script links the executable for this machine; it is run below, by name, so that no
    // other package's script ever runs here.
    run(
      npm,
      [
        "install",
        "--prefix",
        tools,
        "--ignore-scripts",
        "--no-package-lock",
        "--no-audit",
        "--no-fund",
        `bun@${wanted}`,
      ],
      { cwd: tools },
    );
    run(process.execPath, ["install.js"], { cwd: join(tools, "node_modules/bun") });
  }
  say("setup: installing the locked dependencies");
  run(bun, ["install", "--frozen-lockfile"], { cwd: root });
  return bun;
}

function installedVersion(tools) {
  try {
    return JSON.parse(readFileSync(join(tools, "node_modules/bun/package.json"), "utf8")).version;
  } catch {
    return undefined;
  }
}
