/** The `## Plugins` text, whole, for every kind of standing. */
import { expect, test } from "bun:test";
import { promptSection } from "../../src/agent/prompt-section.ts";
import { FermixError } from "../../src/kernel/error.ts";
import { railTool } from "../fakes/rail-session.ts";
import { expectGolden } from "../golden.ts";
import { HostLab } from "../host/lab.ts";
import { keyManifest, localManifest, noteManifest, oauthManifest } from "../plugins/lab.ts";

test("AGT-1/ready-listed AGT-1/not-ready-with-fix AGT-13/prefer-and-connect CASE-15 the whole section", async () => {
  using lab = new HostLab();
  const skills = ["note-taking", "notes-search"].map((name) => ({ name, path: `${name}/SKILL.md` }));
  lab.installed(localManifest("notes", {}, { skills }), { "note-taking/SKILL.md": "", "notes-search/SKILL.md": "" });
  for (const name of ["tasks", "slow", "mute", "off"]) lab.installed(localManifest(name));
  lab.installed(localManifest("vault", {}, { config: [{ key: "VAULT", prompt: "Where?", required: true }] }));
  lab.installed(localManifest("snake", { kind: "python", command: "python3" }));
  lab.installed(keyManifest("chat"));
  lab.installed(oauthManifest("forge"));
  lab.installed(oauthManifest("album"));
  lab.installed(noteManifest("future", { plugin_api: 99 }));
  lab.installed(noteManifest("web"));
  const enabled = [
    "notes",
    "tasks",
    "slow",
    "mute",
    "vault",
    "snake",
    "chat",
    "forge",
    "album",
    "future",
    "web",
    "ghost",
  ];
  lab.enable(enabled, "[fermix_core.oauth.album]", 'client_id = "id"', 'client_secret = "secret"');
  lab.startsAs.set("slow", { status: "starting", attempt: 1 });
  const error = new FermixError("stdout_flood", { plugin: "tasks", limitBytes: 10 });
  lab.startsAs.set("tasks", { status: "failed", error });
  const host = await lab.host();
  lab.session("notes").become({ status: "ready" }, [railTool("notes", "write"), railTool("notes", "find")]);
  lab.session("mute").become({ status: "ready" }, []);
  expectGolden("prompt-section.txt", promptSection(host));
});

test("nothing enabled, nothing said", async () => {
  using lab = new HostLab().with("notes");
  lab.enable([]);
  expect(promptSection(await lab.host())).toBe("");
});

test("why no plugin could be loaded comes first, escaped and on one line", async () => {
  using lab = new HostLab();
  lab.devLocal('/no/where/<"&\n');
  const section = promptSection(await lab.host());
  const lines = section.split("\n");
  expect(lines.length).toBe(5);
  expect(lines[3]).toStartWith("  <problem>No plugin is loaded: the dev_local folder &quot;/no/where/&lt;");
});
