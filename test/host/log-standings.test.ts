/** What the log is told of plugins: how each stands, once, and every change. */
import { expect, test } from "bun:test";
import { logStandings } from "../../src/host/log-standings.ts";
import { FermixError } from "../../src/kernel/error.ts";
import { keyManifest } from "../plugins/lab.ts";
import { HostLab } from "./lab.ts";

test("each plugin that is switched on, and then what changes; one that is off and never was on is not told of", async () => {
  using lab = new HostLab().with("notes", "tasks");
  lab.installed(keyManifest("mail"));
  lab.installed(keyManifest("idle"));
  lab.enable(["notes", "tasks", "mail"]);
  lab.startsAs.set("tasks", { status: "starting", attempt: 1 });
  const host = await lab.host();
  logStandings(host);
  const told = () => lab.log.lines.splice(0).map(({ level, event, plugin, state }) => [level, event, plugin, state]);
  expect(told()).toEqual([
    ["warn", "plugin", "mail", "needs_secret"],
    ["info", "plugin", "notes", "ready"],
    ["info", "plugin", "tasks", "starting"],
  ]);
  lab.session("tasks").become({ status: "ready" });
  expect(told()).toEqual([["info", "plugin", "tasks", "ready"]]);
  await host.reconcile();
  expect(told()).toEqual([]);
  lab.session("tasks").become({
    status: "failed",
    error: new FermixError("session_closed", { plugin: "tasks", tool: "t" }),
  });
  expect(told()).toEqual([["warn", "plugin", "tasks", "session_closed"]]);
  lab.enable(["tasks"]);
  await host.reconcile();
  expect(told()).toEqual([
    ["info", "plugin", "mail", "not_configured"],
    ["info", "plugin", "notes", "not_configured"],
    ["info", "plugin", "tasks", "starting"],
  ]);
  await host.close();
});

test("at the end nothing more is told: a session that closes is not one that starts", async () => {
  using lab = new HostLab().with("notes");
  const host = await lab.host();
  logStandings(host);
  lab.session("notes").become({ status: "closed" });
  await host.close();
  expect(lab.log.lines.map(({ state }) => state)).toEqual(["ready"]);
});

test("plugins that this process does not serve are left out", async () => {
  using lab = new HostLab().with("notes", "tasks");
  const host = await lab.host((name) => name === "notes");
  logStandings(host);
  expect(lab.log.lines.map(({ plugin }) => plugin)).toEqual(["notes"]);
  await host.close();
});

test("what keeps every plugin from loading is told once, and its end", async () => {
  using lab = new HostLab().with("notes");
  const host = await lab.host();
  logStandings(host);
  lab.config("[fermix_core.plugins");
  await host.reconcile();
  await host.reconcile();
  lab.enable(["notes"]);
  await host.reconcile();
  expect(lab.log.lines.map(({ level, event, state }) => `${level} ${event} ${state}`)).toEqual([
    "info plugin ready",
    "warn plugins config_invalid",
    "info plugins loaded",
  ]);
  await host.close();
});
