/** Failures of the network floor (they begin as spec 3.6 begins every transport failure) and of proving that bytes may become a plugin. */
import type { CertificateFault } from "../http-failure.ts";
import { quote, row } from "./row.ts";

const shown = (paths: readonly string[]): string => paths.map((path) => quote(path)).join(", ");

/** What broke off may have been done all the same; `write` names the tool when that matters. */
interface Broken {
  readonly host: string;
  readonly write?: string | undefined;
}

function again({ write }: Broken, next: string): string {
  return write === undefined ? next : `check first whether ${write} took effect, as it may have; then ${next}`;
}

/** Trying again helps against neither fault of a certificate. */
function nextAfter(certificate: CertificateFault | undefined): string {
  if (certificate === "time")
    return "check that this machine's clock is right; when it is, only the server's owner can help";
  if (certificate === "identity")
    return "try again on another network, as something on this one may answer in the server's place; if that is a proxy of your own, name the file of its root in NODE_EXTRA_CA_CERTS";
  return "check the network connection and try again";
}

const networkCodes = {
  blocked_url: row<{ host: string; reason: string }>({
    says: ({ host, reason }) => `request failed: Fermix does not connect to ${quote(host)}: ${reason}.`,
    fix: () => "use a public https address with a plain host name",
    exit: "refused",
  }),
  blocked_address: row<{ host: string; address: string; reason: string }>({
    says: ({ host, address, reason }) =>
      `request failed: Fermix does not connect to ${quote(host)}: it resolves to ${address}, ${reason}.`,
    fix: ({ host }) => `check what ${quote(host)} resolves to on this network`,
    exit: "refused",
  }),
  dns_failed: row<{ host: string }>({
    says: ({ host }) => `request failed: the name ${quote(host)} does not resolve to any address.`,
    fix: () => "check the network connection and the name, then try again",
    exit: "failed",
  }),
  network_failed: row<Broken & { reason: string; certificate?: CertificateFault | undefined }>({
    says: ({ host, reason }) =>
      `request failed: the connection to ${quote(host)} broke or was refused: ${quote(reason)}.`,
    fix: (broken) => again(broken, nextAfter(broken.certificate)),
    exit: "failed",
  }),
  network_timeout: row<Broken & { phase: "connect" | "first_byte" | "total"; afterMs: number }>({
    says: ({ host, phase, afterMs }) =>
      `request failed: ${quote(host)} took longer than ${afterMs / 1000} s ${
        phase === "connect" ? "to connect" : phase === "first_byte" ? "to start answering" : "to answer in full"
      }.`,
    fix: (broken) => again(broken, "try again later"),
    exit: "failed",
  }),
  reply_too_large: row<{ host: string; limit: number }>({
    says: ({ host, limit }) => `The answer of ${quote(host)} exceeds ${limit} bytes.`,
    fix: () => "ask for less at once",
    exit: "failed",
  }),
} as const;

const downloadCodes = {
  artifact_unavailable: row<{ plugin: string; version: string; source: string; absent: boolean; reason: string }>({
    says: ({ plugin, version, source, reason }) =>
      `${quote(source)} of ${plugin} ${version} could not be fetched: ${reason}.`,
    fix: () => "check the network connection or `artifact_mirror` in config.toml, then install again",
    exit: "failed",
  }),
  artifact_too_large: row<{ plugin: string; limit: number }>({
    says: ({ plugin, limit }) => `The package of ${plugin} is larger than ${limit} bytes.`,
    fix: () => "report it to the plugin's author; nothing was kept",
    exit: "refused",
  }),
  artifact_incomplete: row<{ plugin: string; received: number; expected: number | undefined }>({
    says: ({ plugin, received, expected }) =>
      expected === undefined
        ? `The download of ${plugin} broke off after ${received} bytes.`
        : `The download of ${plugin} broke off after ${received} of ${expected} bytes.`,
    fix: ({ plugin }) => `run \`fermix plugins install ${plugin}\` again; nothing was kept`,
    exit: "failed",
  }),
  download_stalled: row<{ plugin: string; afterMs: number }>({
    says: ({ plugin, afterMs }) => `The download of ${plugin} stood still for ${afterMs / 1000} s.`,
    fix: ({ plugin }) => `run \`fermix plugins install ${plugin}\` again; nothing was kept`,
    exit: "failed",
  }),
  artifact_digest_mismatch: row<{ plugin: string; expected: string; actual: string }>({
    says: ({ plugin, expected, actual }) =>
      `The package of ${plugin} is not the one the catalog lists: its sha256 is ${actual}, listed is ${expected}.`,
    fix: () => "do not use this source; install again from another network or mirror",
    exit: "refused",
  }),
} as const;

const signatureCodes = {
  signature_missing: row<{ plugin: string; version: string; reason: string }>({
    says: ({ plugin, version, reason }) => `${plugin} ${version} carries no usable signature: ${reason}.`,
    fix: () => "install a version that is signed; an unsigned package is never installed",
    exit: "refused",
  }),
  publisher_mismatch: row<{ plugin: string; version: string; expected: string; actual: string | undefined }>({
    says: ({ plugin, version, expected, actual }) =>
      `${plugin} ${version} is validly signed, but not by its publisher ${quote(expected)}${
        actual === undefined ? "" : `: it was signed by ${quote(actual)}`
      }.`,
    fix: () => "do not install it; tell the plugin's publisher",
    exit: "refused",
  }),
  signature_invalid: row<{ plugin: string; version: string; publisher: string }>({
    says: ({ plugin, version, publisher }) =>
      `The signature of ${plugin} ${version} is not one of ${quote(publisher)} over these bytes.`,
    fix: () => "do not install it; fetch it again from another network or mirror",
    exit: "refused",
  }),
  cosign_missing: row<{ lookedIn: readonly string[]; install: string }>({
    says: ({ lookedIn }) => `cosign not found. It checks who signed a plugin. Looked in ${shown(lookedIn)}.`,
    fix: ({ install }) => install,
    exit: "refused",
  }),
  cosign_untrusted: row<{ path: string; reason: string }>({
    says: ({ path, reason }) => `The cosign at ${quote(path)} cannot be trusted: ${reason}.`,
    fix: () => "replace it with a genuine cosign, then run `fermix plugins doctor`",
    exit: "refused",
  }),
  cosign_failed: row<{ path: string; reason: string }>({
    says: ({ path, reason }) => `The cosign at ${quote(path)} could not do its work: ${reason}.`,
    fix: () => "install a working cosign 2.4 or newer, then run `fermix plugins doctor`",
    exit: "refused",
  }),
  verification_unavailable: row<{ plugin: string; version: string; reason: string }>({
    says: ({ plugin, version, reason }) => `The signature of ${plugin} ${version} could not be judged: ${reason}.`,
    fix: () => "connect to the internet and install again; nothing was installed",
    exit: "refused",
  }),
} as const;

/** What each rule of the unpack policy says of the entry or of the archive that broke it. */
const archiveRules = {
  not_gzip: "is not an intact gzip file",
  truncated: "ends too early",
  trailing: "goes on after its end",
  not_tar: "is not a tar archive that Fermix reads",
  changed: "is no longer the file whose signature was verified",
  empty_name: "has no name",
  encoding: "has a name that is not UTF-8",
  absolute: "has an absolute path",
  traversal: "has a path that leads out of the package",
  bad_character: "has a character in its name that some systems read differently",
  bad_component: "has an empty, dotted or blank-ended part in its path",
  too_long: "has a path that is too long or too deep",
  link: "is a link",
  device: "is a device or a pipe",
  sparse: "is a sparse file",
  unknown_kind: "is of an unknown kind",
  special_mode: "has a setuid, setgid or sticky bit",
  file_named_like_folder: "is a file that is named like a folder",
  kind_conflict: "is a file and a folder at once",
  duplicate: "is there twice",
  case_collision: "differs from another one only in case or in how its letters are composed",
  bad_extension: "has an extended header that Fermix does not accept",
  too_many: "has more than 4096 files and folders",
  no_manifest: "has no plugin.json at its root",
  too_large: "unpacks to more than 104857600 bytes",
} as const;
export type ArchiveRule = keyof typeof archiveRules;

const treeCodes = {
  archive_unsafe: row<{ plugin: string; entry: string | undefined; rule: ArchiveRule }>({
    says: ({ plugin, entry, rule }) =>
      `The package of ${plugin} is refused whole: ${entry === undefined ? "it" : `the entry ${quote(entry)}`} ${
        archiveRules[rule]
      }.`,
    fix: () => "report it to the plugin's author; nothing was installed",
    exit: "refused",
  }),
  content_not_allowed: row<{ plugin: string; path: string; reason: string }>({
    says: ({ plugin, path, reason }) => `The package of ${plugin} carries ${quote(path)}, ${reason}.`,
    fix: () => "report it to the plugin's author; nothing was installed",
    exit: "refused",
  }),
  tree_unsafe: row<{ path: string; reason: string }>({
    says: ({ path, reason }) => `The plugin folder cannot be trusted: ${quote(path)} ${reason}.`,
    fix: () => "install the plugin again",
    exit: "refused",
  }),
  provenance_failed: row<{ plugin: string; reason: string }>({
    says: ({ plugin, reason }) => `${plugin} can no longer be proved to be what its publisher signed: ${reason}.`,
    fix: ({ plugin }) => `run \`fermix plugins uninstall ${plugin}\`, then \`fermix plugins install ${plugin}\``,
    exit: "refused",
  }),
} as const;

export const trustCodes = { ...networkCodes, ...downloadCodes, ...signatureCodes, ...treeCodes } as const;
