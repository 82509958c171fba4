/** An auth.json that is too large, cut off, or another user's: named by every verb, and left as it was or put aside whole. */
import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FlowHome } from "../lab/binary.ts";
import { smallDiskMissing } from "../lab/mounts.ts";
import { refused } from "../lab/refusal.ts";

const missing = smallDiskMissing();
if (missing !== undefined) console.warn(`not run: ${missing} is missing`);

describe("auth.json", () => {
  const MAX_BYTES = 8 * 1024 * 1024;
  const FILE = '{"version":2,"providers":{"gmail:primary":{"tokens":{"access_token":"kept-access-token"}}}}';
  /** Every verb that reads or changes sign-ins; one that signs in must find out before it asks for anything. */
  const USERS = [
    ...["auth status", "auth logout --provider xai", "auth login --provider anthropic --setup-token --stdin"],
    ...["plugins auth login gmail --no-browser", "plugins auth refresh gmail", "plugins auth logout gmail"],
  ];

  function homeWith(place: (path: string) => void): FlowHome {
    const home = new FlowHome();
    mkdirSync(home.root, { mode: 0o700 });
    const client = '[fermix_core.oauth.google]\nclient_id = "id"\nclient_secret = "lab"\n';
    writeFileSync(join(home.root, "config.toml"), `[fermix_core.plugins]\nenabled = ["gmail"]\n${client}`);
    place(join(home.root, "auth.json"));
    return home;
  }

  async function refusesAll(home: FlowHome, code: string, reason: RegExp, through: readonly string[] = []) {
    const path = join(home.root, "auth.json");
    const before = statSync(path);
    for (const words of USERS) {
      const { code: exit, stdout } = await home.fermix(`${words} --json`, { through, input: "sk-ant-oat01-unused" });
      const { error } = JSON.parse(stdout);
      expect({ words, exit, code: error.code, path: error.details.path }).toEqual({ words, exit: 1, code, path });
      expect(error.message).toMatch(reason);
    }
    const listed = await home.fermix("plugins list", { through });
    expect({ code: listed.code, stdout: listed.stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("gmail\terror\t"),
    });
    // It is wrong with all three plugins of Google, and told once.
    expect((await home.fermix("plugins auth status", { through })).stderr).toMatch(/^[^\n]+ Fix: [^\n]+\n$/);
    const doctor = await home.fermix("doctor --json", { through });
    const row = JSON.parse(doctor.stdout).checks.find(({ name }: { name: string }) => name === "auth file mode");
    expect({ code: doctor.code, level: row.level, detail: row.detail }).toEqual({
      code: 1,
      level: "fail",
      detail: expect.stringMatching(reason),
    });
    const { ino, size, mtimeMs, uid } = statSync(path);
    expect({ ino, size, mtimeMs, uid }).toEqual({
      ino: before.ino,
      size: before.size,
      mtimeMs: before.mtimeMs,
      uid: before.uid,
    });
    expect(readdirSync(home.root).filter((name) => name.startsWith("auth.json"))).toEqual(["auth.json"]);
  }

  test("of the largest size that is read, one byte more, and a size that no machine could read", async () => {
    using home = homeWith((path) => writeFileSync(path, FILE.padEnd(MAX_BYTES, " "), { mode: 0o600 }));
    expect((await home.fermix("plugins auth status gmail")).stdout).toBe("gmail\tready\t-\n");
    for (const bytes of [MAX_BYTES + 1, 2 ** 40]) {
      truncateSync(join(home.root, "auth.json"), bytes);
      await refusesAll(home, "auth_file_unusable", /larger than 8388608 bytes/);
    }
    truncateSync(join(home.root, "auth.json"), 0);
  }, 60_000);

  test("that is cut off is put aside by the first that would change it, whole, and named by every other", async () => {
    using home = homeWith((path) => writeFileSync(path, FILE.slice(0, -2), { mode: 0o600 }));
    expect(await refused(home, "auth status")).toMatchObject({ exit: 1, code: "auth_file_malformed" });
    const changing = await home.fermix("plugins auth logout gmail --json");
    const { code, details } = JSON.parse(changing.stdout).error;
    expect([changing.code, code, readdirSync(home.root).includes("auth.json")]).toEqual([
      1,
      "auth_file_malformed",
      false,
    ]);
    expect(readFileSync(details.backup, "utf8")).toBe(FILE.slice(0, -2));
    expect(statSync(details.backup).mode & 0o777).toBe(0o600);
  }, 60_000);

  describe.if(missing === undefined)("of another user", () => {
    const NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
    for (const [what, owner, mode, code, reason, through] of [
      [
        "which root could read and would take away from them",
        "65534:65534",
        "600",
        "auth_file_unusable",
        /another user/,
        [],
      ],
      ["which everybody may read", "0:0", "644", "auth_file_unusable", /belongs to another user/, NOBODY],
      [
        "which nobody else may read",
        "0:0",
        "600",
        "home_unusable",
        /may not be touched|permission|not allowed/i,
        NOBODY,
      ],
    ] as const) {
      test(what, async () => {
        using home = homeWith((path) => writeFileSync(path, FILE, { mode: 0o600 }));
        Bun.spawnSync(["chmod", "755", home.folder]);
        if (through.length > 0) Bun.spawnSync(["chown", "-R", "65534:65534", home.root]);
        Bun.spawnSync(["chown", owner, join(home.root, "auth.json")]);
        Bun.spawnSync(["chmod", mode, join(home.root, "auth.json")]);
        await refusesAll(home, code, reason, through);
        expect(readFileSync(join(home.root, "auth.json"), "utf8")).toBe(FILE);
      }, 60_000);
    }
  });
});
