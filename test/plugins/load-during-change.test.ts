/** A plugin that another process is changing while it is loaded is seen whole, before or after, and never in pieces. */
import { expect, test } from "bun:test";
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type LoadReport, loadPlugins } from "../../src/plugins/load.ts";
import { FakeClock } from "../fakes/clock.ts";
import { noteManifest, PluginLab, write } from "./lab.ts";

/** No process has this number: it is above what Linux and macOS give. */
const NOBODY = 2 ** 22 + 1;

/** Loads while the plugin's lock names this process; `onSleep` is what happens while the loader waits. */
async function loadWhile(lab: PluginLab, owner: number, onSleep = (): void => {}) {
  const lock = join(lab.home.plugins.root, ".lock-notes");
  write(lock, `1 ${owner}\n`);
  const clock = new FakeClock();
  clock.onSleep = onSleep;
  const report = await loadPlugins({ ...lab.app, ports: { ...lab.app.ports, clock } });
  return { seen: seenIn(report), waits: clock.slept.length };
}

function seenIn({ plugins, excluded }: LoadReport): readonly string[] {
  return [...plugins.map(({ name, version }) => `${name} ${version}`), ...excluded.map(({ error }) => error.code)];
}

test("between the old files and the new ones of the same version", async () => {
  using lab = new PluginLab();
  const dir = lab.installed(noteManifest("notes"));
  renameSync(dir, `${dir}.aside`);
  const done = await loadWhile(lab, process.ppid, () => renameSync(`${dir}.aside`, dir));
  expect(done).toEqual({ seen: ["notes 1.0.0"], waits: 1 });
});

test("between the removal of the files and that of the record", async () => {
  using lab = new PluginLab();
  lab.installed(noteManifest("notes"));
  const entry = { version: "1.0.0", sha256: "0".repeat(64) };
  write(lab.home.plugins.record, JSON.stringify({ notes: entry }));
  rmSync(join(lab.home.plugins.installed, "notes"), { recursive: true });
  const done = await loadWhile(lab, process.ppid, () => write(lab.home.plugins.record, "{}"));
  expect(done).toEqual({ seen: [], waits: 1 });
});

test("damage that nobody alive is changing, or this very process, is told at once", async () => {
  for (const owner of [NOBODY, process.pid]) {
    using lab = new PluginLab();
    rmSync(join(lab.installed(noteManifest("notes")), "plugin.json"));
    expect(await loadWhile(lab, owner)).toEqual({ seen: ["plugin_damaged"], waits: 0 });
  }
});

test("who takes too long is not waited for, and sound plugins never wait", async () => {
  using lab = new PluginLab();
  const dir = lab.installed(noteManifest("notes"));
  expect(await loadWhile(lab, process.ppid)).toEqual({ seen: ["notes 1.0.0"], waits: 0 });
  rmSync(dir, { recursive: true });
  expect(await loadWhile(lab, process.ppid)).toEqual({ seen: ["plugin_damaged"], waits: 49 });
});
