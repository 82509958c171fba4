import { expect, test } from "bun:test";
import { gc } from "../../../src/cli/plugins/gc.ts";
import { holdVersion } from "../../../src/store/hold.ts";
import { InstallLab } from "../../plugins/install-lab.ts";
import { answers } from "./answers.ts";

test("says what it removed and what it left", async () => {
  using lab = new InstallLab();
  for (const version of ["1.0.0", "1.1.0", "1.2.0", "1.3.0"]) {
    lab.publish("notes", { version });
    await lab.install("notes");
  }
  holdVersion(lab.home, "notes" as never, "1.1.0" as never);
  expect(await answers(gc, lab.app(), {})).toEqual({
    terminal: "gc complete",
    piped: "gc complete",
    json: {
      gc: "ok",
      removed: [{ name: "notes", version: "1.0.0" }],
      held: [{ name: "notes", version: "1.1.0" }],
      busy: [],
    },
    notices: ["removed notes 1.0.0", "kept notes 1.1.0: a running Fermix is using it"],
    exit: "ok",
  });
});

test("a home without a store has nothing to collect and gets no store", async () => {
  using lab = new InstallLab();
  expect(await answers(gc, lab.app(), {})).toMatchObject({ piped: "gc complete", notices: [] });
  expect(lab.disk()).toEqual({});
});
