/** Two releases of Fermix on one home: versions bumped, republished and withdrawn, pins, and names that lead elsewhere. */
import { beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BINARY, FlowHome } from "../lab/binary.ts";
import { BARE_PATH, withoutCosign } from "../lab/cosign.ts";
import { homeOf, refused } from "../lab/refusal.ts";
import { newerFermix, olderFermix } from "../lab/releases.ts";

const OFFLINE = ["unshare", "--net", "--map-root-user"];

/** What was released first, and the release after it. */
let older: { binary: string };
let newer: { binary: string };
beforeAll(async () => {
  older = { binary: await olderFermix() };
  newer = { binary: await newerFermix() };
}, 120_000);

const liveText = (home: FlowHome, name: string): string =>
  readFileSync(join(home.root, "plugins/installed", name, "current/assets/a"), "utf8");
const kept = (home: FlowHome, name: string): readonly string[] =>
  readdirSync(join(home.root, "plugins/installed", name))
    .filter((entry) => /^\d/.test(entry))
    .sort();
const ok = async (home: FlowHome, words: string, options: object): Promise<string> => {
  const answer = await home.fermix(words, options);
  expect({ words, ...answer }).toMatchObject({ words, code: 0 });
  return answer.stdout;
};

describe("a version that was published again with other bytes", () => {
  for (const words of ["plugins install swap", "plugins upgrade swap", "plugins upgrade"]) {
    test(`CASE-7 ${words}: never "up to date", the bytes of this catalog go live`, async () => {
      using home = new FlowHome();
      await ok(home, "plugins install swap", older);
      expect(liveText(home, "swap")).toBe("1");
      const stdout = await ok(home, words, newer);
      expect(stdout).toBe(words.includes("install") ? "installed swap\n" : "upgraded swap\n");
      expect(liveText(home, "swap")).toBe("other bytes");
      expect(await ok(home, "plugins verify", newer)).toBe("swap\t1.0.0\tproven\n");
      expect(kept(home, "swap")).toEqual(["1.0.0"]);
    }, 60_000);
  }

  test("CASE-7 INS-14/old-keys-kept until then the installed one loads, and verify says what it could not look at", async () => {
    using home = new FlowHome();
    await ok(home, "plugins install swap", older);
    expect(await ok(home, "plugins installed", newer)).toBe("swap\t1.0.0\tready\n");
    const verified = JSON.parse(await ok(home, "plugins verify --json", newer));
    expect(verified.plugins).toMatchObject([{ name: "swap", ok: true, signature: "not_checked" }]);
  }, 60_000);
});

describe("a version bump", () => {
  test("CASE-8 uninstall, a newer Fermix, install: the new digest is live and nothing of the old is there", async () => {
    using home = new FlowHome();
    await ok(home, "plugins install pages@1.0.0", older);
    await ok(home, "plugins uninstall pages", older);
    await ok(home, "plugins install pages", newer);
    expect([liveText(home, "pages"), kept(home, "pages")]).toEqual(["third", ["2.0.0"]]);
  }, 60_000);

  test("CASE-8 INS-8/gc an upgrade keeps the old version for the way back, and gc what is older than that goes", async () => {
    using home = new FlowHome();
    await ok(home, "plugins install pages@1.0.0", older);
    await ok(home, "plugins upgrade pages", older);
    await ok(home, "plugins upgrade pages", newer);
    expect([liveText(home, "pages"), kept(home, "pages")]).toEqual(["third", ["1.0.0", "1.1.0", "2.0.0"]]);
    await ok(home, "plugins gc", newer);
    expect(kept(home, "pages")).toEqual(["1.1.0", "2.0.0"]);
    expect(await ok(home, "plugins verify", newer)).toBe("pages\t2.0.0\tproven\n");
  }, 60_000);

  test("CAT-7/nothing-newer-names-upgrade CASE-16 nothing newer says so, and where newer ones come from", async () => {
    using home = new FlowHome();
    await ok(home, "plugins install fixed", older);
    const before = homeOf(home.root);
    for (const words of ["plugins upgrade fixed", "plugins upgrade"]) {
      const answer = await home.fermix(words, newer);
      expect(answer).toMatchObject({ code: 0, stdout: "fixed already up to date\n" });
      expect(answer.stderr).toContain("`fermix upgrade`");
    }
    expect(homeOf(home.root)).toEqual(before);
    const catalog = await home.fermix("plugins catalog", older);
    expect(catalog.stderr).toContain("2026-11-30");
  }, 60_000);
});

describe("a version that was withdrawn", () => {
  test("CAT-5/no-new-install it is not installed, by name, and the home is as it was", async () => {
    using home = new FlowHome();
    for (const words of [
      "plugins install gone",
      "plugins install gone@1.0.0",
      "plugins pin gone@1.0.0",
      "plugins enable gone",
    ]) {
      expect(await refused(home, words, newer)).toMatchObject({ exit: 5, code: "yanked" });
    }
    expect(await refused(home, "plugins install half@1.1.0", newer)).toMatchObject({
      exit: 5,
      code: "yanked",
      details: { latest: "1.0.0" },
    });
  }, 60_000);

  test("CAT-5/no-upgrade CAT-5/keeps-loading what is installed stays, is not upgraded to one, and loads", async () => {
    using home = new FlowHome();
    await ok(home, "plugins install gone", older);
    await ok(home, "plugins install half", older);
    await ok(home, "plugins enable gone", newer);
    expect(await ok(home, "plugins upgrade", newer)).toBe("gone already up to date\nhalf already up to date\n");
    expect(await ok(home, "plugins installed", newer)).toBe("gone\t1.0.0\tready\nhalf\t1.0.0\tready\n");
    expect(await ok(home, "plugins verify", newer)).toBe("gone\t1.0.0\tproven\nhalf\t1.0.0\tproven\n");
    expect(await ok(home, "plugins pin gone@1.0.0", newer)).toBe("pinned gone at 1.0.0\n");
  }, 60_000);
});

describe("INS-8/pin", () => {
  test("a kept version goes live with no network and no cosign; upgrade leaves it alone until it is freed", async () => {
    using home = new FlowHome();
    await ok(home, "plugins install pages@1.0.0", older);
    await ok(home, "plugins upgrade pages", older);
    const cut = { ...older, env: { PATH: BARE_PATH }, through: [...OFFLINE, ...withoutCosign()] };
    expect(await ok(home, "plugins pin pages@1.0.0", cut)).toBe("pinned pages at 1.0.0\n");
    expect(liveText(home, "pages")).toBe("first");
    for (const binary of [older, newer]) {
      const answer = await home.fermix("plugins upgrade pages", binary);
      expect(answer).toMatchObject({ code: 0, stdout: "pages pinned at 1.0.0\n" });
      expect(answer.stderr).toContain("fermix plugins pin --remove pages");
    }
    expect(await refused(home, "plugins install pages@2.0.0", newer)).toMatchObject({ exit: 1, code: "plugin_pinned" });
    await ok(home, "plugins pin --remove pages", cut);
    expect(await ok(home, "plugins upgrade pages", newer)).toBe("upgraded pages\n");
    expect(liveText(home, "pages")).toBe("third");
  }, 60_000);

  test("a kept version whose files were changed is never made live as it is", async () => {
    using home = new FlowHome();
    await ok(home, "plugins install pages@1.0.0", older);
    await ok(home, "plugins upgrade pages", older);
    writeFileSync(join(home.root, "plugins/installed/pages/1.0.0/assets/a"), "evil");
    const error = await refused(home, "plugins pin pages@1.0.0", {
      ...older,
      env: { PATH: BARE_PATH },
      through: withoutCosign(),
    });
    expect(error).toMatchObject({ exit: 5, code: "cosign_missing" });
    await ok(home, "plugins pin pages@1.0.0", older);
    expect(liveText(home, "pages")).toBe("first");
    expect(await refused(home, "plugins pin pages@9.9.9", older)).toMatchObject({ exit: 1, code: "version_not_found" });
  }, 60_000);
});

describe("CASE-10 names that lead elsewhere", () => {
  test("are usage errors, and what they lead to is untouched", async () => {
    using home = new FlowHome();
    await ok(home, "plugins install fixed", older);
    const target = join(home.folder, "user/precious");
    mkdirSync(target);
    writeFileSync(join(target, "file"), "mine");
    for (const name of [
      "../../x",
      "../../../user/precious",
      target,
      "fixed/../fixed",
      "fixed/current",
      "..",
      ".",
      "fixed\n",
      "FIXED",
      "%2e%2e",
    ]) {
      for (const verb of name === "../../x"
        ? ["uninstall", "install", "upgrade", "verify"]
        : ["uninstall", "install"]) {
        const error = await refused(home, ["plugins", verb, name], older);
        expect({ verb, name, exit: error.exit, code: error.code }).toEqual({ verb, name, exit: 2, code: "usage" });
      }
    }
    for (const verb of ["enable", "disable", "info", "config", "doctor"]) {
      const error = await refused(home, ["plugins", verb, "../../x"], older);
      expect({ verb, code: ["usage", "plugin_unknown"].includes(error.code) }).toEqual({ verb, code: true });
    }
    expect(readFileSync(join(target, "file"), "utf8")).toBe("mine");
  }, 120_000);
});

describe("CASE-14 one plugin without its runtime", () => {
  test("the others are listed, and it says what it lacks; so does what agents read (CASE-15)", async () => {
    using home = new FlowHome();
    const vault = join(home.folder, "vault");
    mkdirSync(vault);
    for (const name of ["obsidian", "slack", "github"]) await ok(home, `plugins install ${name}`, {});
    await ok(home, "plugins enable obsidian", {});
    await ok(home, `plugins config set obsidian OBSIDIAN_VAULT_PATH ${vault}`, {});
    const bare = { binary: BINARY, env: { PATH: home.folder } };
    const list = JSON.parse(await ok(home, "plugins list --json", bare));
    const status = Object.fromEntries(
      list.plugins.map((plugin: { name: string; status: string }) => [plugin.name, plugin.status]),
    );
    expect(status).toMatchObject({
      obsidian: "missing_host_runtime",
      slack: "not_configured",
      github: "not_configured",
    });
    expect(await ok(home, "prompt", bare)).toContain("missing_host_runtime");
    expect(await refused(home, ["call", "obsidian_list_folder", "--args", "{}"], bare)).toMatchObject({
      exit: 1,
      code: "missing_host_runtime",
      details: { wanted: "node >=20.0.0", lookedIn: [home.folder] },
    });
    const doctor = (await home.fermix("plugins doctor obsidian", bare)).stdout;
    expect(doctor).toContain("node >=20");
    expect(doctor).not.toContain("ENOENT");
  }, 60_000);
});
