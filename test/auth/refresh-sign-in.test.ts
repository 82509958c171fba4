/** Tests of auth/refresh-sign-in.ts: what happens to a sign-in that others change, or cannot be written, during its refresh. */
import { describe, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { profileLockPath, withProfileLock } from "../../src/auth/auth-file-lock.ts";
import { changeEntry } from "../../src/auth/change-entry.ts";
import { openTokenSource } from "../../src/auth/token-source.ts";
import { systemClock } from "../../src/system/clock.ts";
import { expectRefusal } from "../expect.ts";
import { reply } from "../fakes/http.ts";
import { GRANTED, pluginOf, SignInLab } from "./sign-in-lab.ts";

/** A lock that the parent of this test has just taken; it lives as long as the test does. */
const LIVING = `${Date.now()} ${process.ppid}\n`;

describe("a sign-in that changes during its refresh", () => {
  /** The provider's answer, and something that happens before it is there. */
  function meanwhile(act: () => unknown, body: unknown = GRANTED, status = 200) {
    return async () => {
      await act();
      return reply(status, JSON.stringify(body), { "content-type": "application/json" });
    };
  }

  test("a sign-out waits for the refresh under the profile's lock, and the entry stays gone", async () => {
    using lab = new SignInLab().signedIn({ endsInSeconds: -5 });
    const ports = { ...lab.deps.ports, clock: systemClock() };
    let signOut: Promise<void> | undefined;
    lab.provider(
      meanwhile(() => {
        signOut = withProfileLock(ports, lab.home, lab.plugin.profile, () =>
          changeEntry(ports, lab.home, lab.plugin.profile, () => "remove"),
        );
      }),
    );
    const { credential } = await openTokenSource({ ports, home: lab.home }, lab.plugin).current();
    expect(credential.headerValue("Bearer")).toBe("Bearer access-2");
    await signOut;
    expect(lab.entry).toBeUndefined();
    await expectRefusal(lab.token(), "not_connected", { plugin: "gmail" });
  });

  test("a sign-out that took no lock stays one: the new tokens are dropped", async () => {
    for (const gone of ["entry", "file"]) {
      using lab = new SignInLab().signedIn({ endsInSeconds: -5 });
      const { ports } = lab.deps;
      lab.provider(
        meanwhile(() =>
          gone === "file"
            ? rmSync(lab.home.authFile)
            : changeEntry(ports, lab.home, lab.plugin.profile, () => "remove"),
        ),
      );
      await expectRefusal(lab.token(), "not_connected", { plugin: "gmail" });
      await expectRefusal(lab.token(), "not_connected", { plugin: "gmail" });
      expect(lab.http.sent).toHaveLength(1);
    }
  });

  test("a new sign-in that took no lock is kept and used", async () => {
    using lab = new SignInLab().signedIn({ endsInSeconds: -5 });
    lab.provider(meanwhile(() => lab.signedIn({ accessToken: "anew", refreshToken: "refresh-anew" })));
    expect(await lab.token()).toBe("Bearer anew");
    expect(lab.entry).toMatchObject({ tokens: { access_token: "anew", refresh_token: "refresh-anew" } });
  });

  test("CASE-38: who loses a race to a program without the lock uses the winner's token and never marks it", async () => {
    using lab = new SignInLab().signedIn({ endsInSeconds: -5 });
    const winner = () => lab.signedIn({ accessToken: "access-2", refreshToken: "refresh-2" });
    lab.provider(meanwhile(winner, { error: "invalid_grant" }, 400));
    expect(await lab.token()).toBe("Bearer access-2");
    expect(lab.entry).toMatchObject({ status: "ready", tokens: { refresh_token: "refresh-2" } });
  });

  test("another profile's change during the refresh is not lost", async () => {
    using lab = new SignInLab().signedIn({ endsInSeconds: -5 });
    const { ports } = lab.deps;
    lab.provider(
      meanwhile(() => changeEntry(ports, lab.home, "notion:primary", () => ({ tokens: { access_token: "n" } }))),
    );
    expect(await lab.token()).toBe("Bearer access-2");
    lab.plugin = pluginOf("notion", "notion");
    expect(lab.entry).toEqual({ tokens: { access_token: "n" } });
  });
});

test("who waits for the end of a refresh goes on once the new token is stored, or once it has failed", async () => {
  for (const status of [200, 404]) {
    using lab = new SignInLab().signedIn({ endsInSeconds: -5 });
    const held = Promise.withResolvers<void>();
    lab.provider(async () => {
      await held.promise;
      return reply(status, JSON.stringify(GRANTED));
    });
    const source = lab.source();
    await source.settled?.();
    const token = source.current().catch((error: unknown) => error);
    const waiting = source.settled?.().then(() => lab.entry);
    held.resolve();
    const tokens = { access_token: status === 200 ? "access-2" : "access-1" };
    expect(await waiting).toMatchObject({ tokens });
    await token;
  }
});

describe("a home that takes no writing", () => {
  test("a token is not spent when its successor could not be stored", async () => {
    using lab = new SignInLab().signedIn({ endsInSeconds: -5 });
    // Something of that name is in the way of every lock.
    writeFileSync(`${lab.home.authFile}.lock`, LIVING);
    await expectRefusal(lab.token(), "auth_file_busy", { path: lab.home.authFile });
    expect(lab.http.sent).toEqual([]);
  });

  test("tokens that the disk refused are stored at the next use, and the provider is not asked again", async () => {
    using lab = new SignInLab().signedIn({ endsInSeconds: -5 });
    const lock = `${lab.home.authFile}.lock`;
    lab.provider(() => {
      writeFileSync(lock, LIVING);
      return reply(200, JSON.stringify(GRANTED), { "content-type": "application/json" });
    });
    await expectRefusal(lab.token(), "auth_file_busy", { path: lab.home.authFile });
    expect(lab.entry).toMatchObject({ tokens: { access_token: "access-1" } });
    rmSync(lock);
    expect(await lab.token()).toBe("Bearer access-2");
    expect(lab.entry).toMatchObject({ tokens: { access_token: "access-2", refresh_token: "refresh-2" } });
    expect(lab.http.sent).toHaveLength(1);
  });

  test("a profile that another process keeps is named busy, unless the token has seconds to live", async () => {
    using lab = new SignInLab().signedIn({ endsInSeconds: -5 });
    writeFileSync(profileLockPath(lab.home, lab.plugin.profile), LIVING);
    await expectRefusal(lab.token(), "profile_busy", { profile: "gmail:primary" });
    expect(lab.clock.slept).toEqual(Array.from({ length: 99 }, () => 100));
    lab.signedIn({ endsInSeconds: 30 });
    lab.clock.advance(20_000);
    expect(await lab.token()).toBe("Bearer access-1");
  });
});
