/** The command tree: every verb, its one-line summary, and where its code is loaded from when it is asked for. */
import type { Verb } from "./verb.ts";

export interface Command {
  readonly path: readonly string[];
  readonly summary: string;
  readonly load: () => Promise<Verb>;
}

/** Words that only lead to verbs. */
export interface Group {
  readonly path: readonly string[];
  readonly summary: string;
  /** The verb meant when the group's words stand alone. */
  readonly alone?: readonly string[];
}

export const groups: readonly Group[] = [
  { path: ["plugins"], summary: "Install, configure and check plugins", alone: ["plugins", "list"] },
  { path: ["plugins", "auth"], summary: "Connect plugins to their services and disconnect them" },
  { path: ["auth"], summary: "Sign in to model providers, and name OAuth clients" },
  { path: ["mcp"], summary: "Give the tools to agents over MCP" },
];

export const commands: readonly Command[] = [
  {
    path: ["quickstart"],
    summary: "Guide a first run, from nothing to an agent using a vault",
    load: async () => (await import("./quickstart.ts")).quickstart,
  },
  {
    path: ["plugins", "list"],
    summary: "Show the plugins that are here, with status and account",
    load: async () => (await import("./plugins/list.ts")).list,
  },
  {
    path: ["plugins", "catalog"],
    summary: "Show every plugin this binary knows, installed or not",
    load: async () => (await import("./plugins/catalog.ts")).catalog,
  },
  {
    path: ["plugins", "installed"],
    summary: "Show what is in the local store",
    load: async () => (await import("./plugins/installed.ts")).installed,
  },
  {
    path: ["plugins", "info"],
    summary: "Show what a plugin is, what it may reach and who signed it",
    load: async () => (await import("./plugins/info.ts")).info,
  },
  {
    path: ["plugins", "install"],
    summary: "Verify and install a plugin from the catalog",
    load: async () => (await import("./plugins/install.ts")).install,
  },
  {
    path: ["plugins", "upgrade"],
    summary: "Bring plugins to the catalog's latest version",
    load: async () => (await import("./plugins/upgrade.ts")).upgrade,
  },
  {
    path: ["plugins", "pin"],
    summary: "Keep a plugin at one version",
    load: async () => (await import("./plugins/pin.ts")).pin,
  },
  {
    path: ["plugins", "uninstall"],
    summary: "Disable a plugin and remove its files",
    load: async () => (await import("./plugins/uninstall.ts")).uninstall,
  },
  {
    path: ["plugins", "gc"],
    summary: "Remove old versions and left-over files",
    load: async () => (await import("./plugins/gc.ts")).gc,
  },
  {
    path: ["plugins", "enable"],
    summary: "Let agents use a plugin, installing it first when needed",
    load: async () => (await import("./plugins/enable.ts")).enable,
  },
  {
    path: ["plugins", "disable"],
    summary: "Take a plugin away from agents and keep its settings",
    load: async () => (await import("./plugins/disable.ts")).disable,
  },
  {
    path: ["plugins", "reload"],
    summary: "Make a running daemon read all plugins again",
    load: async () => (await import("./plugins/reload.ts")).reload,
  },
  {
    path: ["plugins", "config"],
    summary: "Show a plugin's settings",
    load: async () => (await import("./plugins/config.ts")).config,
  },
  {
    path: ["plugins", "config", "set"],
    summary: "Set one of a plugin's settings",
    load: async () => (await import("./plugins/config-set.ts")).configSet,
  },
  {
    path: ["plugins", "auth", "login"],
    summary: "Sign in for a plugin in the browser, and enable the plugin",
    load: async () => (await import("./plugins/auth/login.ts")).login,
  },
  {
    path: ["plugins", "auth", "reauthorize"],
    summary: "Sign in anew for a plugin whose sign-in has ended or lacks a scope",
    load: async () => (await import("./plugins/auth/reauthorize.ts")).reauthorize,
  },
  {
    path: ["plugins", "auth", "refresh"],
    summary: "Get a plugin's sign-in a new access token now",
    load: async () => (await import("./plugins/auth/refresh.ts")).refresh,
  },
  {
    path: ["plugins", "auth", "logout"],
    summary: "Forget a plugin's sign-in on this machine",
    load: async () => (await import("./plugins/auth/logout.ts")).logout,
  },
  {
    path: ["plugins", "auth", "status"],
    summary: "Show how each plugin's sign-in or key stands",
    load: async () => (await import("./plugins/auth/status.ts")).status,
  },
  {
    path: ["plugins", "auth", "set"],
    summary: "Store a plugin's API key in the keychain",
    load: async () => (await import("./plugins/auth/set.ts")).set,
  },
  {
    path: ["plugins", "auth", "clear"],
    summary: "Forget a plugin's API key on this machine",
    load: async () => (await import("./plugins/auth/clear.ts")).clear,
  },
  {
    path: ["plugins", "doctor"],
    summary: "Check plugins and say how to fix what is wrong",
    load: async () => (await import("./plugins/doctor.ts")).doctor,
  },
  {
    path: ["plugins", "verify"],
    summary: "Prove installed plugins again",
    load: async () => (await import("./plugins/verify.ts")).verify,
  },
  {
    path: ["doctor"],
    summary: "Check everything a home needs, and say how to fix it",
    load: async () => (await import("./doctor.ts")).doctor,
  },
  {
    path: ["auth", "login"],
    summary: "Sign in to a model provider with an account",
    load: async () => (await import("./auth/login.ts")).login,
  },
  {
    path: ["auth", "status"],
    summary: "Show who is signed in to which model provider",
    load: async () => (await import("./auth/status.ts")).status,
  },
  {
    path: ["auth", "logout"],
    summary: "Forget a model provider's sign-in on this machine",
    load: async () => (await import("./auth/logout.ts")).logout,
  },
  {
    path: ["auth", "client"],
    summary: "Store the OAuth client that you registered with a provider",
    load: async () => (await import("./auth/client.ts")).client,
  },
  {
    path: ["setup"],
    summary: "Keep secrets of providers, voice and channels in the keychain",
    load: async () => (await import("./setup.ts")).setup,
  },
  {
    path: ["call"],
    summary: "Call one tool",
    load: async () => (await import("./call.ts")).call,
  },
  {
    path: ["capabilities"],
    summary: "Show the tools and skills that agents get",
    load: async () => (await import("./capabilities.ts")).capabilities,
  },
  {
    path: ["prompt"],
    summary: "Print the section about plugins that agents read",
    load: async () => (await import("./prompt.ts")).prompt,
  },
  {
    path: ["mcp", "serve"],
    summary: "Serve the tools to an agent over standard input and output",
    load: async () => (await import("./mcp-serve.ts")).mcpServe,
  },
];
