/** Asks the services of plugins whether they take the credential, several at once (`--full`): the one part that uses the network. */
import type { Config } from "../../config/config.ts";
import type { FermixError } from "../../kernel/error.ts";
import { never } from "../../kernel/error.ts";
import type { LoadedPlugin } from "../../manifest/manifest.ts";
import type { App } from "../app.ts";
import type { LoadReport } from "../load.ts";
import { openCredential } from "../open-credential.ts";
import { type Check, fail, ok } from "./check.ts";
import type { PluginCheck } from "./plugins.ts";

/** Services asked at the same time; the operator chooses how many plugins there are. */
const AT_ONCE = 4;

/** What asking came to: nothing to add, or why the service is of no use. */
type Answer = { readonly plugin: LoadedPlugin; readonly asked: boolean; readonly error: FermixError | undefined };

/** A row for each ready plugin, in the order of the checks; what is not ready is not asked. */
export async function healthRows(
  app: App,
  report: LoadReport,
  checks: readonly PluginCheck[],
): Promise<readonly Check[]> {
  const answers = await askReady(app, report, checks);
  return answers.map(({ plugin: { name, manifest }, asked, error }) => {
    const row = `health ${name}`;
    if (error !== undefined) return fail(row, error.message, error.fix);
    if (asked) return ok(row, "its service takes the request");
    return ok(row, manifest.rail === "hosted-mcp" ? "remote; not asked" : "ready; its manifest names nothing to ask");
  });
}

/** The same checks, those whose service is of no use failed with what it said. */
export async function withHealth(
  app: App,
  report: LoadReport,
  checks: readonly PluginCheck[],
): Promise<readonly PluginCheck[]> {
  const answers = new Map(
    (await askReady(app, report, checks)).map((answer) => [answer.plugin.name as string, answer]),
  );
  return checks.map((check) => {
    const answer = answers.get(check.row.name);
    if (answer === undefined) return check;
    const { error, asked } = answer;
    if (error === undefined)
      return asked ? { ...check, detail: `${check.detail}; its service takes the request` } : check;
    return { row: { ...check.row, fix: error.fix }, level: "fail", detail: `${check.detail}; ${error.message}` };
  });
}

async function askReady(app: App, report: LoadReport, checks: readonly PluginCheck[]): Promise<readonly Answer[]> {
  const ready = checks.flatMap(({ row }) => {
    const plugin = report.plugins.find(({ name }) => name === row.name);
    return plugin !== undefined && row.readiness.status === "ready" ? [plugin] : [];
  });
  const answers: Answer[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < ready.length; at = next++) {
      const plugin = ready[at];
      if (plugin !== undefined) answers[at] = await ask(app, report.config, plugin);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return answers;
}

async function ask(app: App, config: Config, plugin: LoadedPlugin): Promise<Answer> {
  const { manifest, name } = plugin;
  const { checkHealth } = await import("../../rails/http/health-check.ts");
  const source = await openCredential(app, plugin, config.plugins.settings.get(name) ?? new Map());
  const health = await checkHealth(app.ports, manifest, { source, network: config.network });
  switch (health.state) {
    case "healthy":
      return { plugin, asked: true, error: undefined };
    case "local":
      return { plugin, asked: false, error: undefined };
    case "unhealthy":
      return { plugin, asked: true, error: health.error };
    default:
      return never(health);
  }
}
