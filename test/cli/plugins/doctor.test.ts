/** Tests of `fermix plugins doctor`: a row for each thing, its fix, and exit 1 when something is wrong. */
import { describe, expect, test } from "bun:test";
import { chmodSync, rmSync } from "node:fs";
import { doctor } from "../../../src/cli/plugins/doctor.ts";
import { homeAt } from "../../../src/files/home.ts";
import { expectRefusal, snapshotTree } from "../../expect.ts";
import { catalogEntry, keyManifest, noteManifest, PluginLab, TRIO, write } from "../../plugins/lab.ts";
import { type Answers, answers } from "./answers.ts";

const EVERYTHING = { name: undefined, full: false };

function rowsOf({ piped }: Answers): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(piped.split("\n").map((line) => [line.split("\t")[0], line.split("\t").slice(1)]));
}

describe("a sound home", () => {
  test("INS-13/works-without: no cosign is a warning with the install hint, and nothing fails", async () => {
    using lab = new PluginLab({ bundled: TRIO, catalog: [catalogEntry("notes")] });
    const answer = await answers(doctor, lab.app, EVERYTHING);
    const rows = rowsOf(answer);
    expect(rows["gmail"]).toEqual(["ok", "not_configured", "-"]);
    expect(rows["home"]).toEqual(["ok", `${lab.home.root}, mode 0700`, "-"]);
    expect(rows["config"]).toEqual(["ok", `${lab.home.configFile}, not written yet`, "-"]);
    expect(rows["catalog"]).toEqual(["ok", "signed, of 2026-11-30T00:00:00Z, 1 entries", "-"]);
    expect(rows["cosign"]?.[0]).toBe(lab.ran.length === 0 ? "warn" : "ok");
    expect(answer.exit).toBe("ok");
    expect(answer.notices).toEqual([
      "no daemon is running: live state and budgets belong to each `fermix mcp serve` process",
    ]);
  });

  test("the answer as JSON: a list row and the verdict for each plugin, and the other checks beside them", async () => {
    using lab = new PluginLab();
    lab.installed(noteManifest("notes"));
    lab.enable(["notes"]);
    const { json } = await answers(doctor, lab.app, EVERYTHING);
    expect(json).toMatchObject({
      plugins: [
        {
          name: "notes",
          display_name: "NOTES",
          enabled: true,
          status: "ready",
          account: null,
          doctor: "ok",
          detail: "ready",
        },
      ],
      checks: [
        { name: "home", doctor: "ok", fix: null },
        { name: "config", doctor: "ok", detail: lab.home.configFile },
        { name: "cosign" },
        { name: "catalog", doctor: "ok" },
      ],
    });
  });
});

describe("what is wrong", () => {
  test("an enabled plugin that cannot be used fails with its fix; one that is off does not", async () => {
    using lab = new PluginLab();
    lab.installed(keyManifest("slack"));
    lab.installed(keyManifest("off"));
    lab.enable(["slack", "gone"]);
    const answer = await answers(doctor, lab.app, EVERYTHING);
    expect(rowsOf(answer)).toMatchObject({
      gone: ["error", "not_installed", "`fermix plugins install gone` (or `enable` auto-installs it)"],
      off: ["ok", "not_configured", "-"],
      slack: [
        "error",
        "needs_secret",
        "`fermix plugins auth set slack` (it asks for the value), or `--stdin` to pipe it in",
      ],
    });
    expect(answer.exit).toBe("failed");
    expect(answer.json).toMatchObject({ plugins: [{}, {}, { name: "slack", doctor: "error", error: "needs_secret" }] });
  });

  test("a plugin that is left out fails with its reason, also while it is off", async () => {
    using lab = new PluginLab();
    lab.installed(noteManifest("later", { plugin_api: 9 }));
    const answer = await answers(doctor, lab.app, EVERYTHING);
    const [verdict, reason, fix] = rowsOf(answer)["later"] ?? [];
    expect(verdict).toBe("error");
    expect(reason).toStartWith("later does not fit this Fermix: ");
    expect(fix).toBe("`fermix plugins upgrade later`, or upgrade Fermix");
    expect(answer.exit).toBe("failed");
  });

  test("a home that others may write is an error, one they may read a warning", async () => {
    using lab = new PluginLab();
    chmodSync(lab.home.root, 0o755);
    const readable = await answers(doctor, lab.app, EVERYTHING);
    expect(rowsOf(readable)["home"]).toEqual(["warn", `${lab.home.root}, mode 0755`, `chmod 700 '${lab.home.root}'`]);
    expect(readable.exit).toBe("ok");
    chmodSync(lab.home.root, 0o770);
    const writable = await answers(doctor, lab.app, EVERYTHING);
    expect(rowsOf(writable)["home"]?.[0]).toBe("error");
    expect(writable.exit).toBe("failed");
  });

  test("a home that is not there yet is fine and is not made", async () => {
    using lab = new PluginLab();
    rmSync(lab.home.root, { recursive: true });
    const before = snapshotTree(lab.folder);
    const answer = await answers(doctor, lab.app, EVERYTHING);
    expect(rowsOf(answer)["home"]).toEqual(["ok", `${lab.home.root}, not created yet`, "-"]);
    expect(snapshotTree(lab.folder)).toEqual(before);
  });

  test("a home that is a file, or lies behind one, is an error and never a mode to correct", async () => {
    using lab = new PluginLab();
    rmSync(lab.home.root, { recursive: true });
    write(lab.home.root, "");
    const [verdict, detail, fix] = rowsOf(await answers(doctor, lab.app, EVERYTHING))["home"] ?? [];
    expect({ verdict, detail }).toEqual({
      verdict: "error",
      detail: `Fermix cannot use "${lab.home.root}": it is not a folder.`,
    });
    expect(fix).toContain("FERMIX_HOME");
    const behind = { ...lab.app, home: homeAt(`${lab.home.root}/below`) };
    expect(rowsOf(await answers(doctor, behind, EVERYTHING))["home"]?.[0]).toBe("error");
  });

  test("a broken config is one row, and the other checks are still made", async () => {
    using lab = new PluginLab({ bundled: TRIO });
    lab.config("[fermix_core");
    const answer = await answers(doctor, lab.app, EVERYTHING);
    const rows = rowsOf(answer);
    expect(Object.keys(rows)).toEqual(["home", "config", "cosign", "catalog"]);
    expect(rows["config"]?.[0]).toBe("error");
    expect(rows["catalog"]?.[0]).toBe("ok");
    expect(answer.exit).toBe("failed");
  });

  test("a corrupt record, and a catalog that does not verify, each have their row", async () => {
    using lab = new PluginLab();
    write(lab.home.plugins.record, "{");
    const read = lab.app.ports.embedded.read;
    const tampered = (name: string) => (name === "index.json" ? Buffer.from("{}") : read(name));
    const app = { ...lab.app, ports: { ...lab.app.ports, embedded: { ...lab.app.ports.embedded, read: tampered } } };
    const answer = await answers(doctor, app, EVERYTHING);
    const rows = rowsOf(answer);
    expect(rows["plugins"]?.[0]).toBe("error");
    expect(rows["catalog"]?.[0]).toBe("error");
    expect(rows["catalog"]?.[1]).toContain("does not verify");
    expect(answer.exit).toBe("failed");
  });

  test("what an author's folder skips is a warning", async () => {
    using lab = new PluginLab();
    write(`${lab.author}/docs/index.md`, "");
    lab.devLocal();
    const answer = await answers(doctor, lab.app, EVERYTHING);
    expect(rowsOf(answer)["dev_local"]?.[0]).toBe("warn");
    expect(answer.exit).toBe("ok");
  });
});

describe("doctor NAME", () => {
  test("one plugin alone, ready or not", async () => {
    using lab = new PluginLab({ bundled: TRIO });
    lab.installed(keyManifest("slack"));
    expect(await answers(doctor, lab.app, { name: "slack", full: false })).toMatchObject({
      piped: "slack\tok\tnot_configured\t-",
      exit: "ok",
      notices: [],
    });
    lab.enable(["slack"]);
    expect((await answers(doctor, lab.app, { name: "slack", full: false })).exit).toBe("failed");
  });

  test("a name that is not here is refused with what to run", async () => {
    using lab = new PluginLab({ catalog: [catalogEntry("notes")] });
    await expectRefusal(() => doctor.run(lab.app, { name: "notes", full: false }), "plugin_not_installed", {
      plugin: "notes",
    });
    await expectRefusal(() => doctor.run(lab.app, { name: "nope", full: false }), "plugin_unknown", { plugin: "nope" });
  });
});
