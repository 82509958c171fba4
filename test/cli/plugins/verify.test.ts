import { expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installed } from "../../../src/cli/plugins/installed.ts";
import { verify } from "../../../src/cli/plugins/verify.ts";
import { InstallLab } from "../../plugins/install-lab.ts";
import { answers } from "./answers.ts";

test("CLI-8/verify: each plugin has its verdict, and a changed one ends the command as refused", async () => {
  using lab = new InstallLab();
  for (const name of ["changed", "notes"]) {
    lab.publish(name);
    await lab.install(name);
  }
  writeFileSync(join(lab.home.plugins.installed, "changed", "1.0.0", "extra"), "");
  const { piped, terminal, json, notices, exit } = await answers(verify, lab.app(), { name: undefined });
  expect(piped).toBe("changed\t1.0.0\tFAILED\nnotes\t1.0.0\tproven");
  expect(terminal).toContain("changed  1.0.0");
  expect(json).toMatchObject({
    plugins: [
      { name: "changed", version: "1.0.0", ok: false, error: { code: "installed_files_changed" } },
      { name: "notes", version: "1.0.0", ok: true, files: "unchanged", signature: "verified", reason: null },
    ],
  });
  expect(notices).toHaveLength(1);
  expect(notices[0]).toContain("Fix: `fermix plugins install changed --force`");
  expect(exit).toBe("refused");
});

test("an empty store is said to be one, beside an answer without rows", async () => {
  using lab = new InstallLab();
  const notices = ["no plugins are installed; `fermix plugins catalog` shows what there is"];
  expect(await answers(verify, lab.app(), { name: undefined })).toMatchObject({
    piped: "",
    json: { plugins: [] },
    notices,
  });
  expect(await answers(installed, lab.app(), {})).toMatchObject({
    piped: "",
    json: { installed: [] },
    notices,
    exit: "ok",
  });
});

test("what was not checked is not called proven", async () => {
  using lab = new InstallLab();
  lab.publish("notes");
  await lab.install("notes");
  rmSync(lab.cosign);
  const { piped, notices, exit } = await answers(verify, lab.app(), { name: "notes" });
  expect(piped).toBe("notes\t1.0.0\tunchanged");
  expect(notices[0]).toStartWith("notes: the files are unchanged; the signature was not checked: cosign not found.");
  expect(exit).toBe("ok");
});
