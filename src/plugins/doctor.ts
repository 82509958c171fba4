/** What is wrong with this home, its plugins and what they need, and what to do about each (spec 7.1 `doctor`). */
import { existsSync, type Stats, statSync } from "node:fs";
import { openCatalog } from "../catalog/open.ts";
import { readConfig } from "../config/read.ts";
import { reasonFor } from "../files/fs-failure.ts";
import type { Home } from "../files/home.ts";
import { isThere } from "../files/look.ts";
import { FermixError, hasErrno, isFermixError } from "../kernel/error.ts";
import { describeCosign } from "../trust/cosign.ts";
import { tryCosign } from "../trust/cosign-trial.ts";
import type { App } from "./app.ts";
import { findLoaded } from "./known.ts";
import { listNames, type PluginRow, rowOf } from "./list.ts";
import { type LoadReport, loadPlugins } from "./load.ts";

type Verdict = "ok" | "warn" | "error";

/** One thing that was looked at, besides the plugins. */
export interface Check {
  readonly name: string;
  readonly verdict: Verdict;
  readonly detail: string;
  /** "" when there is nothing to do. */
  readonly fix: string;
}

/** A plugin's `list` row with the doctor's verdict; off is not an error, not usable while on is. */
export interface PluginCheck {
  readonly row: PluginRow;
  readonly verdict: Verdict;
  readonly detail: string;
}

export interface Diagnosis {
  readonly plugins: readonly PluginCheck[];
  readonly checks: readonly Check[];
}

/** Looks at everything; a fault becomes a row, so that one broken file does not hide the others. */
export async function diagnose(app: App): Promise<Diagnosis> {
  const checks = [checkHome(app), ...(await checkConfig(app)), await checkCosign(app), checkCatalog(app)];
  const report = await attempt(() => loadPlugins(app));
  if (isFermixError(report)) {
    const shown = checks.some(({ verdict, detail }) => verdict === "error" && detail === report.message);
    return { plugins: [], checks: shown ? checks : [...checks, failure("plugins", report)] };
  }
  const plugins: PluginCheck[] = [];
  for (const name of listNames(report)) plugins.push(await checkPlugin(app, report, name));
  const warnings = report.warnings.map((detail): Check => ({ name: "dev_local", verdict: "warn", detail, fix: "" }));
  return { plugins, checks: [...checks, ...warnings] };
}

/** Looks at one plugin. Throws what loading throws, `plugin_not_installed` and `plugin_unknown`. */
export async function diagnosePlugin(app: App, name: string): Promise<PluginCheck> {
  const report = await loadPlugins(app);
  if (!listNames(report).includes(name)) findLoaded(app, report, name);
  return await checkPlugin(app, report, name);
}

async function checkPlugin(app: App, report: LoadReport, name: string): Promise<PluginCheck> {
  const row = await rowOf(app, report, name);
  const hosted = report.plugins.some((plugin) => plugin.name === name && plugin.manifest.rail === "hosted-mcp");
  const remote = hosted ? " (remote; runtime status unavailable, no daemon is running)" : "";
  if (row.excludedBecause !== undefined) return { row, verdict: "error", detail: row.excludedBecause };
  const { status } = row.readiness;
  const detail = `${status}${row.detail === "" ? "" : `: ${row.detail}`}${remote}`;
  if (row.stale) return { row, verdict: "warn", detail };
  return { row, verdict: status === "ready" || status === "not_configured" ? "ok" : "error", detail };
}

/** Who else on this machine may change or read what Fermix trusts. */
const OTHERS_WRITE = 0o022;
const OTHERS_READ = 0o077;

function checkHome({ home }: App): Check {
  let stat: Stats;
  try {
    stat = statSync(home.root);
  } catch (cause) {
    if (hasErrno(cause, "ENOENT") && !isThere(home.root)) return ok("home", `${home.root}, not created yet`);
    return unusableHome(home, reasonFor(cause) ?? String(cause));
  }
  if (!stat.isDirectory()) return unusableHome(home, "it is not a folder");
  const mode = (stat.mode & 0o777).toString(8).padStart(4, "0");
  const detail = `${home.root}, mode ${mode}`;
  if ((stat.mode & OTHERS_READ) === 0) return ok("home", detail);
  const verdict = (stat.mode & OTHERS_WRITE) === 0 ? "warn" : "error";
  return { name: "home", verdict, detail, fix: `chmod 700 '${home.root.replaceAll("'", "'\\''")}'` };
}

function unusableHome({ root: path }: Home, reason: string): Check {
  return failure("home", new FermixError("home_unusable", { path, reason }));
}

async function checkConfig(app: App): Promise<readonly Check[]> {
  const config = await attempt(() => readConfig(app.home));
  if (isFermixError(config)) return [failure("config", config)];
  const { proxy } = config.network;
  return [
    ok("config", `${app.home.configFile}${existsSync(app.home.configFile) ? "" : ", not written yet"}`),
    ...(proxy === undefined ? [] : [proxyInUse(proxy)]),
  ];
}

/** Told because it changes what Fermix proves: the proxy chooses the address, so the floor judges names alone. */
function proxyInUse(proxy: string): Check {
  return ok("proxy", `every request goes through ${proxy}, which resolves the names; addresses are not judged here`);
}

/** Without cosign everything works but install, upgrade and hosted proof (INS-13), so it is no error. */
async function checkCosign(app: App): Promise<Check> {
  const report = await attempt(() => describeCosign(app.ports, app.env));
  if (isFermixError(report)) return failure("cosign", report);
  if (!report.found) {
    const detail = `cosign not found (looked in: ${report.lookedIn.join(", ")})`;
    return { name: "cosign", verdict: "warn", detail, fix: report.install };
  }
  const version = report.version === undefined ? "" : `, ${report.version}`;
  const tried = await attempt(() => tryCosign(app.ports, report.path));
  if (isFermixError(tried)) return failure("cosign", tried);
  if (report.generation !== "too_old") return ok("cosign", `${report.path}, generation ${report.generation}${version}`);
  const detail = `${report.path}${version} is too old for signature bundles`;
  return { name: "cosign", verdict: "warn", detail, fix: "install cosign 2.4 or newer" };
}

function checkCatalog(app: App): Check {
  try {
    const { generatedAt, entries } = openCatalog(app.ports.embedded);
    return ok("catalog", `signed, of ${generatedAt}, ${entries.length} entries`);
  } catch (error) {
    if (isFermixError(error)) return failure("catalog", error);
    throw error;
  }
}

function ok(name: string, detail: string): Check {
  return { name, verdict: "ok", detail, fix: "" };
}

function failure(name: string, error: FermixError): Check {
  return { name, verdict: "error", detail: error.message, fix: error.fix };
}

/** The result, or the failure that a row will show. */
async function attempt<T>(work: () => Promise<T>): Promise<T | FermixError> {
  try {
    return await work();
  } catch (error) {
    if (isFermixError(error)) return error;
    throw error;
  }
}
