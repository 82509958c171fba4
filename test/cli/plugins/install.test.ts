import { describe, expect, test } from "bun:test";
import { install } from "../../../src/cli/plugins/install.ts";
import { expectRefusal } from "../../expect.ts";
import { FakeTerminal } from "../../fakes/terminal.ts";
import { InstallLab } from "../../plugins/install-lab.ts";
import { write } from "../../plugins/lab.ts";
import { answers } from "./answers.ts";

const PICKED_UP = "no daemon is running; every `fermix mcp serve` picks this up by itself";
const OFF = "notes is not enabled yet: `fermix plugins enable notes` gives its tools to agents";
const PLAIN = { force: false, "dry-run": false, yes: false };

describe("fermix plugins install", () => {
  test("says what it installed, who signed it, and who picks it up", async () => {
    using lab = new InstallLab();
    lab.publish("notes");
    const signer = `key ${lab.publisher.keyId}`;
    expect(await answers(install, lab.app(), { plugin: "notes", ...PLAIN })).toEqual({
      terminal: "installed notes",
      piped: "installed notes",
      json: {
        installed: "notes",
        status: "installed",
        version: "1.0.0",
        previous: null,
        publisher: signer,
        dry_run: false,
      },
      notices: [`notes 1.0.0, signed by ${signer}`, OFF],
      exit: "ok",
    });
    expect(await answers(install, lab.app(), { plugin: "notes@1.0.0", ...PLAIN })).toMatchObject({
      piped: "notes already installed",
      json: { installed: "notes", status: "already_installed", previous: "1.0.0" },
      notices: [OFF],
    });
  });

  test("for a plugin that is in use it says who picks it up, and which version made way", async () => {
    using lab = new InstallLab();
    lab.publish("notes", { version: "1.1.0" });
    await lab.install("notes");
    lab.publish("notes");
    write(lab.home.configFile, '[fermix_core.plugins]\nenabled = ["notes"]\n');
    const { notices } = await answers(install, lab.app(), { plugin: "notes", ...PLAIN });
    const signed = `notes 1.0.0, signed by key ${lab.publisher.keyId}`;
    expect(notices).toEqual([`${signed}; 1.1.0 was live until now`, PICKED_UP]);
    const again = await answers(install, lab.app(), { plugin: "notes", ...PLAIN });
    expect([again.piped, again.notices]).toEqual(["notes already installed", []]);
    const dry = await answers(install, lab.app(), { plugin: "notes", ...PLAIN, "dry-run": true });
    expect([dry.piped, dry.notices]).toEqual(["notes already installed", [`${signed}; nothing would change`]]);
  });

  test("what is no version is a usage error and nothing is looked up", async () => {
    using lab = new InstallLab();
    for (const [plugin, typed] of [
      ["notes@", ""],
      ["notes@1", "1"],
      ["notes@latest", "latest"],
      ["notes@1.0.0@2", "1.0.0@2"],
    ] as const) {
      const problem = `${JSON.stringify(typed)} is not a version such as 1.2.3.`;
      const command = "fermix plugins install";
      await expectRefusal(install.run(lab.app(), { plugin, ...PLAIN }), "usage", { problem, command });
    }
    expect(lab.disk()).toEqual({});
  });

  test("a dry run says that nothing was changed", async () => {
    using lab = new InstallLab();
    lab.publish("notes");
    expect(await answers(install, lab.app(), { plugin: "notes", ...PLAIN, "dry-run": true })).toMatchObject({
      piped: "checked notes",
      json: { status: "checked", dry_run: true },
      notices: [`notes 1.0.0, signed by key ${lab.publisher.keyId}, would install; nothing was changed`],
    });
    expect(lab.disk()).toEqual({});
  });

  test("INS-11/terminal-progress: each stage is shown on a terminal, and the line is gone at the end", async () => {
    using lab = new InstallLab();
    lab.publish("notes");
    const terminal = new FakeTerminal({ tty: true });
    const app = lab.app();
    await install.run({ ...app, ports: { ...app.ports, terminal } }, { plugin: "notes", ...PLAIN });
    const stages = ["Fetching", "Verifying", "Unpacking", "Activating"].filter((stage) =>
      terminal.said.includes(stage),
    );
    expect(stages).toEqual(["Fetching", "Verifying", "Unpacking", "Activating"]);
    expect(terminal.said).toEndWith("\r");
  });

  test("INS-11/piped-quiet: nothing is said on the way when stderr is no terminal, also when it fails", async () => {
    using lab = new InstallLab();
    lab.publish("notes");
    await install.run(lab.app(), { plugin: "notes", ...PLAIN });
    lab.publish("notes", { version: "1.1.0", signature: "x" });
    await expectRefusal(install.run(lab.app(), { plugin: "notes", ...PLAIN }), "signature_missing");
    expect(lab.terminal.said).toBe("");
  });

  test("a failure takes the progress line away", async () => {
    using lab = new InstallLab();
    lab.publish("notes", { signature: "x" });
    const terminal = new FakeTerminal({ tty: true });
    const app = lab.app();
    const ports = { ...app.ports, terminal };
    await expectRefusal(install.run({ ...app, ports }, { plugin: "notes", ...PLAIN }), "signature_missing");
    expect(terminal.said).toContain("Fetching");
    expect(terminal.said).toEndWith("\r");
  });
});
