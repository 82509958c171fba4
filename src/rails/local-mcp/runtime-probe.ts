/** Finds the program a local plugin runs on and proves that it is new enough (spec 4 "Runtime probe"). */
import { statSync } from "node:fs";
import { join } from "node:path";
import { hostTarget } from "../../catalog/find.ts";
import type { Environment } from "../../config/env.ts";
import type { Home } from "../../files/home.ts";
import { hasErrno } from "../../kernel/error.ts";
import type { Ports } from "../../kernel/ports.ts";
import type { LocalRuntime } from "../../manifest/manifest.ts";
import { baseEnv } from "./child-env.ts";
import { type ProgramStamp, readProbed, rememberProbed } from "./probe-cache.ts";

/** A `--version` that takes longer is a program that hangs. */
const VERSION_DEADLINE_MS = 5_000;
/** The program chooses what it prints; a version needs a line. */
const MAX_VERSION_OUTPUT_BYTES = 64 * 1024;
const EXECUTE_BITS = 0o111;
const FIRST_VERSION = /\d+(?:\.\d+)?(?:\.\d+)?/;

export type RuntimeProbe =
  | { readonly ok: true; readonly command: string; readonly version?: string }
  | { readonly ok: false; readonly wanted: string; readonly lookedIn: readonly string[]; readonly found?: string };

/**
 * Where the runtime's program is, and its version when the manifest asks for a least one; never an ENOENT. A version
 * that satisfied is remembered in the home's cache by path, size and change time, so that a second look starts nothing.
 */
export async function probeRuntime(
  ports: Pick<Ports, "processes">,
  env: Environment,
  home: Home,
  runtime: LocalRuntime,
  pluginDir: string,
): Promise<RuntimeProbe> {
  const located = locateRuntime(env, runtime, pluginDir);
  if (!located.ok || runtime.vendored || runtime.minVersion === undefined || runtime.kind === "binary") return located;
  const refusal = { ok: false, wanted: located.wanted, lookedIn: located.lookedIn } as const;
  const minimum = parseVersion(runtime.minVersion);
  if (minimum === undefined) return { ...refusal, found: `a min_version that is no version: ${runtime.minVersion}` };
  const { command, stamp } = located;
  const probed = readProbed(home, command, stamp);
  // Only a good answer is trusted again: behind a shim the version changes while the shim's file does not.
  if (probed !== undefined && isAtLeast(probed, minimum)) return { ok: true, command, version: probed };
  const answer = await askVersion(ports, env, command);
  if (!answer.ok) return { ...refusal, found: `${command}, which ${answer.reason}` };
  if (!isAtLeast(answer.version, minimum)) return { ...refusal, found: `${command} ${answer.version}` };
  await rememberProbed(home, command, stamp, answer.version);
  return { ok: true, command, version: answer.version };
}

type Location =
  | {
      readonly ok: true;
      readonly command: string;
      readonly stamp: ProgramStamp;
      readonly wanted: string;
      readonly lookedIn: readonly string[];
    }
  | { readonly ok: false; readonly wanted: string; readonly lookedIn: readonly string[] };

/** The program's absolute path, by looking at files only: under the plugin's `bin/<os>-<arch>` when vendored, else on PATH. */
export function locateRuntime(env: Environment, runtime: LocalRuntime, pluginDir: string): Location {
  const wanted = wantedText(runtime);
  const lookedIn = runtime.vendored ? [join(pluginDir, "bin", hostTarget())] : [...new Set(env.path)];
  for (const folder of lookedIn) {
    const command = join(folder, runtime.command);
    const stamp = stampOf(command);
    if (stamp !== undefined) return { ok: true, command, stamp, wanted, lookedIn };
  }
  return { ok: false, wanted, lookedIn };
}

function wantedText(runtime: LocalRuntime): string {
  if (runtime.vendored) return `the plugin's own ${runtime.command} for ${hostTarget()}`;
  const least = runtime.kind === "binary" ? undefined : runtime.minVersion;
  return least === undefined ? runtime.command : `${runtime.command} >=${least}`;
}

/** What identifies a program file; undefined when it is not a regular file with an execute bit. */
function stampOf(path: string): ProgramStamp | undefined {
  try {
    const stat = statSync(path);
    const { size, mtimeMs } = stat;
    return stat.isFile() && (stat.mode & EXECUTE_BITS) !== 0 ? { size, mtimeMs } : undefined;
  } catch (cause) {
    if (hasErrno(cause, "ENOENT", "ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG", "EINVAL")) return undefined;
    throw cause;
  }
}

type Answer = { readonly ok: true; readonly version: string } | { readonly ok: false; readonly reason: string };

async function askVersion(ports: Pick<Ports, "processes">, env: Environment, command: string): Promise<Answer> {
  const { exitCode, stdout, timedOut } = await ports.processes.run({
    command,
    args: ["--version"],
    env: baseEnv(env),
    deadlineMs: VERSION_DEADLINE_MS,
    maxOutputBytes: MAX_VERSION_OUTPUT_BYTES,
  });
  if (timedOut) return { ok: false, reason: `did not answer --version within ${VERSION_DEADLINE_MS} ms` };
  if (exitCode !== 0) return { ok: false, reason: `failed on --version (exit code ${exitCode ?? "unknown"})` };
  const version = FIRST_VERSION.exec(stdout)?.[0];
  return version === undefined ? { ok: false, reason: "printed no version" } : { ok: true, version };
}

type Parts = readonly [number, number, number];

/** The first `x`, `x.y` or `x.y.z` in the text, padded with zeros. */
function parseVersion(text: string): Parts | undefined {
  const found = FIRST_VERSION.exec(text)?.[0];
  if (found === undefined) return undefined;
  const [major = "0", minor = "0", patch = "0"] = found.split(".");
  return [Number(major), Number(minor), Number(patch)];
}

function isAtLeast(version: string, minimum: Parts): boolean {
  const parts = parseVersion(version);
  if (parts === undefined) return false;
  for (const [at, least] of minimum.entries()) {
    const difference = (parts[at] ?? 0) - least;
    if (difference !== 0) return difference > 0;
  }
  return true;
}
