/** Failures of getting a plugin's API key, and of the keychain that keeps it. */
import { quote, row } from "./row.ts";

/** `instead`: the variable that gives the secret where there is no keychain; absent for a secret that has none. */
interface Wanted {
  readonly item: string;
  readonly instead?: string | undefined;
  /** What was to be done with the item; absent: it was to be read. */
  readonly to?: "stored" | "removed" | undefined;
}

/** What works on a machine whose keychain does not. */
function without({ instead }: Wanted): string {
  return instead === undefined ? "" : `; or give the key in ${instead} or the name of its file in ${instead}_FILE`;
}

export const keyCodes = {
  key_missing: row<{ plugin: string; variable: string }>({
    says: ({ plugin }) => `${plugin} is missing its API key. Run \`fermix plugins auth set ${plugin}\`.`,
    fix: ({ plugin, variable }) =>
      `\`fermix plugins auth set ${plugin}\` (it asks for the value), or \`--stdin\` to pipe it in; without a keychain, set ${variable}`,
    exit: "needs_connecting",
  }),
  key_unusable: row<{ plugin: string; from: string; reason: string }>({
    says: ({ plugin, from, reason }) => `The API key of ${plugin} in ${from} cannot be sent: ${reason}.`,
    fix: ({ plugin }) => `copy it again from the service, then run \`fermix plugins auth set ${plugin}\``,
    exit: "needs_connecting",
  }),
  key_refused: row<{ plugin: string; reason: string }>({
    says: ({ plugin, reason }) => `The API key for ${plugin} was not stored: ${reason}.`,
    fix: ({ plugin }) => `copy the key again from the service, whole, then run \`fermix plugins auth set ${plugin}\``,
    exit: "usage",
  }),
  /** `remedy` is what helps where the service said nothing about the key: it could not be asked, or was down. */
  key_check_failed: row<{ plugin: string; code: string; reason: string; remedy?: string }>({
    says: ({ plugin, reason }) => `The API key was tried with ${plugin}'s service and not stored: ${reason}.`,
    fix: ({ plugin, remedy }) =>
      remedy === undefined
        ? `\`fermix plugins auth set ${plugin} --check\` with another key; without --check it is stored untried`
        : `${remedy}; without --check the key is stored untried`,
    exit: "failed",
  }),
  takes_no_key: row<{ plugin: string; auth: "oauth2" | "none" }>({
    says: ({ plugin, auth }) =>
      auth === "oauth2" ? `${plugin} signs in with OAuth and takes no API key.` : `${plugin} needs no credential.`,
    fix: ({ plugin, auth }) =>
      auth === "oauth2" ? `\`fermix plugins auth login ${plugin}\`` : `\`fermix plugins enable ${plugin}\` is enough`,
    exit: "usage",
  }),
  key_file_unusable: row<{ plugin: string; variable: string; reason: string }>({
    says: ({ plugin, variable, reason }) =>
      `The file that ${variable} names for the API key of ${plugin} cannot be used: ${reason}.`,
    fix: ({ variable }) => `correct ${variable}: it is the path of a file that holds the key and nothing else`,
    exit: "needs_connecting",
  }),
  secret_refused: row<{ key: string; reason: string }>({
    says: ({ key, reason }) => `The value of ${key} was not stored: ${reason}.`,
    fix: ({ key }) => `copy it again from the service, whole, then run \`fermix setup --secret ${key}\``,
    exit: "usage",
  }),
  secret_key_unknown: row<{ known: readonly string[] }>({
    says: () => "No secret is kept under that key of config.toml.",
    fix: ({ known }) =>
      `the keys are ${known.join(", ")}; a plugin's key is set with \`fermix plugins auth set NAME\`, a client's secret with \`fermix auth client PROVIDER --id ID\``,
    exit: "usage",
  }),
  transcription_backend_missing: row<{ known: readonly string[] }>({
    says: () => "config.toml names no transcription backend, so it is not known whose key this is.",
    fix: ({ known }) =>
      `set backend under [fermix_core.transcription] to one of ${known.join(", ")}, then run \`fermix setup --transcription-api-key\``,
    exit: "usage",
  }),
  client_provider_unknown: row<{ known: readonly string[] }>({
    says: ({ known }) => `No OAuth client of that provider is kept; the providers are ${known.join(", ")}.`,
    fix: () => "`fermix auth client PROVIDER --id ID` with one of them",
    exit: "usage",
  }),
  client_id_unusable: row<{ provider: string }>({
    says: () => "The client id is not one: it is empty, too long, or holds a space or another sign that no id has.",
    fix: ({ provider }) => `copy it again from the provider: \`fermix auth client ${provider} --id ID\``,
    exit: "usage",
  }),
  secrets_busy: row<{ path: string }>({
    says: ({ path }) => `Another Fermix process has been changing secrets for a while (${quote(path)}).`,
    fix: () => "see whether it waits for you to unlock the keychain, then try again",
    exit: "failed",
  }),
  keychain_unavailable: row<Wanted & { reason: string }>({
    says: ({ item, to, reason }) => {
      if (to === undefined) return `The keychain could not be asked for ${item}: ${quote(reason)}.`;
      // The product document's words for a machine without a keychain (KCH-9).
      return `${item} could not be ${to === "stored" ? "stored in" : "removed from"} the OS keyring: no supported OS secret helper is available (${quote(reason)}).`;
    },
    fix: (wanted) =>
      `run it in a session that has a keychain (on Linux: libsecret, D-Bus and gnome-keyring or KWallet)${without(wanted)}`,
    exit: "failed",
  }),
  keychain_locked: row<Wanted>({
    says: ({ item, to = "read" }) => `The keychain is locked, so ${item} could not be ${to}.`,
    fix: (wanted) => `unlock the keychain, then try again${without(wanted)}`,
    exit: "failed",
  }),
  keychain_refused: row<Wanted & { reason: string }>({
    says: ({ item, to = "read", reason }) => `The keychain did not let ${item} be ${to}: ${quote(reason)}.`,
    fix: (wanted) => `look at the keychain with its own program, then try again${without(wanted)}`,
    exit: "failed",
  }),
  keychain_timed_out: row<Wanted & { afterMs: number }>({
    says: ({ item, afterMs }) => `The keychain was asked for ${item} and gave no answer in ${afterMs} ms.`,
    fix: (wanted) => `see whether the keychain waits for you to unlock it, then try again${without(wanted)}`,
    exit: "failed",
  }),
} as const;
