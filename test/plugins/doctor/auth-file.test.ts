/** Tests of plugins/doctor/auth-file.ts: the file's mode, and the sign-ins that slept too long, told without the network. */
import { describe, expect, test } from "bun:test";
import { chmodSync, rmSync, symlinkSync } from "node:fs";
import { checkAuthFile } from "../../../src/plugins/doctor/auth-file.ts";
import { loadPlugins } from "../../../src/plugins/load.ts";
import { oauthManifest, PluginLab, write } from "../lab.ts";

/** Entries whose token ended so many milliseconds ago; null: it has no end. */
function signedIn(lab: PluginLab, ended: Readonly<Record<string, number | null>>): void {
  const now = lab.app.ports.clock.now();
  const entry = (ms: number | null) => ({
    tokens: { access_token: "at", refresh_token: "rt" },
    expires_at: ms === null ? null : new Date(now - ms).toISOString(),
  });
  const providers = Object.fromEntries(Object.entries(ended).map(([profile, ms]) => [profile, entry(ms)]));
  write(lab.home.authFile, JSON.stringify({ version: 2, providers }));
}

async function rows(lab: PluginLab) {
  return await checkAuthFile(lab.app, await loadPlugins(lab.app));
}

const HOUR = 3_600_000;

describe("STA-1/doctor, STA-2/texts: the row of the tokens", () => {
  test("an hour past its end is not stale, a millisecond more is; one without an end never is", async () => {
    using lab = new PluginLab();
    signedIn(lab, { "x:primary": HOUR, openai_codex: null, "github:primary": -1 });
    expect((await rows(lab))[1]).toEqual({
      name: "auth tokens",
      level: "ok",
      detail: "no stale OAuth tokens",
      fix: "",
    });
    signedIn(lab, { "x:primary": HOUR + 1, openai_codex: null, "github:primary": -1 });
    expect((await rows(lab))[1]).toEqual({
      name: "auth tokens",
      level: "warn",
      detail: "stale, re-auth may be needed: x",
      fix: "`fermix plugins auth reauthorize x`",
    });
  });

  test("STA-1/reconnect: providers and plugins, each with its own command; a shared profile names its plugins", async () => {
    using lab = new PluginLab();
    for (const name of ["gmail", "calendar"]) {
      const manifest = oauthManifest(name, "google");
      lab.installed({
        ...manifest,
        auth: { type: "oauth2", provider: "google", scopes: ["look"], profile_key: "work" },
      });
    }
    signedIn(lab, { openai_codex: 2 * HOUR, xai_oauth: 2 * HOUR, anthropic_oauth: 2 * HOUR, "work:primary": 2 * HOUR });
    const [, tokens] = await rows(lab);
    expect(tokens?.detail).toBe("stale, re-auth may be needed: openai_codex, xai, anthropic, calendar, gmail");
    expect(tokens?.fix.split("; ")).toEqual([
      "`fermix auth login --provider codex`",
      "`fermix auth login --provider xai`",
      "`fermix auth login --provider anthropic`",
      "`fermix plugins auth reauthorize calendar`",
      "`fermix plugins auth reauthorize gmail`",
    ]);
  });
});

describe("the row of the file", () => {
  test("no file, and a private one", async () => {
    using lab = new PluginLab();
    const [missing] = await rows(lab);
    expect(missing).toMatchObject({
      name: "auth file mode",
      level: "ok",
      detail: `no sign-ins yet, ${lab.home.authFile}`,
    });
    signedIn(lab, {});
    expect((await rows(lab))[0]).toMatchObject({ level: "ok", detail: `0600, ${lab.home.authFile}` });
  });

  test("one that others may read fails with the command that mends it, and nothing is said of its tokens", async () => {
    using lab = new PluginLab();
    signedIn(lab, { "x:primary": 2 * HOUR });
    chmodSync(lab.home.authFile, 0o640);
    const [mode, tokens] = await rows(lab);
    expect(mode).toMatchObject({ level: "fail", fix: `\`chmod 600 "${lab.home.authFile}"\`` });
    expect(mode?.detail).toContain("has the mode 0o640");
    expect(tokens).toMatchObject({ level: "warn", detail: "not checked, because auth.json can't be used" });
  });

  test("a link in its place, a folder, and half a file", async () => {
    using lab = new PluginLab();
    symlinkSync("/dev/null", lab.home.authFile);
    expect((await rows(lab))[0]?.detail).toContain("it is a symbolic link");
    rmSync(lab.home.authFile);
    write(`${lab.home.authFile}/x`, "");
    expect((await rows(lab))[0]?.detail).toContain("it is a folder");
    rmSync(lab.home.authFile, { recursive: true });
    write(lab.home.authFile, '{"version": 2, "prov');
    expect((await rows(lab))[0]).toMatchObject({ level: "fail" });
  });
});
