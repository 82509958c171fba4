/** A store that somebody or something damaged: loud, by name and with the path, and never taken for an empty one. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { FlowHome } from "../lab/binary.ts";
import { pathWith, REAL_COSIGN } from "../lab/cosign.ts";
import { homeOf, refused } from "../lab/refusal.ts";

const SHA = "a".repeat(64);
/** Verbs that read or change what is installed. */
const VERBS = [
  ...["list", "installed", "info slack", "enable slack", "disable slack", "config slack", "doctor slack", "verify"],
  ...["install slack", "install discord", "upgrade", "upgrade slack", "pin slack@1.0.2", "pin --remove slack", "gc"],
  ...["uninstall slack"],
];

const base = new FlowHome();
beforeAll(async () => {
  expect(await base.fermix("plugins install slack")).toMatchObject({ code: 0 });
}, 60_000);
afterAll(() => base[Symbol.dispose]());

/** A home with Slack, to be spoiled. */
function copyOfBase(): FlowHome {
  const home = new FlowHome();
  cpSync(base.root, home.root, { recursive: true, verbatimSymlinks: true });
  return home;
}

async function answers(home: FlowHome, verbs: readonly string[]): Promise<Record<string, string>> {
  const seen: Record<string, string> = {};
  for (const verb of verbs) {
    const { code, stdout } = await home.fermix(`plugins ${verb} --json`);
    seen[verb] = `${code} ${JSON.parse(stdout).error?.code ?? "answered"}`;
  }
  return seen;
}

const all = (verbs: readonly string[], answer: string): Record<string, string> =>
  Object.fromEntries(verbs.map((verb) => [verb, answer]));

describe("INS-10/corrupt-record installed.json", () => {
  const shapes: readonly (readonly [what: string, text: string | Uint8Array])[] = [
    ["is empty", ""],
    ["was cut", '{"slack": {"version": "1.0.0", "sha256": "aaa'],
    ["is a list", "[]"],
    [
      "has a plugin twice",
      `{"slack":{"version":"1.0.0","sha256":"${SHA}"},"slack":{"version":"2.0.0","sha256":"${SHA}"}}`,
    ],
    ["names what is no plugin", `{"../../x":{"version":"1.0.0","sha256":"${SHA}"}}`],
    ["names what is no version", `{"slack":{"version":"../../x","sha256":"${SHA}"}}`],
    ["lacks a digest", '{"slack":{"version":"1.0.0"}}'],
    ["is binary", Buffer.from([0, 255, 0, 255])],
  ];
  for (const [what, text] of shapes) {
    test(`${what}: every verb exits 1 with its path, and leaves it for a person to look at`, async () => {
      using home = copyOfBase();
      const path = join(home.root, "plugins/installed.json");
      writeFileSync(path, text);
      const before = homeOf(home.root);
      const verbs = what === "was cut" ? VERBS : ["list", "install slack"];
      expect(await answers(home, verbs)).toEqual(all(verbs, "1 installed_record_corrupt"));
      expect(homeOf(home.root)).toEqual(before);
      const { message, fix } = await refused(home, "plugins list");
      expect([message, fix].every((words) => words.includes(path))).toBe(true);
    }, 60_000);
  }

  test("that is gone is made anew from what was proven, and nothing is lost", async () => {
    using home = copyOfBase();
    const before = readFileSync(join(home.root, "plugins/installed.json"), "utf8");
    rmSync(join(home.root, "plugins/installed.json"));
    expect((await home.fermix("plugins installed")).stdout).toBe("slack\t1.0.2\tready\n");
    expect(await home.fermix("plugins gc")).toMatchObject({ code: 0 });
    expect(readFileSync(join(home.root, "plugins/installed.json"), "utf8")).toBe(before);
  }, 60_000);

  test("that speaks of another version than the live one is put right, and what is not live is not believed", async () => {
    using home = copyOfBase();
    writeFileSync(join(home.root, "plugins/installed.json"), `{"slack":{"version":"7.7.7","sha256":"${SHA}"}}`);
    expect((await home.fermix("plugins installed")).stdout).toBe("slack\t1.0.2\tready\n");
    expect((await home.fermix("plugins verify")).stdout).toBe("slack\t1.0.2\tproven\n");
    const record = JSON.parse(readFileSync(join(home.root, "plugins/installed.json"), "utf8"));
    expect(record.slack).toMatchObject({ version: "1.0.2" });
  }, 60_000);
});

describe("INS-10/corrupt-lock", () => {
  const CHANGES = ["install slack --force", "uninstall slack", "pin slack@1.0.2"];
  const READS = ["list", "info slack"];
  for (const lock of [".lock", ".lock-slack"]) {
    for (const [what, text] of [
      ["garbage", "garbage"],
      ["a process that can't be", "1790000000000 0\n"],
      ["more than one line", `1790000000000 ${process.pid}\nmore`],
    ] as const) {
      if (lock === ".lock" && what !== "garbage") continue;
      test(`${lock} that holds ${what}: changes are refused with the command that helps, reading goes on`, async () => {
        using home = copyOfBase();
        const path = join(home.root, "plugins", lock);
        writeFileSync(path, text);
        const before = homeOf(home.root);
        expect(await answers(home, CHANGES)).toEqual(all(CHANGES, "1 lock_corrupt"));
        expect(await answers(home, READS)).toEqual(all(READS, "0 answered"));
        expect(homeOf(home.root)).toEqual(before);
        expect((await refused(home, "plugins uninstall slack")).fix).toContain(`rm ${JSON.stringify(path)}`);
        rmSync(path);
        expect(await home.fermix("plugins uninstall slack")).toMatchObject({ code: 0 });
      }, 60_000);
    }
  }

  test("an empty one may be about to be filled: it is waited for, then named", async () => {
    using home = copyOfBase();
    writeFileSync(join(home.root, "plugins/.lock-slack"), "");
    expect(await refused(home, "plugins install slack --force")).toMatchObject({ exit: 1, code: "lock_corrupt" });
  }, 60_000);
});

describe("a clock that went back", () => {
  const FUTURE = new Date("2999-01-01T00:00:00Z");
  const gone = Bun.spawnSync(["true"]).pid;

  test("locks of a dead process from the future, by their text and by the file's time, keep nobody out", async () => {
    using home = copyOfBase();
    for (const lock of [".lock", ".lock-slack"]) {
      const path = join(home.root, "plugins", lock);
      writeFileSync(path, `${FUTURE.getTime()} ${gone}\n`);
      utimesSync(path, FUTURE, FUTURE);
    }
    expect(await home.fermix("plugins install slack --force")).toMatchObject({ code: 0, stdout: "installed slack\n" });
    expect(Object.keys(homeOf(home.root)).filter((path) => path.includes("lock"))).toEqual([]);
  }, 60_000);

  test("what was verified in the future is loaded, proven and upgraded as ever", async () => {
    using home = copyOfBase();
    for (const name of ["installed.json", "installed/slack/.1.0.2.json"]) {
      const path = join(home.root, "plugins", name);
      writeFileSync(
        path,
        readFileSync(path, "utf8").replace(/"verified_at": "[^"]*"/, `"verified_at": "${FUTURE.toISOString()}"`),
      );
      utimesSync(path, FUTURE, FUTURE);
    }
    utimesSync(join(home.root, "plugins/installed/slack/1.0.2/plugin.json"), FUTURE, FUTURE);
    const before = homeOf(home.root);
    expect((await home.fermix("plugins installed")).stdout).toBe("slack\t1.0.2\tready\n");
    expect((await home.fermix("plugins verify")).stdout).toBe("slack\t1.0.2\tproven\n");
    expect((await home.fermix("plugins upgrade")).stdout).toBe("slack already up to date\n");
    expect(homeOf(home.root)).toEqual(before);
  }, 60_000);

  test("a cosign and caches from the future and from 1970 are proven anew, not refused", async () => {
    using home = copyOfBase();
    const bin = join(home.folder, "bin");
    const env = { PATH: pathWith(bin, `exec ${REAL_COSIGN} "$@"`) };
    for (const when of [FUTURE, new Date(0)]) {
      utimesSync(join(bin, "cosign"), when, when);
      utimesSync(join(home.root, "cache/cosign-self-test.json"), when, when);
      expect(await home.fermix("plugins install slack --force", { env })).toMatchObject({ code: 0 });
    }
  }, 60_000);
});

describe("files that are not what they should be", () => {
  const spoilt: readonly (readonly [what: string, spoil: (plugins: string) => void, verdict: string])[] = [
    [
      "a file was changed",
      (plugins) => writeFileSync(join(plugins, "installed/slack/1.0.2/skills/slack-plugin/SKILL.md"), "evil"),
      "installed_files_changed",
    ],
    [
      "a file was added",
      (plugins) => writeFileSync(join(plugins, "installed/slack/1.0.2/added"), ""),
      "installed_files_changed",
    ],
    [
      "a link was added",
      (plugins) => symlinkSync("/etc/passwd", join(plugins, "installed/slack/1.0.2/assets/link")),
      "installed_files_changed",
    ],
    ["the version is a link", (plugins) => asLink(join(plugins, "installed/slack/1.0.2")), "plugin_damaged"],
    ["current leads out", (plugins) => relink(join(plugins, "installed/slack/current"), "../../.."), "plugin_damaged"],
    ["current is a file", (plugins) => refile(join(plugins, "installed/slack/current")), "plugin_damaged"],
    ["the receipt is damaged", (plugins) => writeFileSync(join(plugins, "installed/slack/.1.0.2.json"), "{"), ""],
  ];
  function asLink(path: string): void {
    renameSync(path, join(path, "../../../../elsewhere"));
    symlinkSync("../../../elsewhere", path);
  }
  function relink(path: string, target: string): void {
    rmSync(path);
    symlinkSync(target, path);
  }
  function refile(path: string): void {
    rmSync(path);
    writeFileSync(path, "1.0.0");
  }

  for (const [what, spoil, verdict] of spoilt) {
    test(`${what}: verify says so, and install --force makes it whole`, async () => {
      using home = copyOfBase();
      spoil(join(home.root, "plugins"));
      const verified = await home.fermix("plugins verify slack --json");
      const [plugin] = JSON.parse(verified.stdout).plugins;
      const exit = { installed_files_changed: 5, plugin_damaged: 1 }[verdict] ?? 0;
      expect({ exit: verified.code, code: plugin.error?.code ?? "" }).toEqual({ exit, code: verdict });
      expect(await home.fermix("plugins install slack --force")).toMatchObject({
        code: 0,
        stdout: "installed slack\n",
      });
      expect(await home.fermix("plugins verify")).toMatchObject({ code: 0, stdout: "slack\t1.0.2\tproven\n" });
      const elsewhere = join(home.root, "elsewhere");
      if (existsSync(elsewhere)) expect(readdirSync(elsewhere)).toContain("plugin.json");
    }, 60_000);
  }

  const inTheWay: readonly (readonly [what: string, code: string, spoil: (plugins: string) => void])[] = [
    ["the installed folder is a link out of the store", "outside_store", (plugins) => linkOut(plugins, "installed")],
    [
      "the plugin's folder is a link out of the store",
      "outside_store",
      (plugins) => linkOut(plugins, "installed/slack"),
    ],
    ["the work folder is a link out of the store", "outside_store", (plugins) => linkOut(plugins, ".staging")],
    ["the installed folder is a file", "home_unusable", (plugins) => fileInstead(join(plugins, "installed"))],
    ["the work folder is a file", "home_unusable", (plugins) => fileInstead(join(plugins, ".staging"))],
    ["the cache is a file", "home_unusable", (plugins) => fileInstead(join(plugins, "../cache"))],
    ["the record is a folder", "home_unusable", (plugins) => folderInstead(join(plugins, "installed.json"))],
    ["the lock is a folder", "home_unusable", (plugins) => mkdirSync(join(plugins, ".lock-slack"))],
  ];
  function linkOut(plugins: string, name: string): void {
    const outside = join(plugins, "../../outside");
    renameSync(join(plugins, name), outside);
    writeFileSync(join(outside, "precious"), "mine");
    symlinkSync(outside, join(plugins, name));
  }
  function fileInstead(path: string): void {
    rmSync(path, { recursive: true });
    writeFileSync(path, "in the way");
  }
  function folderInstead(path: string): void {
    rmSync(path);
    mkdirSync(path);
  }

  for (const [what, code, spoil] of inTheWay) {
    test(`${what}: a reinstall is ${code}, and nothing in or out of the home changes`, async () => {
      using home = copyOfBase();
      spoil(join(home.root, "plugins"));
      const outside = homeOf(join(home.folder, "outside"));
      const error = await refused(home, "plugins install slack --force");
      expect({ code: error.code, exit: error.exit }).toEqual({ code, exit: code === "outside_store" ? 5 : 1 });
      expect(homeOf(join(home.folder, "outside"))).toEqual(outside);
    }, 60_000);
  }
});
