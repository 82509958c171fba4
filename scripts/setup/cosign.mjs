/** Brings cosign without root where the system's package manager can, and says exactly what is missing where it cannot. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readOsRelease, run, SetupError, say, which } from "./shell.mjs";

/** The Debian release whose cosign package runs on Debian 12 and newer (it needs only glibc 2.34). */
const DEBIAN_SUITE = "trixie";
const USUAL_PLACES = ["/usr/local/bin", "/usr/bin", "/bin", "/opt/homebrew/bin", "/home/linuxbrew/.linuxbrew/bin"];

const PACKAGE_MANAGERS = [
  { tool: "dnf", ids: ["fedora", "rhel", "centos"], command: "sudo dnf install cosign" },
  { tool: "pacman", ids: ["arch"], command: "sudo pacman -S cosign" },
  { tool: "apk", ids: ["alpine"], command: "sudo apk add cosign" },
  { tool: "zypper", ids: ["opensuse", "suse"], command: "sudo zypper install cosign" },
];

/** The folder that Fermix also searches: cosign brought here needs no root and no PATH entry. */
function userCosignFolder(home) {
  return join(home, ".local/share/fermix/cosign/usr/bin");
}

/**
 * Makes sure that cosign can be found; returns its path. `machine` describes where to look: `{ home, osRelease, path }`
 * (the user's folder, the os-release file, the folders of PATH). Throws a SetupError naming the command to run.
 */
export function bringCosign(machine) {
  const found = which("cosign", [
    ...machine.path,
    ...USUAL_PLACES.filter(() => machine.usualPlaces !== false),
    userCosignFolder(machine.home),
  ]);
  if (found !== undefined) return found;
  const os = readOsRelease(machine.osRelease);
  const family = [os.ID, ...(os.ID_LIKE ?? "").split(" ")].filter(Boolean);
  if (family.includes("debian")) return fromDebian(machine, os);
  const brew = which("brew", machine.path);
  if (brew !== undefined) {
    say("setup: installing cosign with Homebrew");
    run(brew, ["install", "cosign"], { fix: "brew install cosign" });
    return which("cosign", [...machine.path, ...USUAL_PLACES]) ?? "cosign";
  }
  const manager = PACKAGE_MANAGERS.find(({ ids }) => ids.some((id) => family.includes(id)));
  throw new SetupError(
    `cosign is missing${os.PRETTY_NAME === undefined ? "" : ` on ${os.PRETTY_NAME}`}: Fermix proves plugins with it`,
    manager?.command ??
      (machine.platform === "darwin"
        ? "install Homebrew, then: brew install cosign"
        : "install cosign with this system's package manager (package name: cosign), then run the command again"),
  );
}

/** Downloads and unpacks Debian's package into the user's own folder, with apt's state in a temporary one. */
function fromDebian(machine, os) {
  const need = ["apt-get", "dpkg-deb"].filter((tool) => which(tool, machine.path) === undefined);
  if (need.length > 0) {
    throw new SetupError(
      `cosign is missing, and what would bring it is not on PATH: ${need.join(", ")}`,
      "sudo apt-get install cosign",
    );
  }
  say("setup: bringing cosign from the system's packages into your own folder (no root needed)");
  const scratch = mkdtempSync(join(tmpdir(), "fermix-cosign-"));
  const fix = "install cosign with apt (Debian 13 or newer has it), or put a cosign executable on PATH";
  try {
    const deb = join(scratch, "deb");
    mkdirSync(deb);
    try {
      run("apt-get", ["-q", "download", "cosign"], { cwd: deb });
    } catch (error) {
      // This release has no cosign: Debian's next one does, and its package runs here.
      if (os.ID !== "debian") throw new SetupError(`cosign is missing: ${error.message}`, fix, { cause: error });
      downloadFromNewerSuite(scratch, deb, fix);
    }
    const [file] = readdirSync(deb);
    const target = join(machine.home, ".local/share/fermix/cosign");
    mkdirSync(join(machine.home, ".local/share/fermix"), { recursive: true });
    run("dpkg-deb", ["-x", join(deb, file), join(scratch, "tree")], { fix });
    rmSync(target, { recursive: true, force: true });
    renameAcross(join(scratch, "tree"), target);
    return join(userCosignFolder(machine.home), "cosign");
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** apt with all its state in the scratch folder and one source: root is not needed and nothing of the system changes. */
function downloadFromNewerSuite(scratch, into, fix) {
  for (const folder of ["lists/partial", "cache/archives/partial", "parts"])
    mkdirSync(join(scratch, folder), { recursive: true });
  writeFileSync(join(scratch, "sources.list"), newerSuiteSource());
  const settings = [
    `Dir::Etc::SourceList=${join(scratch, "sources.list")}`,
    `Dir::Etc::SourceParts=${join(scratch, "parts")}`,
    `Dir::State::Lists=${join(scratch, "lists")}`,
    `Dir::Cache=${join(scratch, "cache")}`,
    "APT::Sandbox::User=",
  ].flatMap((setting) => ["-o", setting]);
  run("apt-get", [...settings, "-q", "update"], { cwd: scratch, fix });
  run("apt-get", [...settings, "-q", "download", "cosign"], { cwd: into, fix });
}

/** The temporary folder may be another file system, where a rename is refused. */
function renameAcross(from, to) {
  try {
    renameSync(from, to);
  } catch {
    run("cp", ["-r", from, to]);
  }
}

/** One apt source for the newer suite, at the mirror this machine already uses and with Debian's own key. */
function newerSuiteSource() {
  const keyring = "/usr/share/keyrings/debian-archive-keyring.gpg";
  const mirror = machineMirror();
  if (mirror === undefined) {
    throw new SetupError(
      "cosign is missing, and no Debian mirror is configured to bring it from",
      "put a cosign executable on PATH",
    );
  }
  return `deb${existsSync(keyring) ? ` [signed-by=${keyring}]` : ""} ${mirror} ${DEBIAN_SUITE} main\n`;
}

function machineMirror() {
  const files = ["/etc/apt/sources.list"];
  const parts = "/etc/apt/sources.list.d";
  if (existsSync(parts)) files.push(...readdirSync(parts).map((name) => join(parts, name)));
  for (const file of files.filter((path) => existsSync(path))) {
    const text = readFileSync(file, "utf8");
    const match =
      /^\s*URIs:\s*(\S*\/debian\/?)\s*$/m.exec(text) ?? /^\s*deb\s+(?:\[[^\]]*\]\s+)?(\S*\/debian\/?)\s/m.exec(text);
    if (match) return match[1];
  }
  return undefined;
}
