/** The only reader of the process environment. */
import { isAbsolute, join, resolve } from "node:path";
import { FermixError } from "../kernel/error.ts";

export interface Environment {
  /** Absolute path of the home: FERMIX_HOME or `~/.fermix`. */
  readonly fermixHome: string;
  readonly noColor: boolean;
  /** PATH split into absolute folders, relative ones dropped. */
  readonly path: readonly string[];
  /** The user's home folder. */
  readonly userHome: string;
  /** A variable by name, for allow-lists such as a child's `pass_env`. */
  get(name: string): string | undefined;
}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Reads what Fermix takes from its environment. A relative FERMIX_HOME is taken from the folder the process started
 * in; an empty variable counts as unset. Throws home_unusable when neither FERMIX_HOME nor a user's home is known.
 */
export function readEnvironment(
  variables: Variables = process.env,
  systemHome: () => string = accountHome,
): Environment {
  const userHome = userHomeOf(variables, systemHome);
  return {
    fermixHome: fermixHomeOf(variables["FERMIX_HOME"], userHome),
    noColor: wantsNoColor(variables),
    path: (variables["PATH"] ?? "").split(":").filter((folder) => isAbsolute(folder)),
    userHome,
    get: (name) => (Object.hasOwn(variables, name) ? variables[name] : undefined),
  };
}

/** Whether the user asked for no colors: NO_COLOR with any value (no-color.org), or a terminal that has none. */
export function wantsNoColor(variables: Variables = process.env): boolean {
  return isSet(variables["NO_COLOR"]) || variables["TERM"] === "dumb";
}

/** What the account database says. Asked only when HOME does not, because loading node:os would slow every start. */
function accountHome(): string {
  return process.getBuiltinModule("node:os").homedir();
}

function userHomeOf(variables: Variables, systemHome: () => string): string {
  const named = variables["HOME"];
  if (named !== undefined && isAbsolute(named)) return named;
  try {
    return systemHome();
  } catch {
    // The account database has no entry for this user, as in many containers: only an explicit FERMIX_HOME helps.
    return "";
  }
}

function fermixHomeOf(named: string | undefined, userHome: string): string {
  if (isSet(named)) {
    // A quoted ~ reaches us unexpanded; nobody means a folder of that name.
    if (named === "~" || named.startsWith("~/")) return join(knownHome(userHome), named.slice(1));
    return resolve(named);
  }
  return join(knownHome(userHome), ".fermix");
}

function knownHome(userHome: string): string {
  if (isAbsolute(userHome)) return userHome;
  throw new FermixError("home_unusable", { path: "~/.fermix", reason: "neither HOME nor FERMIX_HOME is set" });
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== "";
}

/** Variables with which whoever starts the process could weaken TLS, add a proxy or print requests (DECISIONS 14). */
const UNSAFE_VARIABLES: ReadonlySet<string> = new Set([
  "http_proxy",
  "https_proxy",
  "all_proxy",
  "ftp_proxy",
  "no_proxy",
  "node_tls_reject_unauthorized",
  "node_use_env_proxy",
]);

/** Removes the unsafe variables and every `BUN_*` from the environment; to be called before anything else loads. */
export function dropUnsafeVariables(variables: Record<string, string | undefined> = process.env): void {
  for (const name of Object.keys(variables)) {
    if (UNSAFE_VARIABLES.has(name.toLowerCase()) || name.startsWith("BUN_")) delete variables[name];
  }
}
