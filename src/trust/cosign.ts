/** Where cosign is, what it can do, and how to get it when it is not there (DESIGN 4, DECISIONS 5 and 6). */
import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../config/env.ts";
import { FermixError, hasErrno } from "../kernel/error.ts";
import type { Ports } from "../kernel/ports.ts";
import { PROBE_DEADLINE_MS, runCosign } from "./cosign-run.ts";

export interface CosignLocation {
  /** Absolute. */
  readonly path: string;
  readonly bytes: number;
  readonly mtimeMs: number;
}

/** Whether this cosign asks for the new bundle format (2.4 to 2.6), takes it as given (3), or cannot read it. */
export type CosignGeneration = "2" | "3" | "too_old";

/** Install folders of package managers; a service or a desktop app often has none of them in PATH. */
const USUAL_PLACES = ["/usr/local/bin", "/usr/bin", "/opt/homebrew/bin", "/home/linuxbrew/.linuxbrew/bin"] as const;
/** Below the user's home: own programs, and where the set-up without root unpacks the cosign package (DECISIONS 41). */
const USUAL_PLACES_AT_HOME = [".local/bin", ".local/share/fermix/bin", ".local/share/fermix/cosign/usr/bin"] as const;

/** The folders searched for cosign, in order, each once. */
export function cosignPlaces(env: Environment): readonly string[] {
  const own = USUAL_PLACES_AT_HOME.map((folder) => join(env.userHome, folder));
  return [...new Set([...env.path, ...USUAL_PLACES, ...own])];
}

/** The first executable file named cosign in PATH and then in the usual places; undefined when there is none. */
export function locateCosign(
  env: Environment,
  places: readonly string[] = cosignPlaces(env),
): CosignLocation | undefined {
  for (const folder of places) {
    const path = join(folder, "cosign");
    try {
      const stat = statSync(path);
      accessSync(path, constants.X_OK);
      if (stat.isFile()) return { path, bytes: stat.size, mtimeMs: stat.mtimeMs };
    } catch (cause) {
      if (!hasErrno(cause, "ENOENT", "ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG")) throw cause;
    }
  }
  return undefined;
}

/** locateCosign, or cosign_missing with where it looked and this system's install command (INS-3, INS-13). */
export function requireCosign(env: Environment, places: readonly string[] = cosignPlaces(env)): CosignLocation {
  const found = locateCosign(env, places);
  if (found !== undefined) return found;
  throw new FermixError("cosign_missing", { lookedIn: places, install: installHint(thisSystem()) });
}

/** Which flags this cosign knows, read from its own help. Throws cosign_failed. */
export async function cosignGeneration(
  ports: Pick<Ports, "processes">,
  cosign: CosignLocation,
): Promise<CosignGeneration> {
  const help = await runCosign(ports, cosign.path, { args: ["verify-blob", "--help"], deadlineMs: PROBE_DEADLINE_MS });
  if (help.text.includes("--new-bundle-format")) return "2";
  return help.text.includes("--trusted-root") ? "3" : "too_old";
}

export type CosignReport =
  | { readonly found: false; readonly lookedIn: readonly string[]; readonly install: string }
  | {
      readonly found: true;
      readonly path: string;
      readonly generation: CosignGeneration;
      /** As it prints it; undefined for distribution builds, which print `devel`. */
      readonly version: string | undefined;
    };

/** What doctor says about cosign. Throws cosign_failed when there is one that does not run. */
export async function describeCosign(ports: Pick<Ports, "processes">, env: Environment): Promise<CosignReport> {
  const cosign = locateCosign(env);
  if (cosign === undefined) return { found: false, lookedIn: cosignPlaces(env), install: installHint(thisSystem()) };
  const generation = await cosignGeneration(ports, cosign);
  const printed = await runCosign(ports, cosign.path, { args: ["version"], deadlineMs: PROBE_DEADLINE_MS });
  const version = /^GitVersion:\s*v?(\d+\.\d+\.\d+\S{0,40})$/m.exec(printed.text)?.[1];
  return { found: true, path: cosign.path, generation, version };
}

/** What decides the install command. */
export interface SystemFacts {
  /** As `process.platform` says it. */
  readonly platform: string;
  /** The text of os-release(5); undefined where there is none. */
  readonly osRelease: string | undefined;
}

/** The system this runs on. */
function thisSystem(): SystemFacts {
  return { platform: process.platform, osRelease: readOsRelease() };
}

function readOsRelease(): string | undefined {
  for (const path of ["/etc/os-release", "/usr/lib/os-release"]) {
    try {
      return readFileSync(path, "utf8");
    } catch (cause) {
      if (!hasErrno(cause, "ENOENT", "EACCES", "ENOTDIR")) throw cause;
    }
  }
  return undefined;
}

/** The first releases that package cosign. */
const FIRST_DEBIAN_WITH_COSIGN = 13;
const FIRST_UBUNTU_WITH_COSIGN = 25.1;
const BY_HAND =
  "download cosign from https://github.com/sigstore/cosign/releases, check it, and put it in ~/.local/bin";
const COMMANDS: ReadonlyMap<string, string> = new Map([
  ["fedora", "sudo dnf install cosign"],
  ["rhel", "sudo dnf install cosign"],
  ["centos", "sudo dnf install cosign"],
  ["arch", "sudo pacman -S cosign"],
  ["alpine", "sudo apk add cosign"],
  ["opensuse", "sudo zypper install cosign"],
  ["suse", "sudo zypper install cosign"],
  ["nixos", "nix-env -iA nixos.cosign"],
]);

/** How to get cosign on this system, as a command where there is one (INS-13). */
export function installHint({ platform, osRelease }: SystemFacts): string {
  if (platform === "darwin") return "run `brew install cosign`";
  if (platform === "win32") return "run `winget install sigstore.cosign`";
  const { id, like, version } = parseOsRelease(osRelease ?? "");
  if (id === "debian" && !(version < FIRST_DEBIAN_WITH_COSIGN)) return "run `sudo apt install cosign`";
  if (id === "ubuntu" && !(version < FIRST_UBUNTU_WITH_COSIGN)) return "run `sudo apt install cosign`";
  // Set-up takes the package of Debian's next release, which runs on this one.
  if (id === "debian")
    return `this release has no cosign package: run \`npm run setup\` in Fermix's folder, or ${BY_HAND}`;
  if (id === "ubuntu") return `this release has no cosign package: ${BY_HAND}`;
  const command = [id, ...like].map((name) => COMMANDS.get(name)).find((known) => known !== undefined);
  return command === undefined ? BY_HAND : `run \`${command}\``;
}

/** os-release is the distribution's text; anything unreadable in it counts as unknown. */
function parseOsRelease(text: string): { id: string; like: readonly string[]; version: number } {
  const value = (key: string): string =>
    new RegExp(`^${key}=["']?([^"'\\n]*)["']?\\s*$`, "m").exec(text)?.[1]?.trim().toLowerCase() ?? "";
  const id = value("ID").replace(/^opensuse.*/, "opensuse");
  return { id, like: value("ID_LIKE").split(/\s+/), version: Number.parseFloat(value("VERSION_ID")) };
}
