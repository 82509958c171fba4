/** Failures of config.toml, of the home folder and of the files in it. */
import { quote, row } from "./row.ts";

export const configCodes = {
  config_invalid: row<{ path: string; line?: number; key?: string; reason: string }>({
    says: ({ path, line, key, reason }) =>
      `${path}${line === undefined ? "" : `:${line}`}${key === undefined ? "" : ` key ${key}`}: ${reason}.`,
    fix: ({ path }) => `correct ${path}, then run the command again`,
    exit: "failed",
  }),
  config_not_editable: row<{ path: string; key: string; reason: string }>({
    says: ({ path, key, reason }) =>
      `${quote(path)} was left as it is, because ${key} cannot be edited in it: ${reason}.`,
    fix: ({ path, key }) => `set ${key} in ${path} by hand`,
    exit: "failed",
  }),
  config_busy: row<{ path: string }>({
    says: ({ path }) => `Another Fermix process is editing ${quote(path)}.`,
    fix: () => "run the command again",
    exit: "failed",
  }),
  home_unusable: row<{ path: string; reason: string }>({
    says: ({ path, reason }) => `Fermix cannot use ${quote(path)}: ${reason}.`,
    fix: () => "correct that path or its permissions, or set FERMIX_HOME to another folder that you own",
    exit: "failed",
  }),
  disk_full: row<{ path: string }>({
    says: ({ path }) => `There is no space left to write ${quote(path)}; what was there before is unchanged.`,
    fix: () => "free some space, then run the command again",
    exit: "failed",
  }),
  lock_corrupt: row<{ path: string }>({
    says: ({ path }) => `The lock file ${quote(path)} does not say who holds it, so nothing was changed.`,
    fix: ({ path }) => `make sure that no other Fermix is running, then: rm ${quote(path)}`,
    exit: "failed",
  }),
} as const;
