/** Tests of auth/oauth/listen.ts: which requests answer a sign-in, which are passed over, and who gets the port. */
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import fc from "fast-check";
import { expectRefusal } from "../../expect.ts";
import { until } from "../../lab/until.ts";
import { CODE, LoginLab } from "./login-lab.ts";

describe("a request that is no answer", () => {
  const others: readonly (readonly [string, string, { method?: string; host?: string }, number])[] = [
    ["another path", "/favicon.ico", {}, 404],
    ["the path with more behind it", "/auth/callback/?code=a&state=b", {}, 404],
    ["the path with a dot segment", "/auth/../auth/x?code=a&state=b", {}, 404],
    ["a path that looks like another host", "//x/auth/callback?code=a&state=b", {}, 404],
    ["no members at all", "/auth/callback", {}, 400],
    ["members of something else", "/auth/callback?utm=1", {}, 400],
    ["a POST", "/auth/callback?code=a&state=b", { method: "POST" }, 405],
    ["a HEAD", "/auth/callback?code=a&state=b", { method: "HEAD" }, 405],
    ["a site's own name that leads here", "/auth/callback?code=a&state=b", { host: "rebind.example:1455" }, 400],
    ["another port in its Host", "/auth/callback?code=a&state=b", { host: "127.0.0.1:80" }, 400],
    ["no host", "/auth/callback?code=a&state=b", { host: "" }, 400],
  ];
  test.each([...others])("%s is passed over, and the sign-in goes on waiting", async (_what, target, more, status) => {
    using lab = new LoginLab();
    const attempt = await lab.start();
    const page = await lab.loopback.visit(`http://127.0.0.1:1455${target}`, more);
    expect([page.status, page.body.includes("Nothing here")]).toEqual([status, true]);
    expect((await attempt.answer()).status).toBe(200);
    expect(await attempt.outcome).toBe("kept");
  });
});

test("whatever comes to the port, nothing but this sign-in's own state gets as far as the provider", async () => {
  const word = fc.constantFrom(
    "code",
    "state",
    "error",
    "iss",
    "auth",
    "callback",
    "/",
    "?",
    "&",
    "=",
    "%",
    "..",
    "s1",
    "\0",
  );
  const target = fc.oneof(
    fc.string(),
    fc.webUrl({ withQueryParameters: true }),
    fc.array(word).map((words) => words.join("")),
  );
  const query = fc.dictionary(fc.constantFrom("code", "state", "error", "iss"), fc.string());
  const requests = fc.record({
    method: fc.constantFrom("GET", "POST", "OPTIONS"),
    target: fc.oneof(
      target,
      query.map((members) => `/auth/callback?${new URLSearchParams(members)}`),
    ),
    host: fc.option(fc.constantFrom("127.0.0.1:1455", "localhost:1455", "evil.example", ""), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(requests, { maxLength: 4 }), async (all) => {
      using lab = new LoginLab();
      const attempt = await lab.start();
      for (const { method, target: asked, host } of all) {
        if (!lab.loopback.open.includes(1455)) break;
        const page = await lab.loopback.send(1455, {
          method,
          target: asked,
          headers: new Headers(host === undefined ? {} : { host }),
        });
        expect(page.status).toBeGreaterThanOrEqual(400);
      }
      expect([lab.asked, attempt.kept]).toEqual([[], []]);
    }),
    { numRuns: 200 },
  );
});

describe("a second answer", () => {
  test("that is the same one, as of a reload, gets the same page, and the code is sent once", async () => {
    using lab = new LoginLab();
    const attempt = await lab.start();
    const pages = await Promise.all([attempt.answer(), attempt.answer()]);
    expect(pages.map(({ status }) => status)).toEqual([200, 200]);
    expect(lab.asked.length).toBe(1);
  });

  test("that is another one changes nothing, whether it comes before the tokens or has the right state", async () => {
    using lab = new LoginLab();
    const attempt = await lab.start();
    const first = attempt.answer();
    const late = await attempt.answer({ code: "another", state: attempt.state });
    const denied = await attempt.answer({ error: "access_denied", state: attempt.state });
    expect([late.status, denied.status]).toEqual([409, 409]);
    expect(late.body).toContain("Already answered");
    expect((await first).status).toBe(200);
    expect(await attempt.outcome).toBe("kept");
    expect(lab.asked.every((body) => body.includes(CODE))).toBe(true);
  });
});

describe("the port", () => {
  test("AUTH-9/loopback AUTH-9/for-the-sign-in-only it is listened at while the sign-in waits, and never else", async () => {
    using lab = new LoginLab();
    expect(lab.loopback.open).toEqual([]);
    const attempt = await lab.start();
    expect([lab.loopback.open, lab.debris]).toEqual([[1455], ["sign-in-1455.claim"]]);
    await attempt.answer({ error: "access_denied", state: attempt.state });
    await attempt.outcome.catch(() => undefined);
    expect([lab.loopback.open, lab.debris]).toEqual([[], []]);
  });

  test("that is taken is passed by for the next one, where the provider leaves the choice, and stands in every address", async () => {
    using lab = new LoginLab("google");
    lab.loopback.taken.set(1455, undefined).set(1470, undefined);
    const attempt = await lab.start();
    expect(attempt.page?.redirectUri).toBe("http://127.0.0.1:1471/auth/callback");
    expect(attempt.url.searchParams.get("redirect_uri")).toBe("http://127.0.0.1:1471/auth/callback");
    await attempt.answer();
    expect(lab.asked[0]).toContain(encodeURIComponent("http://127.0.0.1:1471/auth/callback"));
  });

  test("CASE-45 CASE-53: the only one that is taken is named with its holder and the key to change it, at once", async () => {
    using lab = new LoginLab("notion");
    lab.loopback.taken.set(1458, { pid: 77, name: "python3" });
    const attempt = await lab.start();
    const details = { provider: "Notion", id: "notion", ports: [1458], holder: "python3", pid: 77 };
    await expectRefusal(attempt.outcome, "login_port_in_use", details);
    const { message, fix } = await attempt.outcome.catch((error) => error);
    expect(message).toBe(
      'Notion sends the browser back to port 1458 of 127.0.0.1, which is in use by "python3" (process 77).',
    );
    expect(fix).toContain("set redirect_port under [fermix_core.oauth.notion] in config.toml");
    expect([attempt.page, lab.opened, lab.clock.slept, lab.debris]).toEqual([undefined, [], [], []]);
  });

  test("all of several that are taken are named, and one that the system refuses with its reason", async () => {
    using lab = new LoginLab("github");
    for (const port of [1457, 1460, 1461, 1462]) lab.loopback.taken.set(port, undefined);
    const all = { provider: "GitHub", id: "github", ports: [1457, 1460, 1461, 1462] };
    await expectRefusal((await lab.start()).outcome, "login_port_in_use", all);
    lab.loopback.refused.set(1457, "EACCES");
    const refused = { provider: "GitHub", id: "github", port: 1457, reason: "EACCES" };
    await expectRefusal((await lab.start()).outcome, "login_listen_failed", refused);
  });

  test("CASE-45: the only one that an older sign-in with the provider waits at is taken over, and the older one says so", async () => {
    using lab = new LoginLab("notion");
    const older = await lab.start();
    const starting = lab.start();
    await patient(lab, 1);
    await lab.clock.advance(150);
    await expectRefusal(older.outcome, "login_superseded", { provider: "Notion" });
    await patient(lab, 2);
    await lab.clock.advance(100);
    const newer = await starting;
    expect([lab.loopback.open, lab.debris]).toEqual([[1458], ["sign-in-1458.claim"]]);
    expect((await newer.answer()).status).toBe(200);
    expect([await newer.outcome, lab.debris]).toEqual(["kept", []]);
  });

  test("a claim that a killed sign-in left does not hide who has the port now, and is gone afterwards", async () => {
    using lab = new LoginLab("notion");
    writeFileSync(lab.home.signInClaim(1458), "0123 notion");
    lab.loopback.taken.set(1458, { pid: 77, name: "python3" });
    const starting = lab.start();
    // Less than a second, all in all.
    for (let tries = 1; tries <= 8; tries += 1) {
      await patient(lab, tries);
      await lab.clock.advance(100);
    }
    await expectRefusal((await starting).outcome, "login_port_in_use");
    expect(lab.debris).toEqual([]);
    lab.loopback.taken.clear();
    writeFileSync(lab.home.signInClaim(1458), "0123 notion");
    expect((await (await lab.start()).answer()).status).toBe(200);
    expect(lab.debris).toEqual([]);
  });
});

/** Resolves when a sign-in that wants a port waits for it the nth time. */
async function patient({ clock }: LoginLab, times: number): Promise<void> {
  await until(`it waits for the port: ${times}`, () => clock.slept.filter((ms) => ms === 100).length >= times);
}
