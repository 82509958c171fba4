/** Where everything of one Fermix home lives (DESIGN "Home", spec 2.6): paths only, nothing is touched. */
import { join } from "node:path";
import type { PluginName, Version } from "../kernel/names.ts";

export interface Home {
  readonly root: string;
  readonly configFile: string;
  readonly authFile: string;
  readonly logFile: string;
  readonly cache: string;
  readonly plugins: {
    readonly root: string;
    readonly installed: string;
    readonly evidence: string;
    readonly staging: string;
    readonly run: string;
    readonly lock: string;
    readonly record: string;
  };
  /** Which sign-in waits at this port of loopback; there while one does. */
  signInClaim(port: number): string;
  /** `installed/<name>`: version folders and the `current` link. */
  pluginDir(name: PluginName): string;
  versionDir(name: PluginName, version: Version): string;
  evidenceDir(name: PluginName, version: Version): string;
}

/** The home rooted at an absolute path. */
export function homeAt(root: string): Home {
  const plugins = join(root, "plugins");
  const installed = join(plugins, "installed");
  const evidence = join(plugins, "evidence");
  return {
    root,
    configFile: join(root, "config.toml"),
    authFile: join(root, "auth.json"),
    logFile: join(root, "logs", "fermix.log"),
    cache: join(root, "cache"),
    plugins: {
      root: plugins,
      installed,
      evidence,
      staging: join(plugins, ".staging"),
      run: join(plugins, "run"),
      lock: join(plugins, ".lock"),
      record: join(plugins, "installed.json"),
    },
    signInClaim: (port) => join(root, `sign-in-${port}.claim`),
    pluginDir: (name) => join(installed, name),
    versionDir: (name, version) => join(installed, name, version),
    evidenceDir: (name, version) => join(evidence, name, version),
  };
}
