/** Which plugins a process hosts, and how it follows what changes on disk. */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { standingOf } from "../../src/host/standing.ts";
import { FermixError } from "../../src/kernel/error.ts";
import { disablePlugin } from "../../src/plugins/disable.ts";
import { enablePlugin } from "../../src/plugins/enable.ts";
import { localManifest, noteManifest } from "../plugins/lab.ts";
import { HostLab, liveTools } from "./lab.ts";

const GAVE_UP = new FermixError("discovery_failed", {
  plugin: "tasks",
  attempts: 5,
  lastError: "no answer",
  exitCode: 1,
  signal: undefined,
  stderrTail: [],
});

test("every ready plugin has a session; a failed, a missing and an unserved one take no other with them (CASE-14)", async () => {
  using lab = new HostLab().with("notes", "tasks");
  lab.installed(noteManifest("web"));
  lab.installed(localManifest("snake", { kind: "python", command: "python3" }));
  lab.enable(["notes", "tasks", "web", "snake", "ghost"]);
  lab.startsAs.set("tasks", { status: "failed", error: GAVE_UP });
  const host = await lab.host();
  expect(liveTools(host)).toEqual(["notes_look"]);
  expect(Object.fromEntries(host.plugins().map((hosted) => [hosted.name, standingOf(hosted)]))).toMatchObject({
    ghost: { kind: "not_ready", readiness: { status: "not_installed" } },
    notes: { kind: "serving" },
    snake: { kind: "not_ready", readiness: { status: "missing_host_runtime" } },
    tasks: { kind: "failed", status: "discovery_failed", error: GAVE_UP },
    web: { kind: "failed", status: "rail_not_served" },
  });
});

test("a plugin that cannot be loaded is named with its reason and takes no other with it (AGT-12)", async () => {
  using lab = new HostLab().with("notes");
  lab.installed({ ...localManifest("broken"), tools: "none" });
  lab.enable(["notes", "broken"]);
  const host = await lab.host();
  expect(liveTools(host)).toEqual(["notes_look"]);
  const broken = host.plugins().find(({ name }) => name === "broken");
  expect(broken && standingOf(broken)).toMatchObject({
    kind: "failed",
    status: "error",
    error: { code: "manifest_invalid" },
  });
});

test("a host for one plugin opens no other", async () => {
  using lab = new HostLab().with("notes", "tasks");
  const host = await lab.host((plugin) => plugin === "tasks");
  expect(lab.opened.map(({ plugin }) => String(plugin))).toEqual(["tasks"]);
  expect(liveTools(host)).toEqual(["tasks_look"]);
});

test("AGT-3: disabling closes a session, enabling opens one, and nothing else is touched", async () => {
  using lab = new HostLab().with("notes", "tasks");
  const host = await lab.host();
  const notes = lab.session("notes");
  let changes = 0;
  host.onChange(() => {
    changes += 1;
  });
  lab.enable(["notes"]);
  await host.reconcile();
  expect(liveTools(host)).toEqual(["notes_look"]);
  expect(lab.session("tasks").state()).toEqual({ status: "closed" });
  lab.enable(["notes", "tasks"]);
  await host.reconcile();
  expect(liveTools(host)).toEqual(["notes_look", "tasks_look"]);
  expect(lab.session("notes")).toBe(notes);
  expect(lab.opened.length).toBe(3);
  expect(changes).toBeGreaterThanOrEqual(2);
});

test("a plugin being switched off is refused as disabled from the first word of it, never as starting", async () => {
  using lab = new HostLab().with("notes");
  const host = await lab.host();
  const seen: string[] = [];
  host.onChange(() => {
    seen.push(...host.plugins().map((plugin) => standingOf(plugin).kind));
  });
  lab.enable([]);
  await host.reconcile();
  expect(lab.session("notes").state()).toEqual({ status: "closed" });
  expect(seen.length).toBeGreaterThan(0);
  expect(new Set(seen.filter((kind) => kind === "starting" || kind === "serving"))).toEqual(new Set());
});

test("a new setting or a new version means a new session, after the old one has ended", async () => {
  using lab = new HostLab().with("notes");
  const host = await lab.host();
  lab.enable(["notes"], "[fermix_core.plugins.notes]", 'VAULT = "/v"');
  await host.reconcile();
  expect(lab.opened.map((session) => session.state().status)).toEqual(["closed", "ready"]);
  lab.installed({ ...localManifest("notes"), version: "1.1.0" }, { "src/index.js": "" });
  await host.reconcile();
  await host.reconcile();
  expect(lab.opened.map((session) => session.state().status)).toEqual(["closed", "closed", "ready"]);
});

test("LOC-5: a server that gave up starts afresh when something changed on disk", async () => {
  using lab = new HostLab().with("tasks");
  lab.startsAs.set("tasks", { status: "failed", error: GAVE_UP });
  const host = await lab.host();
  lab.startsAs.delete("tasks");
  await host.reconcile();
  expect(liveTools(host)).toEqual(["tasks_look"]);
});

test("LOC-5: the fix of a server that gave up is true: switched off and on, it starts afresh", async () => {
  using lab = new HostLab().with("tasks");
  lab.startsAs.set("tasks", { status: "failed", error: GAVE_UP });
  const host = await lab.host();
  lab.startsAs.delete("tasks");
  const verbs = [...GAVE_UP.fix.matchAll(/fermix plugins (disable|enable) tasks/g)].map(([, verb]) => verb);
  expect(verbs).toEqual(["disable", "enable"]);
  await disablePlugin(lab.app, "tasks");
  await enablePlugin(lab.app, "tasks", () => Promise.resolve());
  // As after both at once, before the host looked: nothing on disk differs from what it knows.
  await host.reconcile();
  expect(liveTools(host)).toEqual(["tasks_look"]);
});

test("a config file caught half-written ends nothing; the fault is told and goes with the next good one", async () => {
  using lab = new HostLab().with("notes");
  const host = await lab.host();
  writeFileSync(lab.home.configFile, "[fermix_core.plugins\nenab");
  await host.reconcile();
  expect(host.fault()?.code).toBe("config_invalid");
  expect(liveTools(host)).toEqual(["notes_look"]);
  lab.enable(["notes"]);
  await host.reconcile();
  expect(host.fault()).toBeUndefined();
  expect(lab.opened.length).toBe(1);
});

test("a dev_local fault leaves no plugin tool, and the host up (DEV-1)", async () => {
  using lab = new HostLab().with("notes");
  const host = await lab.host();
  lab.devLocal("/nowhere/at/all", 'enabled = ["notes"]');
  await host.reconcile();
  expect(host.fault()?.code).toBe("dev_local_unreadable");
  expect(liveTools(host)).toEqual([]);
  expect(lab.session("notes").state()).toEqual({ status: "closed" });
  lab.enable(["notes"]);
  await host.reconcile();
  expect(liveTools(host)).toEqual(["notes_look"]);
});

test("many changes at once are read at most twice more", async () => {
  using lab = new HostLab().with("notes");
  const host = await lab.host();
  let told = 0;
  host.onChange(() => {
    told += 1;
  });
  await Promise.all([host.reconcile(), host.reconcile(), host.reconcile(), host.reconcile()]);
  expect(told).toBe(2);
});

test("closing ends every session, and a later change opens none", async () => {
  using lab = new HostLab().with("notes", "tasks");
  const host = await lab.host();
  await host.close();
  expect(lab.opened.map((session) => session.state().status)).toEqual(["closed", "closed"]);
  await host.reconcile();
  expect(lab.opened.length).toBe(2);
});
