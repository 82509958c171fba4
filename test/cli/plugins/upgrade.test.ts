import { expect, test } from "bun:test";
import { upgrade } from "../../../src/cli/plugins/upgrade.ts";
import { InstallLab } from "../../plugins/install-lab.ts";
import { httpTool, write } from "../../plugins/lab.ts";
import { answers } from "./answers.ts";

const PICKED_UP = "no daemon is running; every `fermix mcp serve` picks this up by itself";
const COMES_WITH_FERMIX = "newer plugin versions come with Fermix itself: run `fermix upgrade`";

test("one plugin that has a newer version", async () => {
  using lab = new InstallLab();
  lab.publish("notes");
  await lab.install("notes");
  lab.publish("notes", { version: "1.1.0" });
  expect(await answers(upgrade, lab.app(), { name: "notes" })).toEqual({
    terminal: "upgraded notes",
    piped: "upgraded notes",
    json: { upgraded: "notes", status: "upgraded", from: "1.0.0", to: "1.1.0" },
    notices: ["notes 1.0.0 -> 1.1.0"],
    exit: "ok",
  });
});

test("who picks it up is said when the plugin is in use", async () => {
  using lab = new InstallLab();
  lab.publish("notes");
  await lab.install("notes");
  write(lab.home.configFile, '[fermix_core.plugins]\nenabled = ["notes"]\n');
  lab.publish("notes", { version: "1.1.0" });
  const { notices } = await answers(upgrade, lab.app(), { name: "notes" });
  expect(notices).toEqual(["notes 1.0.0 -> 1.1.0", PICKED_UP]);
});

test("CAT-7/nothing-newer-names-upgrade CASE-16: nothing newer says that plugins come with fermix upgrade", async () => {
  using lab = new InstallLab();
  lab.publish("notes");
  await lab.install("notes");
  expect(await answers(upgrade, lab.app(), { name: "notes" })).toEqual({
    terminal: "notes already up to date",
    piped: "notes already up to date",
    json: { upgraded: "notes", status: "up_to_date", version: "1.0.0" },
    notices: [COMES_WITH_FERMIX],
    exit: "ok",
  });
  expect(await answers(upgrade, lab.app(), { name: undefined })).toMatchObject({ notices: [COMES_WITH_FERMIX] });
});

test("all of them: each has its line, and a refused one decides the exit", async () => {
  using lab = new InstallLab();
  for (const name of ["bad", "notes", "same"]) {
    lab.publish(name, { manifest: { tools: [httpTool(`${name}_look`)] } });
    await lab.install(name);
  }
  lab.publish("bad", { version: "1.1.0", signature: "x" });
  lab.publish("notes", { version: "1.1.0" });
  const { piped, json, notices, exit } = await answers(upgrade, lab.app(), { name: undefined });
  expect(piped).toBe("bad not upgraded\nupgraded notes\nsame already up to date");
  expect(json).toMatchObject({
    plugins: [
      { name: "bad", status: "failed", error: { code: "signature_missing" } },
      { name: "notes", status: "upgraded", from: "1.0.0", to: "1.1.0" },
      { name: "same", status: "up_to_date", version: "1.0.0" },
    ],
  });
  expect(notices[0]).toStartWith("bad: bad 1.1.0 carries no usable signature");
  expect(notices.slice(1)).toEqual(["notes 1.0.0 -> 1.1.0", COMES_WITH_FERMIX]);
  expect(exit).toBe("refused");
});

test("nothing installed", async () => {
  using lab = new InstallLab();
  expect(await answers(upgrade, lab.app(), { name: undefined })).toMatchObject({
    piped: "no plugins installed",
    json: { plugins: [] },
    exit: "ok",
  });
});
