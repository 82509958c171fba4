/** Brings the programs that only the test suites need; where it cannot, it says which suites will not run. */
import { run, say, which } from "./shell.mjs";

/** Program and the Debian package that has it. */
const NEEDED = [
  ["ip", "iproute2"],
  ["openssl", "openssl"],
  ["unshare", "util-linux"],
  ["setpriv", "util-linux"],
  ["mount", "mount"],
  ["tmux", "tmux"],
  ["strace", "strace"],
  ["dbus-daemon", "dbus"],
  ["dbus-send", "dbus"],
  ["gnome-keyring-daemon", "gnome-keyring"],
  // Brings libsecret-1-0 too, through which Fermix itself reads the keychain.
  ["secret-tool", "libsecret-tools"],
  // Signs in as a person would.
  ["chromium", "chromium"],
];
const SBIN = ["/usr/sbin", "/sbin"];

/** Installs what is missing with apt where this is root on a Debian family system; otherwise names it. */
export function bringSuiteTools(path) {
  const missing = () => NEEDED.filter(([program]) => which(program, [...path, ...SBIN]) === undefined);
  const wanted = [...new Set(missing().map(([, name]) => name))];
  if (wanted.length === 0) return;
  if (process.getuid?.() === 0 && which("apt-get", path) !== undefined) {
    say(`setup: installing ${wanted.join(", ")} for the test suites`);
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    run("apt-get", ["-q", "update"], { env });
    run("apt-get", ["-q", "install", "-y", "--no-install-recommends", ...wanted], { env });
  }
  for (const [program] of missing()) say(`setup: the suites that need ${program} will not run here`);
}
