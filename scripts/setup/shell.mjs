/** Running programs and reading the machine for the set-up scripts; plain Node, since nothing else is there yet. */
import { spawnSync } from "node:child_process";
import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/** A set-up step that cannot go on: what is missing, and the command that brings it. */
export class SetupError extends Error {
  constructor(missing, fix, options) {
    super(missing, options);
    this.fix = fix;
  }
}

/** The first executable of this name in the given folders (PATH when absent), or undefined. */
export function which(name, folders = (process.env.PATH ?? "").split(delimiter)) {
  for (const folder of folders) {
    if (!isAbsolute(folder)) continue;
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      if (statSync(path).isFile()) return path;
    } catch {
      // Not there, or not ours to run: the next folder may have it.
    }
  }
  return undefined;
}

/** npm says why something failed in its first lines, most programs in their last. */
const FIRST_LINES = 4;
const LAST_LINES = 5;

/** Runs a program and returns its stdout; throws a SetupError with what it said, the middle left out, when it fails. */
export function run(command, args, options = {}) {
  const { fix = `run \`${[command, ...args].join(" ")}\` and see what it says`, ...rest } = options;
  const { status, error, stderr, stdout } = spawnSync(command, args, {
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8",
    ...rest,
  });
  if (error !== undefined || status !== 0) {
    const lines = `${stderr ?? ""}${stdout ?? ""}`.trim().split("\n");
    const middle = Math.max(lines.length - FIRST_LINES - LAST_LINES, 0);
    if (middle > 0) lines.splice(FIRST_LINES, middle, "[...]");
    const said = lines.join("\n");
    throw new SetupError(`\`${command} ${args.join(" ")}\` failed${said === "" ? "" : `:\n${said}`}`, fix);
  }
  return stdout;
}

/** The fields of an os-release file, `{}` when there is none (macOS, unknown systems). */
export function readOsRelease(path) {
  let text;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return {};
  }
  const fields = {};
  for (const line of text.split("\n")) {
    const match = /^([A-Z_]+)=(?:"([^"]*)"|(.*))$/.exec(line.trim());
    if (match) fields[match[1]] = match[2] ?? match[3];
  }
  return fields;
}

/** One line of progress, on stderr. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}
