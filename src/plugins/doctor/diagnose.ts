/** Looks at everything that a home needs, a row each, in the order in which one thing rests on another (DOC-1). */
import type { Config } from "../../config/config.ts";
import { readConfig } from "../../config/read.ts";
import { type FermixError, isFermixError } from "../../kernel/error.ts";
import type { App } from "../app.ts";
import { keptCredentials } from "../kept-credentials.ts";
import { findLoaded } from "../known.ts";
import { listNames } from "../list.ts";
import { type LoadReport, loadPlugins } from "../load.ts";
import { keychainOf } from "../readiness.ts";
import { checkAuthFile } from "./auth-file.ts";
import { probeModels } from "./auth-probe.ts";
import { checkCatalog } from "./catalog.ts";
import { attempt, type Check, failure, ok } from "./check.ts";
import { checkConfig, checkNetworkPolicy, checkPlaintextSecrets } from "./config.ts";
import { checkCosign } from "./cosign.ts";
import { healthRows, withHealth } from "./health.ts";
import { checkHome } from "./home.ts";
import { checkKeychain } from "./keychain.ts";
import { authorWarnings, checkPlugin, checkPlugins, type PluginCheck, pluginsRow } from "./plugins.ts";
import { checkChannels, checkProviders, checkRealtime, checkTranscription } from "./secrets.ts";

/** One look at the disk: what it says, or why it could not be read. */
interface Look {
  readonly config: Config | FermixError;
  readonly report: LoadReport | FermixError;
}

/** `full`: the services of ready plugins are asked too; without it, nobody is asked over the network. */
export interface DiagnoseOptions {
  readonly full: boolean;
}

/** Every row of `fermix doctor`. */
export async function diagnoseHome(app: App, { full }: DiagnoseOptions): Promise<readonly Check[]> {
  const { config, report } = await look(app);
  const loaded = isFermixError(report) ? undefined : report;
  return [
    checkHome(app.home),
    checkConfig(app.home, config),
    ...(await checkAuthFile(app, loaded)),
    ...(isFermixError(config) ? [] : await checkConfigured(app, config, loaded)),
    ...(full && !isFermixError(config) ? await probeModels(app, config) : []),
    await checkCosign(app),
    await checkCatalog(app),
    ...(loaded === undefined ? faultRow(config, report) : await pluginRows(app, loaded, full)),
    // Another version brings the daemon; until then each server of an agent is a host of its own (DECISIONS 36).
    ok("daemon", "not running; live state, pacing and budgets belong to each `fermix mcp serve`"),
  ];
}

async function pluginRows(app: App, report: LoadReport, full: boolean): Promise<readonly Check[]> {
  const plugins = await checkPlugins(app, report);
  const health = full ? await healthRows(app, report, plugins) : [];
  return [pluginsRow(plugins), ...health, ...authorWarnings(report)];
}

/** The rows of `plugins doctor`: every plugin, and what all plugins rest on. */
export async function diagnosePlugins(
  app: App,
  { full }: DiagnoseOptions,
): Promise<{ readonly plugins: readonly PluginCheck[]; readonly checks: readonly Check[] }> {
  const { config, report } = await look(app);
  const checks = [checkHome(app.home), checkConfig(app.home, config), await checkCosign(app), await checkCatalog(app)];
  if (isFermixError(report)) return { plugins: [], checks: [...checks, ...faultRow(config, report)] };
  const plugins = await checkPlugins(app, report);
  const asked = full ? await withHealth(app, report, plugins) : plugins;
  return { plugins: asked, checks: [...checks, ...authorWarnings(report)] };
}

/** One plugin alone. Throws what loading throws, `plugin_not_installed` and `plugin_unknown`. */
export async function diagnosePlugin(app: App, name: string, { full }: DiagnoseOptions): Promise<PluginCheck> {
  const report = await loadPlugins(app);
  if (!listNames(report).includes(name)) findLoaded(app, report, name);
  const check = await checkPlugin(app, report, name);
  return full ? ((await withHealth(app, report, [check]))[0] ?? check) : check;
}

async function look(app: App): Promise<Look> {
  const report = await attempt(() => loadPlugins(app));
  return { report, config: isFermixError(report) ? await attempt(() => readConfig(app.home)) : report.config };
}

async function checkConfigured(app: App, config: Config, report: LoadReport | undefined): Promise<readonly Check[]> {
  const { env, home } = app;
  const keychain = keychainOf(app.ports, config);
  const deps = { keychain, env };
  const manifests = report?.plugins.map(({ manifest }) => manifest) ?? [];
  const kept = report === undefined ? [] : await keptCredentials(app, report);
  // At once, so that their questions to the keychain are one.
  const [itself, providers, channels, ...voice] = await Promise.all([
    checkKeychain(keychain, config, [...manifests, ...kept]),
    checkProviders(deps, home, config),
    checkChannels(deps, config),
    checkTranscription(deps, config),
    checkRealtime(deps, config),
  ]);
  const said = [checkNetworkPolicy(config), checkPlaintextSecrets(config)];
  return [...said, ...itself, ...providers, ...channels, ...voice];
}

/** Why no plugin is loaded, unless that is the fault of config.toml, which has its row. */
function faultRow(config: Config | FermixError, report: LoadReport | FermixError): readonly Check[] {
  if (!isFermixError(report) || (isFermixError(config) && config.message === report.message)) return [];
  return [failure("plugins", report)];
}
