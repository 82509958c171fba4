/** Tests of how a sign-in ends that nobody answers in the browser: the time, Ctrl-C, no browser, and a pasted address. */
import { describe, expect, test } from "bun:test";
import { callbackOf } from "../../../src/auth/oauth/callback.ts";
import { FermixError } from "../../../src/kernel/error.ts";
import { expectRefusal } from "../../expect.ts";
import { reply } from "../../fakes/http.ts";
import { until } from "../../lab/until.ts";
import { CODE, LoginLab } from "./login-lab.ts";

const timedOut = { provider: "Google", ownClient: true, openBrowser: true, canPaste: false } as const;

describe("the wait", () => {
  test("ends after the time that was given, and not before; nothing is left", async () => {
    using lab = new LoginLab();
    const attempt = await lab.start({ timeoutMs: 2_000 });
    await lab.clock.advance(1_999);
    expect(lab.loopback.open).toEqual([1455]);
    await lab.clock.advance(1);
    const redirectUri = "http://127.0.0.1:1455/auth/callback";
    await expectRefusal(attempt.outcome, "login_timed_out", { ...timedOut, seconds: 2, redirectUri });
    expect([lab.loopback.open, lab.debris, lab.clock.sleeping]).toEqual([[], [], 0]);
  });

  test("ends with advice for the way that was taken: no URI to register for the provider's own client, no flag twice", async () => {
    const google =
      "run the command again; if the page complained of the redirect URI, register http://127.0.0.1:1455/auth/callback with the provider";
    const elsewhere = "if the browser is on another machine,";
    const cases = [
      ["google", true, false, `${google}; ${elsewhere} use --no-browser`],
      ["google", false, true, google],
      [
        "google",
        false,
        false,
        `${google}; ${elsewhere} run it on a terminal, which takes the address of the last page`,
      ],
      [
        "openai_codex",
        true,
        true,
        `run the command again; if the time was short, give more with --timeout SECONDS; ${elsewhere} use --no-browser`,
      ],
    ] as const;
    for (const [id, openBrowser, canPaste, fix] of cases) {
      using lab = new LoginLab(id);
      const paste = canPaste ? () => new Promise<string>(() => undefined) : undefined;
      const { outcome } = await lab.start({ timeoutMs: 1_000, openBrowser, paste });
      await lab.clock.advance(1_000);
      await expect(outcome).rejects.toMatchObject({ code: "login_timed_out", fix });
    }
  });

  test("is over once the browser has answered: a slow provider does not run into it", async () => {
    using lab = new LoginLab();
    const answering = Promise.withResolvers<ReturnType<typeof reply>>();
    lab.on(lab.provider.tokens.tokenEndpoint, () => answering.promise);
    const attempt = await lab.start({ timeoutMs: 2_000 });
    const page = attempt.answer();
    await lab.clock.advance(3_000);
    answering.resolve(reply(200, '{"access_token":"a","token_type":"bearer"}'));
    expect([(await page).status, await attempt.outcome]).toEqual([200, "kept"]);
  });

  test("is stopped by its caller with the caller's reason, before and while it waits", async () => {
    const reason = new FermixError("login_stopped", { command: "fermix" });
    using lab = new LoginLab();
    const early = await lab.start({ signal: AbortSignal.abort(reason) });
    expect([await early.outcome.catch((error) => error), lab.loopback.tried]).toEqual([reason, []]);
    const stop = new AbortController();
    const late = await lab.start({ signal: stop.signal });
    stop.abort(reason);
    expect(await late.outcome.catch((error) => error)).toBe(reason);
    expect([lab.loopback.open, lab.debris, lab.clock.sleeping]).toEqual([[], [], 0]);
  });

  test("is over before a program that opens pages is: by a stop, the end of the time, and an answer", async () => {
    const reason = new FermixError("login_stopped", { command: "fermix" });
    using lab = new LoginLab();
    lab.opening = new Promise(() => undefined);
    const stop = new AbortController();
    const stopped = lab.start({ signal: stop.signal });
    const late = lab.start({ callback: { ...callbackOf(lab.provider), ports: [1470] }, timeoutMs: 1_000 });
    const answered = lab.start({ callback: { ...callbackOf(lab.provider), ports: [1471] } });
    await until("the browser is asked three times", () => lab.opened.length === 3);
    stop.abort(reason);
    expect(await (await stopped).outcome.catch((error) => error)).toBe(reason);
    await lab.clock.advance(1_000);
    const redirectUri = "http://127.0.0.1:1470/auth/callback";
    await expectRefusal((await late).outcome, "login_timed_out", { ...timedOut, seconds: 1, redirectUri });
    const opened = lab.opened.map((address) => new URL(address).searchParams);
    const state = opened.find((asked) => asked.get("redirect_uri")?.includes(":1471/"))?.get("state");
    const page = await lab.loopback.visit(`http://127.0.0.1:1471/auth/callback?code=${CODE}&state=${state}`);
    expect([page.status, await (await answered).outcome]).toEqual([200, "kept"]);
    expect([lab.loopback.open, lab.debris, lab.clock.sleeping]).toEqual([[], [], 0]);
  });

  test("while the provider is asked, a stop keeps nothing and tells the browser", async () => {
    const reason = new FermixError("login_stopped", { command: "fermix" });
    using lab = new LoginLab();
    const stop = new AbortController();
    lab.on(lab.provider.tokens.tokenEndpoint, () => {
      stop.abort(reason);
      return reply(200, '{"access_token":"a","token_type":"bearer"}');
    });
    const attempt = await lab.start({ signal: stop.signal });
    const page = await attempt.answer();
    expect(await attempt.outcome.catch((error) => error)).toBe(reason);
    expect([page.status, attempt.kept, lab.debris]).toEqual([400, [], []]);
  });
});

describe("without a browser here", () => {
  test("the address is shown all the same, and no browser is asked for where none is wanted", async () => {
    using lab = new LoginLab();
    const attempt = await lab.start({ openBrowser: false });
    expect([lab.opened, attempt.page?.opened]).toEqual([[], undefined]);
    await attempt.answer();
    lab.hasBrowser = false;
    const none = await lab.start();
    expect([none.page?.opened, none.url.hostname]).toEqual([false, "accounts.google.com"]);
    expect((await none.answer()).status).toBe(200);
  });

  const forms: readonly (readonly [string, (url: string) => string])[] = [
    ["the whole address", (url) => url],
    ["its query alone", (url) => url.slice(url.indexOf("?"))],
    ["the query without its mark", (url) => url.slice(url.indexOf("?") + 1)],
    ["broken into lines by a terminal", (url) => `  ${url.slice(0, 30)}\n${url.slice(30)}\r\n`],
    ["with a fragment behind it", (url) => `${url}#_=_`],
    ["in quotes", (url) => `"${url}"`],
    ["in the other quotes, as for a shell", (url) => ` '${url}'\n`],
    ["in the brackets of a mail", (url) => `<${url}>`],
    ["with a shell's backslashes", (url) => url.replace(/[?&=]/g, "\\$&")],
  ];
  test.each([...forms])("a pasted redirect URL signs in: %s", async (_what, form) => {
    using lab = new LoginLab();
    const pasting = Promise.withResolvers<string>();
    const attempt = await lab.start({ openBrowser: false, paste: () => pasting.promise });
    pasting.resolve(form(attempt.back({ code: CODE, state: attempt.state })));
    expect(await attempt.outcome).toBe("kept");
    expect(lab.asked[0]).toContain(`code=${CODE}`);
    expect(lab.debris).toEqual([]);
  });

  test("a pasted address of another sign-in is refused, and one without a code named", async () => {
    for (const [query, code] of [
      ["code=a&state=another", "login_state_mismatch"],
      ["", "login_state_mismatch"],
    ] as const) {
      using lab = new LoginLab();
      const attempt = await lab.start({ openBrowser: false, paste: async () => `http://127.0.0.1:1455/?${query}` });
      await expectRefusal(attempt.outcome, code, { provider: "Google" });
      expect([lab.asked, lab.debris]).toEqual([[], []]);
    }
  });

  test("the asking ends when the browser answers after all, and is not begun where a browser was opened", async () => {
    using lab = new LoginLab();
    let asked: AbortSignal | undefined;
    const paste = (signal: AbortSignal): Promise<string> => {
      asked = signal;
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    };
    const attempt = await lab.start({ openBrowser: false, paste });
    expect(asked?.aborted).toBe(false);
    await attempt.answer();
    expect([await attempt.outcome, asked?.aborted]).toEqual(["kept", true]);
    asked = undefined;
    await (await lab.start({ paste })).answer();
    expect(asked).toBeUndefined();
  });
});
