/** What `fermix capabilities` counts and lists. */
import { expect, test } from "bun:test";
import { listCapabilities } from "../../src/host/capabilities.ts";
import { localManifest } from "../plugins/lab.ts";
import { HostLab } from "./lab.ts";

test("AGT-7/by-kind tools of servers are mcp, skills of serving plugins are skill; disabled plugins add nothing", async () => {
  using lab = new HostLab().with("notes", "tasks");
  lab.installed(localManifest("notes", {}, { skills: [{ name: "note-taking", path: "skills/n/SKILL.md" }] }), {
    "skills/n/SKILL.md": "# Notes",
  });
  lab.enable(["notes"]);
  const host = await lab.host();
  expect(listCapabilities(host)).toEqual([
    { name: "note-taking", kind: "skill", plugin: "notes", description: "How to work with NOTES" },
    { name: "notes_look", kind: "mcp", plugin: "notes", description: "Does look." },
  ]);
});

test("AGT-14/hosted-ordinary a hosted plugin's tool is listed exactly like a local one's", async () => {
  using lab = new HostLab().with("notes");
  const host = await lab.host();
  const local = listCapabilities(host);
  const hosted = host.plugins().map((one) => {
    const { plugin } = one;
    if (plugin === undefined) return one;
    const manifest = { ...plugin.manifest, rail: "hosted-mcp" } as typeof plugin.manifest;
    return { ...one, plugin: { ...plugin, manifest } };
  });
  expect(listCapabilities({ plugins: () => hosted, registry: () => host.registry() })).toEqual(local);
});
