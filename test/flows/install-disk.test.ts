/** Installs where the disk says no: full, read-only, or not ours. The answer has a name and the disk is as it was. */
import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, statfsSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { snapshotTree } from "../expect.ts";
import { FlowHome } from "../lab/binary.ts";
import { SmallDisk, smallDiskMissing } from "../lab/mounts.ts";

const missing = smallDiskMissing();
if (missing !== undefined) console.warn(`not run: ${missing} is missing`);

/** Files and links without the caches: an empty folder and a remembered probe are no trace of an install. */
function content(root: string): Record<string, string> {
  const seen = Object.entries(snapshotTree(root)).filter(([path]) => !path.startsWith("cache/"));
  return Object.fromEntries(seen.filter(([, kind]) => kind !== "folder"));
}

describe.if(missing === undefined)("on a small disk", () => {
  test("a full disk: at whatever step it fills up, the error is disk_full and nothing is left", async () => {
    using home = new FlowHome("home ünïcode");
    mkdirSync(home.root);
    using disk = await SmallDisk.over(home.root, 512);
    expect((await home.fermix("plugins install slack", { through: disk.through })).code).toBe(0);
    const filler = join(disk.seen, "filler");
    writeFileSync(filler, "");
    const codes = new Set<string>();
    for (const freeKib of [0, 4, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96]) {
      fill(filler, disk.seen, freeKib);
      const before = content(disk.seen);
      const answer = await home.fermix("plugins install obsidian --json", { through: disk.through });
      if (answer.code === 0) break;
      const { error } = JSON.parse(answer.stdout);
      codes.add(error.code);
      expect({ freeKib, code: error.code, exit: answer.code }).toEqual({ freeKib, code: "disk_full", exit: 1 });
      expect({ freeKib, after: content(disk.seen) }).toEqual({ freeKib, after: before });
    }
    expect([...codes]).toEqual(["disk_full"]);
    truncateSync(filler, 0);
    expect((await home.fermix("plugins install obsidian", { through: disk.through })).code).toBe(0);
  }, 120_000);

  test("a read-only home: changes are refused by name, what is installed can still be listed", async () => {
    using home = new FlowHome();
    mkdirSync(home.root);
    using disk = await SmallDisk.over(home.root, 1024);
    expect((await home.fermix("plugins install slack", { through: disk.through })).code).toBe(0);
    const before = snapshotTree(disk.seen);
    disk.readOnly(true);
    for (const verb of ["install obsidian", "install slack --force", "uninstall slack", "pin slack@1.0.0"]) {
      const answer = await home.fermix(`plugins ${verb} --json`, { through: disk.through });
      expect({ verb, code: JSON.parse(answer.stdout).error?.code, exit: answer.code }).toEqual({
        verb,
        code: "home_unusable",
        exit: 1,
      });
      expect(answer.stdout).toContain("read-only");
    }
    const list = await home.fermix("plugins installed", { through: disk.through });
    expect(list).toMatchObject({ code: 0, stdout: "slack\t1.0.0\tready\n" });
    expect(snapshotTree(disk.seen)).toEqual(before);
  }, 60_000);

  test("a home of another user is refused by name and left alone", async () => {
    using home = new FlowHome();
    expect((await home.fermix("plugins install slack")).code).toBe(0);
    for (const folder of [home.folder, home.root, join(home.root, "plugins")]) chmodSync(folder, 0o755);
    const before = snapshotTree(home.root);
    const through = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
    const answer = await home.fermix("plugins install obsidian --json", { through });
    expect({ code: JSON.parse(answer.stdout).error?.code, exit: answer.code }).toEqual({
      code: "home_unusable",
      exit: 1,
    });
    expect(snapshotTree(home.root)).toEqual(before);
  }, 60_000);
});

/** Grows the filler until this many KiB are free. */
function fill(filler: string, disk: string, freeKib: number): void {
  truncateSync(filler, 0);
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - freeKib * 1024)));
}
