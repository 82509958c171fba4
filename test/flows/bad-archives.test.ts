/** Hostile packages, each validly signed, on the compiled binary with the real cosign: refused whole, by name, home unchanged. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { FlowHome } from "../lab/binary.ts";
import { type HostileArchive, hostileArchives } from "../lab/hostile/archives.ts";
import { hostileBinary } from "../lab/hostile/binary.ts";
import { homeOf, inLanes, refused } from "../lab/refusal.ts";

describe("a hostile package is refused whole, and the home is as it was", () => {
  const lanes = [new FlowHome(), new FlowHome(), new FlowHome()];
  const [first] = lanes as [FlowHome, ...FlowHome[]];
  let binary: string;
  beforeAll(async () => {
    binary = await hostileBinary();
    const installed = lanes.map((home) => home.fermix("plugins install victim@1.0.0", { binary }));
    expect((await Promise.all(installed)).map(({ code }) => code)).toEqual([0, 0, 0]);
  }, 120_000);
  afterAll(() => {
    for (const home of lanes) home[Symbol.dispose]();
  });

  async function tryAll(packages: readonly HostileArchive[]): Promise<Record<string, unknown>> {
    const seen: Record<string, unknown> = {};
    await inLanes(lanes, packages, async (home, { name, what }) => {
      const { exit, code, details, fix } = await refused(home, `plugins install ${name}`, { binary });
      seen[what] = { exit, code, plugin: details["plugin"], rule: details["rule"], fix };
    });
    return seen;
  }

  for (const clause of new Set(hostileArchives.map((one) => one.clause))) {
    const packages = hostileArchives.filter((one) => one.clause === clause);
    test(`${clause} CASE-10: ${packages.length} packages`, async () => {
      const fix = "report it to the plugin's author; nothing was installed";
      const expected = packages.map(({ what, name, rule }) => [
        what,
        { exit: 5, code: "archive_unsafe", plugin: name, rule, fix },
      ]);
      expect(await tryAll(packages)).toEqual(Object.fromEntries(expected));
    }, 120_000);
  }

  test("INS-5/crash-keeps-old a hostile upgrade leaves the old version live, proven and loaded", async () => {
    expect(await refused(first, "plugins upgrade victim", { binary })).toMatchObject({
      exit: 5,
      code: "archive_unsafe",
    });
    const verified = JSON.parse((await first.fermix("plugins verify victim --json", { binary })).stdout);
    expect(verified.plugins).toMatchObject([{ name: "victim", version: "1.0.0", ok: true, signature: "verified" }]);
    expect((await first.fermix("plugins installed", { binary })).stdout).toBe("victim\t1.0.0\tready\n");
  }, 60_000);

  test("INS-6/traversal INS-6/absolute nothing was written beside the home", () => {
    for (const home of lanes) expect(readdirSync(home.folder).sort()).toEqual(["home", "user"]);
    for (const home of lanes) expect(readdirSync(join(home.folder, "user"))).toEqual([]);
    expect(existsSync("/tmp/fermix-evil")).toBe(false);
    expect(
      Object.keys(homeOf(first.root))
        .filter((path) => path.endsWith("/"))
        .sort(),
    ).toEqual([
      "plugins/installed/",
      "plugins/installed/victim/",
      "plugins/installed/victim/1.0.0/",
      "plugins/installed/victim/1.0.0/assets/",
    ]);
  });
});
