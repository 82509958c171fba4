/** A fault under dev_local makes every plugins verb exit 1 with the path and the fix (DECISIONS 10). */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { catalog } from "../../../src/cli/plugins/catalog.ts";
import { config } from "../../../src/cli/plugins/config.ts";
import { configSet } from "../../../src/cli/plugins/config-set.ts";
import { disable } from "../../../src/cli/plugins/disable.ts";
import { doctor } from "../../../src/cli/plugins/doctor.ts";
import { enable } from "../../../src/cli/plugins/enable.ts";
import { gc } from "../../../src/cli/plugins/gc.ts";
import { info } from "../../../src/cli/plugins/info.ts";
import { installed } from "../../../src/cli/plugins/installed.ts";
import { list } from "../../../src/cli/plugins/list.ts";
import { pin } from "../../../src/cli/plugins/pin.ts";
import { reload } from "../../../src/cli/plugins/reload.ts";
import { verify } from "../../../src/cli/plugins/verify.ts";
import type { FermixCode } from "../../../src/kernel/codes.ts";
import { isFermixError } from "../../../src/kernel/error.ts";
import type { App } from "../../../src/plugins/app.ts";
import { upgradeAll, upgradePlugin } from "../../../src/plugins/upgrade.ts";
import { snapshotTree } from "../../expect.ts";
import { noteManifest, PluginLab, TRIO } from "../../plugins/lab.ts";
import { answers } from "./answers.ts";

const name = "notes";
const verbs: Readonly<Record<string, (app: App) => Promise<unknown>>> = {
  list: (app) => list.run(app, {}),
  catalog: (app) => catalog.run(app, {}),
  installed: (app) => installed.run(app, {}),
  info: (app) => info.run(app, { name }),
  enable: (app) => enable.run(app, { name }),
  disable: (app) => disable.run(app, { name }),
  reload: (app) => reload.run(app, {}),
  config: (app) => config.run(app, { name }),
  "config set": (app) => configSet.run(app, { name, key: "FOLDER", value: "x" }),
  "doctor NAME": (app) => doctor.run(app, { name, full: false }),
  upgrade: (app) => upgradeAll(app),
  "upgrade NAME": (app) => upgradePlugin(app, name),
  verify: (app) => verify.run(app, { name: undefined }),
  gc: (app) => gc.run(app, {}),
  "pin --remove": (app) => pin.run(app, { plugin: name, remove: true }),
};

const faults: readonly (readonly [string, FermixCode, (lab: PluginLab) => string])[] = [
  ["a folder that is not there", "dev_local_unreadable", (lab) => lab.author],
  [
    "a bad manifest",
    "dev_local_invalid",
    (lab) => join(lab.authored(noteManifest("bad", { version: "x" })), "plugin.json"),
  ],
  ["a name that is taken", "dev_local_clash", (lab) => lab.authored(noteManifest("gmail"))],
];

for (const [title, code, break_] of faults) {
  for (const [verb, run] of Object.entries(verbs)) {
    test(`DEV-1/loud-failures: ${title}: ${verb} exits 1, names the path and the fix, and changes nothing`, async () => {
      using lab = new PluginLab({ bundled: TRIO });
      lab.installed(noteManifest(name));
      const path = break_(lab);
      lab.devLocal();
      const before = snapshotTree(lab.folder);
      const error = await run(lab.app).catch((cause: unknown) => cause);
      if (!isFermixError(error, code)) throw new Error(`expected ${code}, saw ${String(error)}`);
      expect(error.exit).toBe("failed");
      expect(error.message).toContain(path);
      expect(error.fix).toContain("dev_local");
      expect(snapshotTree(lab.folder)).toEqual(before);
    });
  }

  test(`${title}: doctor shows it as a row and exits 1`, async () => {
    using lab = new PluginLab({ bundled: TRIO });
    const path = break_(lab);
    lab.devLocal();
    const { piped, exit } = await answers(doctor, lab.app, { name: undefined, full: false });
    const row = piped.split("\n").find((line) => line.startsWith("plugins\terror\t"));
    expect(row).toContain(path);
    expect(exit).toBe("failed");
  });
}
