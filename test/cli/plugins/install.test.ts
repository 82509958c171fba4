import { describe, expect, test } from "bun:test";
import { install } from "../../../src/cli/plugins/install.ts";
import { expectRefusal } from "../../expect.ts";
import { FakeTerminal } from "../../fakes/terminal.ts";
import { InstallLab } from "../../plugins/install-lab.ts";
import { answers } from "./answers.ts";

const PICKED_UP = "no daemon is running; every `fermix mcp serve` picks this up by itself";
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
      notices: [`notes 1.0.0, signed by ${signer}`, PICKED_UP],
      exit: "ok",
    });
    expect(await answers(install, lab.app(), { plugin: "notes@1.0.0", ...PLAIN })).toMatchObject({
      piped: "notes already installed",
      json: { installed: "notes", status: "already_installed", previous: "1.0.0" },
      notices: [],
    });
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
