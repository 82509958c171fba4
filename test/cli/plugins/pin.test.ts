import { expect, test } from "bun:test";
import { pin } from "../../../src/cli/plugins/pin.ts";
import { upgrade } from "../../../src/cli/plugins/upgrade.ts";
import { expectRefusal } from "../../expect.ts";
import { InstallLab } from "../../plugins/install-lab.ts";
import { answers } from "./answers.ts";

test("a pin is said, shown by upgrade, and removed again", async () => {
  using lab = new InstallLab();
  lab.publish("notes");
  await lab.install("notes");
  expect(await answers(pin, lab.app(), { plugin: "notes@1.0.0", remove: false })).toMatchObject({
    piped: "pinned notes at 1.0.0",
    json: { pinned: "notes", version: "1.0.0", previous: null, from: "live" },
    notices: ["notes 1.0.0: it was live already; `upgrade` leaves it alone until `fermix plugins pin --remove notes`"],
  });
  lab.publish("notes", { version: "1.1.0" });
  expect(await answers(upgrade, lab.app(), { name: "notes" })).toMatchObject({
    piped: "notes pinned at 1.0.0",
    json: { upgraded: "notes", status: "pinned", version: "1.0.0" },
    notices: ["notes was skipped: `fermix plugins pin --remove notes` frees it"],
  });
  expect(await answers(pin, lab.app(), { plugin: "notes", remove: true })).toMatchObject({
    piped: "unpinned notes",
    json: { unpinned: "notes", was_pinned: true },
  });
  expect(await answers(pin, lab.app(), { plugin: "notes", remove: true })).toMatchObject({
    piped: "notes was not pinned",
    json: { unpinned: "notes", was_pinned: false },
  });
});

test("a pin needs a version, and its removal needs none", async () => {
  using lab = new InstallLab();
  lab.publish("notes");
  const needs = { problem: "`pin` requires NAME@VERSION.", command: "fermix plugins pin" };
  await expectRefusal(pin.run(lab.app(), { plugin: "notes", remove: false }), "usage", needs);
  const alone = { problem: "`pin --remove` takes NAME without a version.", command: "fermix plugins pin" };
  await expectRefusal(pin.run(lab.app(), { plugin: "notes@1.0.0", remove: true }), "usage", alone);
  await expectRefusal(pin.run(lab.app(), { plugin: "notes@", remove: false }), "usage");
  expect(lab.disk()).toEqual({});
});
