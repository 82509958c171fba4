/** Homes and config files that are not what they should be: named, with the path, and left as they were. */
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FlowHome } from "../lab/binary.ts";
import { smallDiskMissing } from "../lab/mounts.ts";
import { homeOf, refused } from "../lab/refusal.ts";

const missing = smallDiskMissing();
if (missing !== undefined) console.warn(`not run: ${missing} is missing`);

/** Every verb of `fermix plugins` that works on a home, and the commands that load plugins. */
const VERBS = [
  ...["list", "installed", "catalog", "info slack", "install slack", "upgrade", "upgrade slack", "pin slack@1.0.2"],
  ...["pin --remove slack", "uninstall slack", "gc", "verify", "enable slack", "disable slack", "reload"],
  ...["config slack", "config set slack KEY value", "doctor slack"],
].map((verb) => `plugins ${verb}`);
const LOADERS = ["prompt", "capabilities", "call slack_search --args {}"];

/** What each of these commands answers, as `exit code`. */
async function answersTo(home: FlowHome, commands: readonly string[], env = {}): Promise<Record<string, string>> {
  const seen: Record<string, string> = {};
  for (const words of commands) {
    const { code, stdout } = await home.fermix(`${words} --json`, { env });
    seen[words] = `${code} ${JSON.parse(stdout).error?.code ?? "answered"}`;
  }
  return seen;
}

const all = (commands: readonly string[], answer: string): Record<string, string> =>
  Object.fromEntries(commands.map((words) => [words, answer]));

describe("FERMIX_HOME", () => {
  const unusable: readonly (readonly [what: string, place: (folder: string) => string])[] = [
    ["is a file", (folder) => made(folder, "file")],
    ["lies below a file", (folder) => join(made(folder, "file"), "home")],
    ["has a name of 300 letters", (folder) => join(folder, "x".repeat(300))],
    ["is a link that goes in a circle", (folder) => circle(join(folder, "circle"))],
  ];
  function made(folder: string, name: string): string {
    writeFileSync(join(folder, name), "mine");
    return join(folder, name);
  }
  function circle(path: string): string {
    symlinkSync(path, path);
    return path;
  }

  for (const [what, place] of unusable) {
    test(`${what}: every command says home_unusable, exits 1 and names the path`, async () => {
      using home = new FlowHome();
      const root = place(home.folder);
      const before = readdirSync(home.folder);
      const commands =
        what === "is a file" ? [...VERBS, ...LOADERS] : ["plugins list", "plugins gc", "plugins install slack"];
      expect(await answersTo(home, commands, { FERMIX_HOME: root })).toEqual(all(commands, "1 home_unusable"));
      const { message } = await refused(home, "plugins gc", { env: { FERMIX_HOME: root } });
      expect(message).toContain(root.slice(0, 100));
      const doctor = await home.fermix("plugins doctor --json", { env: { FERMIX_HOME: root } });
      expect({ code: doctor.code, check: JSON.parse(doctor.stdout).checks[0] }).toMatchObject({
        code: 1,
        check: { name: "home", doctor: "error" },
      });
      expect(readdirSync(home.folder)).toEqual(before);
      if (existsSync(join(home.folder, "file"))) expect(readFileSync(join(home.folder, "file"), "utf8")).toBe("mine");
    }, 60_000);
  }

  test("on any path that a file system allows, a plugin is installed, run, verified and uninstalled", async () => {
    using home = new FlowHome(`a home, with späces 日本語 "q' #?%20&;$HOME \n-`);
    const vault = join(home.folder, "vault #1 ö");
    mkdirSync(vault);
    writeFileSync(join(vault, "note.md"), "# A note\n");
    expect(await home.fermix("plugins install obsidian")).toMatchObject({ code: 0 });
    const set = await home.fermix(["plugins", "config", "set", "obsidian", "OBSIDIAN_VAULT_PATH", vault]);
    expect(set).toMatchObject({ code: 0 });
    expect(await home.fermix("plugins enable obsidian")).toMatchObject({ code: 0 });
    const called = await home.fermix(["call", "obsidian_read_note", "--args", '{"path":"note.md"}']);
    expect(called).toMatchObject({ code: 0 });
    expect(called.stdout).toContain("A note");
    expect(await home.fermix("plugins verify")).toMatchObject({ code: 0, stdout: "obsidian\t1.0.0\tproven\n" });
    expect(await home.fermix("plugins uninstall obsidian")).toMatchObject({ code: 0 });
    expect(readdirSync(home.folder).sort()).toEqual(
      ["user", "vault #1 ö", home.root.slice(home.folder.length + 1)].sort(),
    );
  }, 60_000);

  test("a relative one is taken from where Fermix was started; a link to a folder is followed", async () => {
    using home = new FlowHome();
    expect(await home.fermix("plugins install slack", { env: { FERMIX_HOME: "./home" } })).toMatchObject({ code: 0 });
    symlinkSync(home.root, join(home.folder, "link"));
    const env = { FERMIX_HOME: join(home.folder, "link") };
    expect(await home.fermix("plugins verify", { env })).toMatchObject({ code: 0, stdout: "slack\t1.0.2\tproven\n" });
    expect(await home.fermix("plugins uninstall slack", { env })).toMatchObject({ code: 0 });
  }, 60_000);
});

describe("config.toml", () => {
  const text = (...lines: readonly string[]): string => `${lines.join("\n")}\n`;
  const broken: readonly (readonly [
    what: string,
    config: string | Uint8Array,
    line: number,
    key: string | undefined,
  ])[] = [
    ["is no TOML", text("# mine", "[fermix_core", "x = 1"), 2, undefined],
    ["has a key twice", text("[fermix_core.plugins]", "enabled = []", "enabled = []"), 3, undefined],
    [
      "has a list that is a text",
      text("", "[fermix_core.plugins]", 'enabled = "slack"'),
      3,
      "fermix_core.plugins.enabled",
    ],
    [
      "lists what is no name",
      text("[fermix_core.plugins]", "enabled = [", '  "../../x",', "]"),
      2,
      "fermix_core.plugins.enabled.0",
    ],
    ["has a table that is a number", text("[fermix_core]", "plugins = 7"), 2, "fermix_core.plugins"],
    [
      "has a plugin's value that is a list",
      text("[fermix_core.plugins.slack]", "A = 1", "KEY = [1]"),
      3,
      "fermix_core.plugins.slack.KEY",
    ],
    ["is not UTF-8", Buffer.from("# na\xefve\n", "latin1"), 1, undefined],
  ];

  for (const [what, config, line, key] of broken) {
    test(`${what}: every command names file, line and key, exits 1, and leaves it alone`, async () => {
      using home = new FlowHome();
      mkdirSync(home.root);
      const path = join(home.root, "config.toml");
      writeFileSync(path, config);
      const commands = ["plugins list", "plugins install slack", "plugins enable slack", "plugins gc", ...LOADERS];
      const seen: Record<string, unknown> = {};
      for (const words of commands) {
        const error = await refused(home, words);
        seen[words] = [
          error.exit,
          error.code,
          error.details["path"],
          error.details["line"],
          key === undefined ? undefined : error.details["key"],
        ];
        expect(error.message).toStartWith(`${path}:${line}`);
      }
      const expected = [1, "config_invalid", path, line, key];
      expect(seen).toEqual(Object.fromEntries(commands.map((words) => [words, expected])));
    }, 60_000);
  }

  test("that is broken stops every verb by name", async () => {
    using home = new FlowHome();
    expect(await home.fermix("plugins install slack")).toMatchObject({ code: 0 });
    writeFileSync(join(home.root, "config.toml"), "[fermix_core\n");
    const before = homeOf(home.root);
    expect(await answersTo(home, VERBS)).toEqual(all(VERBS, "1 config_invalid"));
    expect(homeOf(home.root)).toEqual(before);
  }, 60_000);

  const kinds: readonly (readonly [what: string, make: (path: string) => void])[] = [
    ["a folder", (path) => mkdirSync(path)],
    ["a pipe, which would never end", (path) => void Bun.spawnSync(["mkfifo", path])],
    ["a link in a circle", (path) => symlinkSync("config.toml", path)],
  ];
  for (const [what, make] of kinds) {
    test(`that is ${what}: home_unusable for reading and for changing`, async () => {
      using home = new FlowHome();
      mkdirSync(home.root);
      const path = join(home.root, "config.toml");
      make(path);
      for (const words of ["plugins list", "plugins enable gmail", "plugins disable gmail"]) {
        const error = await refused(home, words, { through: ["timeout", "20"] });
        expect({ words, exit: error.exit, code: error.code, path: error.details["path"] }).toEqual({
          words,
          exit: 1,
          code: "home_unusable",
          path,
        });
      }
    }, 60_000);
  }

  test("that leads elsewhere is edited where it is, and stays a link", async () => {
    using home = new FlowHome();
    mkdirSync(home.root);
    const kept = join(home.folder, "user/kept.toml");
    writeFileSync(kept, "# mine\n");
    symlinkSync(kept, join(home.root, "config.toml"));
    expect(await home.fermix("plugins enable gmail")).toMatchObject({ code: 0 });
    expect(homeOf(home.root)["config.toml"]).toBe(`link:${kept}`);
    expect(readFileSync(kept, "utf8")).toStartWith("# mine\n");
    expect(readFileSync(kept, "utf8")).toContain('enabled = ["gmail"]');
    expect(readdirSync(join(home.folder, "user"))).toEqual(["kept.toml"]);
  }, 30_000);

  describe.if(missing === undefined)("that may not be replaced", () => {
    /** A home that belongs to nobody, where config.toml is someone else's or read-only. */
    function homeOfNobody(owner: string, mode: string): FlowHome {
      const home = new FlowHome();
      mkdirSync(home.root);
      writeFileSync(join(home.root, "config.toml"), "# kept\n");
      Bun.spawnSync(["chmod", "755", home.folder]);
      Bun.spawnSync(["chown", "-R", "65534:65534", home.root]);
      Bun.spawnSync(["chown", owner, join(home.root, "config.toml")]);
      Bun.spawnSync(["chmod", mode, join(home.root, "config.toml")]);
      return home;
    }
    for (const [what, owner, mode] of [
      ["because it is another user's", "0:0", "644"],
      ["because it is marked read-only", "65534:65534", "444"],
    ] as const) {
      test(what, async () => {
        using home = homeOfNobody(owner, mode);
        const through = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
        expect(await home.fermix("plugins list", { through })).toMatchObject({ code: 0 });
        for (const words of ["plugins enable gmail", "plugins disable gmail"]) {
          const error = await refused(home, words, { through });
          expect({ words, exit: error.exit, code: error.code }).toEqual({ words, exit: 1, code: "home_unusable" });
          expect(error.message).toContain("config.toml");
        }
      }, 30_000);
    }

    test("because it is a mount of its own, as in a container", async () => {
      using home = new FlowHome();
      mkdirSync(home.root);
      const path = join(home.root, "config.toml");
      writeFileSync(path, "# inside\n");
      const outside = join(home.folder, "user/outside.toml");
      writeFileSync(outside, "# outside\n");
      const through = ["unshare", "-m", "sh", "-c", 'mount --bind "$0" "$1" && shift && exec "$@"', outside, path];
      expect(await home.fermix("plugins list", { through })).toMatchObject({ code: 0 });
      const error = await refused(home, "plugins enable gmail", { through });
      expect({ exit: error.exit, code: error.code }).toEqual({ exit: 1, code: "home_unusable" });
      expect(error.message).toContain("config.toml");
      expect(readFileSync(outside, "utf8")).toBe("# outside\n");
    }, 30_000);
  });
});
