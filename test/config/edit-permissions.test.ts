/** What an unprivileged user may not touch is named and left alone; run as one even when the tests run as root. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { snapshotTree } from "../expect.ts";

const SRC = join(import.meta.dirname, "../../src");
const NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "fermix-permissions-"));
  writeFileSync(join(root, "config.toml"), "# mine\n");
  chmodSync(join(root, "config.toml"), 0o644);
  chmodSync(root, 0o777);
});

afterEach(() => {
  chmodSync(root, 0o700);
  rmSync(root, { recursive: true });
});

/** Enables a plugin as that user; the code and reason of the refusal, or "done". */
function enable(): string {
  const script = `
    import { enableInConfig } from ${JSON.stringify(`${SRC}/config/edit.ts`)};
    import { homeAt } from ${JSON.stringify(`${SRC}/files/home.ts`)};
    import { systemClock } from ${JSON.stringify(`${SRC}/system/clock.ts`)};
    await enableInConfig({ clock: systemClock() }, homeAt(${JSON.stringify(root)}), "notes").then(
      () => console.log("done"),
      (error) => console.log(error.code, error.details?.reason),
    );`;
  const prefix = process.getuid?.() === 0 ? NOBODY : [];
  const run = Bun.spawnSync({
    cmd: [...prefix, process.execPath, "-e", script],
    cwd: "/",
    env: { HOME: "/nonexistent", PATH: process.env["PATH"] },
  });
  return run.stdout.toString().trim() || run.stderr.toString();
}

function refuses(path: string, mode: number): void {
  const before = snapshotTree(root);
  chmodSync(path, mode);
  expect(enable()).toBe("home_unusable permission denied");
  chmodSync(root, 0o755);
  chmodSync(join(root, "config.toml"), 0o644);
  expect(snapshotTree(root)).toEqual(before);
}

test("a file that is read-only is not replaced behind its owner's back", () => {
  refuses(join(root, "config.toml"), 0o444);
});

test("a file that cannot be read", () => {
  refuses(join(root, "config.toml"), 0o000);
});

test("a home in which nothing can be made", () => {
  refuses(root, 0o555);
});

test("the same user may edit what is theirs to edit", () => {
  chmodSync(join(root, "config.toml"), 0o666);
  expect(enable()).toBe("done");
});
