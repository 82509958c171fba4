/** Tests of auth/store-sign-in.ts: what a login leaves in auth.json, and what a logout takes out of it. */
import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { profileLockPath } from "../../src/auth/auth-file-lock.ts";
import { type NewSignIn, prepareToStore, removeSignIn, storeSignIn } from "../../src/auth/store-sign-in.ts";
import { homeAt } from "../../src/files/home.ts";
import { systemClock } from "../../src/system/clock.ts";
import { expectRefusal, snapshotTree } from "../expect.ts";
import { FakeClock } from "../fakes/clock.ts";
import { reply } from "../fakes/http.ts";
import { placeSignIn } from "../lab/auth-file.ts";
import { GRANTED, SignInLab } from "./sign-in-lab.ts";

const NEW: NewSignIn = {
  authMode: "oauth2",
  provider: "google",
  accessToken: "access-new",
  refreshToken: "refresh-new",
  expiresAt: Date.UTC(2026, 0, 2, 4, 4, 5),
  scopes: ["a", "b"],
  account: { subject: "1", email: "ada@example.org" },
};

class Lab implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), "fermix-store-sign-in-"));
  readonly home = homeAt(join(this.root, "home"));
  readonly ports = { clock: new FakeClock() };

  store(more: Partial<NewSignIn> = {}, profile = "gmail:primary"): Promise<void> {
    return storeSignIn(this.ports, this.home, profile, { ...NEW, ...more });
  }

  get file(): { version: number; providers: Record<string, Record<string, unknown>> } {
    return JSON.parse(readFileSync(this.home.authFile, "utf8"));
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

describe("a login", () => {
  test("TOK-5/first-login the first one makes auth.json, private, with the entry of spec 8.1 and `ready` in it", async () => {
    using lab = new Lab();
    await prepareToStore(lab.ports, lab.home, "gmail:primary");
    expect(existsSync(lab.home.authFile)).toBe(false);
    const now = lab.ports.clock.now();
    await lab.store();
    expect(lab.file).toEqual({
      version: 2,
      providers: {
        "gmail:primary": {
          auth_mode: "oauth2",
          provider: "google",
          tokens: { access_token: "access-new", refresh_token: "refresh-new" },
          expires_at: "2026-01-02T04:04:05.000Z",
          last_refresh: new Date(now).toISOString(),
          account: { subject: "1", email: "ada@example.org" },
          granted_scopes: ["a", "b"],
          status: "ready",
        },
      },
    });
    expect(statSync(lab.home.authFile).mode & 0o777).toBe(0o600);
    expect(readdirSync(lab.home.root)).toEqual(["auth.json"]);
  });

  test("what the provider did not give is null or left out", async () => {
    using lab = new Lab();
    await prepareToStore(lab.ports, lab.home, "github:primary");
    await lab.store(
      { refreshToken: undefined, expiresAt: undefined, scopes: [], account: undefined },
      "github:primary",
    );
    const entry = lab.file.providers["github:primary"];
    expect([entry?.["tokens"], entry?.["expires_at"], Object.keys(entry ?? {})]).toEqual([
      { access_token: "access-new", refresh_token: null },
      null,
      ["auth_mode", "provider", "tokens", "expires_at", "last_refresh", "status"],
    ]);
  });

  test("in place of an old sign-in keeps its region and what others wrote there, and nothing of the old grant", async () => {
    using lab = new Lab();
    placeSignIn(lab.home.root, "gmail:primary", {
      status: "reauthorization_required",
      region: "eu",
      grantedScopes: ["old"],
      account: { email: "old@example.org", subject: "0" },
      more: {
        region_actual: "na",
        scope_profile: "p",
        theirs: { deep: [1] },
        refresh_unanswered_since: "2026-01-01T00:00:00.000Z",
      },
    });
    placeSignIn(lab.home.root, "openai_codex", { more: { auth_mode: "chatgpt" } });
    const other = lab.file.providers["openai_codex"];
    await lab.store({ refreshToken: undefined, scopes: [], account: undefined });
    expect(lab.file.providers["gmail:primary"]).toEqual({
      region: "eu",
      region_actual: "na",
      scope_profile: "p",
      theirs: { deep: [1] },
      auth_mode: "oauth2",
      provider: "google",
      tokens: { access_token: "access-new", refresh_token: null },
      expires_at: "2026-01-02T04:04:05.000Z",
      last_refresh: new Date(lab.ports.clock.now()).toISOString(),
      status: "ready",
    });
    expect(lab.file.providers["openai_codex"]).toEqual(other ?? {});
  });

  test("that could not be stored is refused before anybody is sent to a browser, and the file stays", async () => {
    using lab = new Lab();
    placeSignIn(lab.home.root, "gmail:primary");
    chmodSync(lab.home.authFile, 0o644);
    const before = snapshotTree(lab.root);
    await expectRefusal(prepareToStore(lab.ports, lab.home, "gmail:primary"), "auth_file_exposed");
    expect(snapshotTree(lab.root)).toEqual(before);
  });

  test("a link or a folder in the file's place is refused and stays", async () => {
    for (const place of [
      (path: string) => symlinkSync("/nowhere/auth.json", path),
      (path: string) => mkdirSync(path),
    ]) {
      using lab = new Lab();
      mkdirSync(lab.home.root);
      place(lab.home.authFile);
      const before = snapshotTree(lab.root);
      await expectRefusal(prepareToStore(lab.ports, lab.home, "gmail:primary"), "auth_file_unusable");
      await expectRefusal(lab.store(), "auth_file_unusable");
      expect(snapshotTree(lab.root)).toEqual(before);
    }
  });

  test("a sign-in that is made while its old one is refreshed is the one that stays", async () => {
    using lab = new SignInLab().signedIn({ endsInSeconds: -1 });
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    lab.provider(async () => {
      asked.resolve();
      await answer.promise;
      return reply(200, JSON.stringify(GRANTED), { "content-type": "application/json" });
    });
    const refreshing = lab.token();
    await asked.promise;
    const storing = storeSignIn({ clock: systemClock() }, lab.home, "gmail:primary", NEW);
    answer.resolve();
    await Promise.all([refreshing, storing]);
    expect(lab.entry?.["tokens"]).toEqual({ access_token: "access-new", refresh_token: "refresh-new" });
    expect(lab.debris).toEqual([]);
  });

  test("a file that is no auth.json is put aside at once, so that the next try goes through", async () => {
    using lab = new Lab();
    await prepareToStore(lab.ports, lab.home, "gmail:primary");
    writeFileSync(lab.home.authFile, '{"version":2,"providers":{"a"', { mode: 0o600 });
    const { backup } = await expectRefusal(prepareToStore(lab.ports, lab.home, "gmail:primary"), "auth_file_malformed");
    expect(readFileSync(backup ?? "", "utf8")).toBe('{"version":2,"providers":{"a"');
    await prepareToStore(lab.ports, lab.home, "gmail:primary");
    await lab.store();
    expect(Object.keys(lab.file.providers)).toEqual(["gmail:primary"]);
  });

  test("waits for whoever refreshes the profile, and then says that it is busy; nothing is written", async () => {
    using lab = new Lab();
    placeSignIn(lab.home.root, "gmail:primary");
    // Of a process that lives: this one's parent.
    writeFileSync(profileLockPath(lab.home, "gmail:primary"), `${lab.ports.clock.now()} ${process.ppid}\n`);
    const before = snapshotTree(lab.root);
    const started = lab.ports.clock.now();
    await expectRefusal(lab.store(), "profile_busy", { profile: "gmail:primary" });
    // A refresh may ask three times, for twenty seconds each.
    expect(lab.ports.clock.now() - started).toBeGreaterThan(62_000);
    await expectRefusal(removeSignIn(lab.ports, lab.home, "gmail:primary"), "profile_busy");
    expect(snapshotTree(lab.root)).toEqual(before);
  });
});

describe("a logout", () => {
  test("takes the one entry out and leaves all others; a second one has nothing to do", async () => {
    using lab = new Lab();
    placeSignIn(lab.home.root, "gmail:primary");
    placeSignIn(lab.home.root, "github:primary");
    expect(await removeSignIn(lab.ports, lab.home, "gmail:primary")).toBe(true);
    expect(Object.keys(lab.file.providers)).toEqual(["github:primary"]);
    const before = snapshotTree(lab.root);
    expect(await removeSignIn(lab.ports, lab.home, "gmail:primary")).toBe(false);
    expect(snapshotTree(lab.root)).toEqual(before);
  });

  test("takes what a killed sign-in left too, its tokens and the locks it was taking, even where nobody is signed in", async () => {
    using lab = new Lab();
    mkdirSync(lab.home.root, { mode: 0o700 });
    const dead = Bun.spawnSync({ cmd: ["true"] }).pid;
    const lock = `${profileLockPath(lab.home, "gmail:primary")}.${dead}.new`;
    const left = [`auth.json.${dead}-1.tmp`, `auth.json.lock.${dead}.new`].map((name) => join(lab.home.root, name));
    for (const path of [lock, ...left]) writeFileSync(path, "{", { mode: 0o600 });
    expect(await removeSignIn(lab.ports, lab.home, "gmail:primary")).toBe(false);
    expect(readdirSync(lab.home.root)).toEqual([]);
  });

  test("works on an entry that cannot be used any more", async () => {
    using lab = new Lab();
    placeSignIn(lab.home.root, "gmail:primary", { more: { tokens: "gone" } });
    expect(await removeSignIn(lab.ports, lab.home, "gmail:primary")).toBe(true);
    expect(lab.file.providers).toEqual({});
  });

  test("AUTH-10/logout that races a login leaves the whole new sign-in or none of it, and others alone", async () => {
    const ports = { clock: systemClock() };
    for (let round = 0; round < 10; round += 1) {
      using lab = new Lab();
      placeSignIn(lab.home.root, "gmail:primary");
      placeSignIn(lab.home.root, "github:primary");
      const { "github:primary": other } = lab.file.providers;
      const login = () => storeSignIn(ports, lab.home, "gmail:primary", NEW);
      const logout = () => removeSignIn(ports, lab.home, "gmail:primary");
      // Whichever begins first, there was something to take out: the old sign-in or the new one.
      const [first, second] = round % 2 === 0 ? [login(), logout()] : [logout(), login()];
      expect(await Promise.all([first, second])).toContain(true);
      const { "gmail:primary": left, ...others } = lab.file.providers;
      expect(others).toEqual({ "github:primary": other ?? {} });
      const tokens = { access_token: "access-new", refresh_token: "refresh-new" };
      if (left !== undefined) expect(left).toMatchObject({ provider: "google", tokens, status: "ready" });
      expect(readdirSync(lab.home.root)).toEqual(["auth.json"]);
    }
  });

  test("TOK-5/never-empty where nobody ever signed in makes no file", async () => {
    using lab = new Lab();
    await prepareToStore(lab.ports, lab.home, "x:primary");
    expect(await removeSignIn(lab.ports, lab.home, "x:primary")).toBe(false);
    expect(readdirSync(lab.home.root)).toEqual([]);
  });
});
