/** Failures of config.toml and of the home folder. */
import { quote, row } from "./row.ts";

export const configCodes = {
  config_invalid: row<{ path: string; line?: number; key?: string; reason: string }>({
    says: ({ path, line, key, reason }) =>
      `${path}${line === undefined ? "" : `:${line}`}${key === undefined ? "" : ` key ${key}`}: ${reason}.`,
    fix: ({ path }) => `correct ${path}, then run the command again`,
    exit: "failed",
  }),
  home_unusable: row<{ path: string; reason: string }>({
    says: ({ path, reason }) => `The Fermix home ${quote(path)} cannot be used: ${reason}.`,
    fix: () => "set FERMIX_HOME to a folder you own, or correct the permissions",
    exit: "failed",
  }),
} as const;
