/** Where the disk says no to any verb: full to the last block, read-only, unreadable in part, on two file systems. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, cpSync, mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FlowHome } from "../lab/binary.ts";
import { SmallDisk, smallDiskMissing } from "../lab/mounts.ts";
import { homeOf, refused } from "../lab/refusal.ts";

const missing = smallDiskMissing();
if (missing !== undefined) console.warn(`not run: ${missing} is missing`);

const NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];

/** Verbs that change something in a home with Slack installed and enabled. */
const CHANGES = [
  ...["install obsidian", "install slack --force", "enable obsidian", "disable slack", "pin slack@1.0.2"],
  ...["uninstall slack"],
];
/** Verbs that only read; none of them may need to write. */
const READS = ["list", "installed", "catalog", "info slack", "config slack", "upgrade"];

const base = new FlowHome();
beforeAll(async () => {
  expect(await base.fermix("plugins install slack")).toMatchObject({ code: 0 });
  expect(await base.fermix("plugins enable slack")).toMatchObject({ code: 0 });
}, 60_000);
afterAll(() => base[Symbol.dispose]());

function copyOfBase(to: string): void {
  cpSync(base.root, to, { recursive: true, verbatimSymlinks: true });
}

describe.if(missing === undefined)("a disk that is full", () => {
  /** Leaves this many KiB. */
  function fillUpTo(disk: SmallDisk, freeKib: number): void {
    const filler = join(disk.seen, "filler");
    writeFileSync(filler, "");
    const { bavail, bsize } = statfsSync(disk.seen);
    writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - freeKib * 1024)));
  }

  for (const words of ["plugins install obsidian", "plugins install slack --force"]) {
    test(`${words}: refused as disk_full block by block, until it fits, and never half done`, async () => {
      using home = new FlowHome();
      mkdirSync(home.root);
      using disk = await SmallDisk.over(home.root, 768);
      copyOfBase(disk.seen);
      const free = [0, 16, 24, 32, 40, 48, 52, 56, 60, 64, 68, 72, 76, 80, 84, 88, 92, 96];
      for (const kib of free) {
        fillUpTo(disk, kib);
        const before = homeOf(disk.seen);
        const { code, stdout } = await home.fermix(`${words} --json`, { through: disk.through });
        if (code === 0) {
          rmSync(join(disk.seen, "filler"));
          expect(await home.fermix("plugins verify", { through: disk.through })).toMatchObject({ code: 0 });
          return;
        }
        const after = homeOf(disk.seen);
        const told = { kib, code, error: JSON.parse(stdout).error.code, after };
        expect(told).toEqual({ kib, code: 1, error: "disk_full", after: before });
      }
      throw new Error("it never fitted");
    }, 60_000);
  }

  test("every other change is refused as disk_full too; what needs no space still works", async () => {
    using home = new FlowHome();
    mkdirSync(home.root);
    using disk = await SmallDisk.over(home.root, 768);
    copyOfBase(disk.seen);
    fillUpTo(disk, 0);
    const before = homeOf(disk.seen);
    for (const verb of CHANGES) {
      const { code, stdout } = await home.fermix(`plugins ${verb} --json`, { through: disk.through });
      const told = { verb, code, error: JSON.parse(stdout).error?.code, after: homeOf(disk.seen) };
      expect(told).toEqual({ verb, code: 1, error: "disk_full", after: before });
    }
    for (const verb of READS) {
      expect({ verb, ...(await home.fermix(`plugins ${verb}`, { through: disk.through })) }).toMatchObject({
        verb,
        code: 0,
      });
    }
  }, 60_000);
});

describe.if(missing === undefined)("a home that may be read only", () => {
  test("a read-only bind mount: changes are refused by name, everything else works", async () => {
    using home = new FlowHome();
    copyOfBase(home.root);
    const script = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"';
    const through = ["unshare", "-m", "sh", "-c", script, home.root];
    for (const verb of CHANGES) {
      const error = await refused(home, `plugins ${verb}`, { through });
      expect({ verb, exit: error.exit, code: error.code }).toEqual({ verb, exit: 1, code: "home_unusable" });
      expect(error.message).toContain("read-only");
    }
    const before = homeOf(home.root);
    for (const verb of READS) {
      expect({ verb, ...(await home.fermix(`plugins ${verb}`, { through })) }).toMatchObject({ verb, code: 0 });
    }
    for (const words of ["prompt", "capabilities", "--version", "--help"]) {
      expect({ words, ...(await home.fermix(words, { through })) }).toMatchObject({ words, code: 0 });
    }
    const hello = {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "flow", version: "1" } },
    };
    const served = await home.fermix("mcp serve", { through, input: `${JSON.stringify(hello)}\n` });
    expect(JSON.parse(served.stdout.split("\n")[0] ?? "").result.serverInfo.name).toBe("fermix");
    expect(homeOf(home.root)).toEqual(before);
  }, 60_000);

  test("a store that spans two file systems is refused by name, and what was live stays live", async () => {
    using home = new FlowHome();
    copyOfBase(home.root);
    const staging = join(home.root, "plugins/.staging");
    using disk = await SmallDisk.over(staging, 768);
    for (const words of ["plugins install obsidian", "plugins install slack --force", "plugins uninstall slack"]) {
      const error = await refused(home, words, { through: disk.through });
      expect({ words, exit: error.exit, code: error.code }).toEqual({
        words,
        exit: 1,
        code: "plugins_dir_spans_filesystems",
      });
    }
    expect(await home.fermix("plugins verify", { through: disk.through })).toMatchObject({ code: 0 });
  }, 60_000);
});

describe.if(missing === undefined)("a home in which something may not be touched by its user", () => {
  const places = [
    ...[".", "plugins/installed", "plugins/installed/slack", "plugins/installed/slack/1.0.2", "plugins/.staging"],
    ...["plugins/installed.json", "config.toml", "cache"],
  ];
  for (const place of places) {
    test(`${place}: whatever fails has a name, and changes nothing`, async () => {
      using home = new FlowHome();
      chmodSync(home.folder, 0o755);
      copyOfBase(home.root);
      Bun.spawnSync(["chown", "-R", "65534:65534", home.root]);
      const before = homeOf(home.root);
      chmodSync(join(home.root, place), 0o000);
      for (const verb of ["list", "info slack", "verify", "gc", "doctor slack", ...CHANGES]) {
        const { code, stdout } = await home.fermix(`plugins ${verb} --json`, { through: NOBODY });
        const error = JSON.parse(stdout).error?.code;
        expect({ verb, code, error }).not.toMatchObject({ error: "internal" });
        // A cache or a folder that a verb has no use for may be closed to it.
        if (code === 0 && CHANGES.includes(verb)) break;
        if (code !== 0 && CHANGES.includes(verb))
          expect({ verb, after: homeOf(home.root) }).toEqual({ verb, after: before });
      }
    }, 60_000);
  }
});
