/** Tests of plugins/hosted-proof.ts: a hosted plugin is proved at every load, and an edited one refuses to load. */
import { describe, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PluginName, Version } from "../../src/kernel/names.ts";
import { loadPlugins } from "../../src/plugins/load.ts";
import { InstallLab } from "./install-lab.ts";
import { hostedManifest, noteManifest } from "./lab.ts";

async function hostedLab(): Promise<InstallLab> {
  const lab = new InstallLab();
  lab.publish("cloud", { whole: hostedManifest("cloud"), listed: { plugin_api: 3 } });
  lab.publish("notes");
  await lab.install("notes");
  await lab.install("cloud");
  return lab;
}

async function loaded(lab: InstallLab, app = lab.app()): Promise<{ plugins: string[]; excluded: string[] }> {
  const report = await loadPlugins(app);
  return {
    plugins: report.plugins.map(({ name }) => name),
    excluded: report.excluded.map(({ name, error }) => `${name} ${error.code}`),
  };
}

function manifestPath(lab: InstallLab): string {
  return join(lab.home.plugins.installed, "cloud/current/plugin.json");
}

describe("an installed hosted plugin", () => {
  test("loads as its publisher signed it, and cosign is asked again only when the files are others", async () => {
    using lab = await hostedLab();
    const before = lab.disk();
    const app = lab.app();
    lab.processes.ran.length = 0;
    expect(await loaded(lab, app)).toEqual({ plugins: ["cloud", "notes"], excluded: [] });
    const asked = lab.processes.ran.length;
    expect(asked).toBeGreaterThan(0);
    expect(await loaded(lab, app)).toEqual({ plugins: ["cloud", "notes"], excluded: [] });
    expect(lab.processes.ran).toHaveLength(asked);
    expect(lab.disk()).toEqual(before);
  });

  test("with an edited manifest refuses to load, alone, also after it was proved; put back, it loads again", async () => {
    using lab = await hostedLab();
    const app = lab.app();
    await loaded(lab, app);
    const manifest = hostedManifest("cloud");
    const elsewhere = { ...(manifest["runtime"] as object), base_url: "https://evil.example.net" };
    writeFileSync(manifestPath(lab), JSON.stringify({ ...manifest, runtime: elsewhere }));
    expect(await loaded(lab, app)).toEqual({ plugins: ["notes"], excluded: ["cloud provenance_failed"] });
    writeFileSync(manifestPath(lab), JSON.stringify(manifest));
    expect(await loaded(lab, app)).toEqual({ plugins: ["cloud", "notes"], excluded: [] });
  });

  test("cannot leave the proof by calling itself something else", async () => {
    using lab = await hostedLab();
    writeFileSync(manifestPath(lab), JSON.stringify(noteManifest("cloud")));
    expect(await loaded(lab)).toEqual({ plugins: ["notes"], excluded: ["cloud provenance_failed"] });
  });

  test("without its evidence is left out", async () => {
    using lab = await hostedLab();
    rmSync(lab.home.evidenceDir("cloud" as PluginName, "1.0.0" as Version), { recursive: true });
    expect(await loaded(lab)).toEqual({ plugins: ["notes"], excluded: ["cloud provenance_failed"] });
  });
});
