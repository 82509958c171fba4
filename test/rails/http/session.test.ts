/** The session of an http plugin: arguments in, requests out, the answer or a failure as data, never a throw. */
import { describe, expect, test } from "bun:test";
import { inspect } from "node:util";
import { FermixError } from "../../../src/kernel/error.ts";
import { HttpFailure, type HttpFailureKind } from "../../../src/kernel/http-failure.ts";
import type { HttpReply } from "../../../src/kernel/ports.ts";
import { reply, stalledAfter } from "../../fakes/http.ts";
import { API_KEY, failure, HttpRailLab, json, OAUTH, plugin, read, ScriptedSource, tool } from "./laboratory.ts";

const ID = { type: "object", properties: { id: { type: "string" } }, required: ["id"] };
const LIST = { paginate: { cursor_path: "next", cursor_param: "cursor", items_path: "items", max_pages: 2 } };

const refusedToken = json({ message: "Bad credentials" }, 401);

describe("a call", () => {
  test("sends the template's request and gives the extracted answer as one text", async () => {
    const get = tool(
      "get",
      { parameters: ID },
      { url: "https://api.example.com/things/{id}", extract: { path: "thing" } },
    );
    const lab = new HttpRailLab(plugin([get])).answers("/things/a%20b", json({ thing: { name: "x" }, other: 1 }));
    expect(read(await lab.call("get", { id: "a b", undeclared: 1 }))).toEqual({ name: "x" });
    expect(lab.sent()).toEqual(["GET /things/a%20b"]);
  });

  test("AUTH-1/header-and-scheme the credential goes into the header that the manifest names, with its scheme", async () => {
    const lab = new HttpRailLab(plugin([tool("get")], API_KEY), new ScriptedSource(["key-of-the-test"]));
    lab.answers("/get", json({}));
    await lab.call("get");
    expect(lab.http.sent[0]?.headers["x-web-key"]).toBe("Bot key-of-the-test");
    expect(lab.http.sent[0]?.headers["authorization"]).toBeUndefined();
  });

  test("without auth there is no credential to send", async () => {
    const lab = new HttpRailLab(plugin([tool("get")])).answers("/get", json({}));
    await lab.call("get");
    expect(Object.keys(lab.http.sent[0]?.headers ?? {}).sort()).toEqual(["accept", "accept-encoding", "user-agent"]);
  });

  test("a template's own Accept replaces the default, in whatever case it is written", async () => {
    const lab = new HttpRailLab(plugin([tool("get", {}, { headers: { ACCEPT: "application/vnd.api+json" } })]));
    lab.answers("/get", json({}));
    await lab.call("get");
    expect(lab.http.sent[0]?.headers["accept"]).toBe("application/vnd.api+json");
    expect(lab.http.sent[0]?.headers["ACCEPT"]).toBeUndefined();
  });

  test("an argument that does not fit makes no request, and a missing sign-in is told first", async () => {
    const source = new ScriptedSource(["token-of-the-test"]);
    const lab = new HttpRailLab(plugin([tool("get", { parameters: ID })], OAUTH_ONE), source);
    expect(failure(await lab.call("get", {})).code).toBe("argument_missing");
    source.current = () => Promise.reject(new FermixError("not_connected", { plugin: "web" }));
    expect(failure(await lab.call("get", {})).code).toBe("not_connected");
    expect(lab.dns.asked).toEqual([]);
  });

  test("an address of 16384 characters is sent, and a longer one is the argument's fault", async () => {
    const get = tool("get", { parameters: ID }, { url: "https://api.example.com/things/{id}" });
    const id = "x".repeat(16_384 - "https://api.example.com/things/".length);
    const lab = new HttpRailLab(plugin([get])).answers(`/things/${id}`, json({ found: true }));
    expect(read(await lab.call("get", { id }))).toEqual({ found: true });
    expect(failure(await lab.call("get", { id: `${id}x` }))).toMatchObject({
      code: "argument_too_long",
      fix: "call web_get again with shorter arguments",
    });
    expect(lab.sent()).toHaveLength(1);
  });

  test("a header may have any name, those of JavaScript's own objects included", async () => {
    const headers = JSON.parse('{"__proto__":"a","constructor":"b","toString":"c"}');
    const lab = new HttpRailLab(plugin([tool("get", {}, { headers })])).answers("/get", json({}));
    await lab.call("get");
    const sent = Object.entries(lab.http.sent[0]?.headers ?? {});
    expect(sent).toEqual(
      expect.arrayContaining([
        ["__proto__", "a"],
        ["constructor", "b"],
        ["tostring", "c"],
      ]),
    );
  });

  test("the account's region chooses among regional addresses; an unknown one takes the first", async () => {
    const urls = { eu: "https://eu.example.com/me", na: "https://na.example.com/me" };
    const me = tool("me", {}, { url: undefined, regional_urls: urls });
    for (const [region, host] of [
      ["na", "na"],
      ["eu", "eu"],
      ["cn", "eu"],
      [undefined, "eu"],
    ] as const) {
      const lab = new HttpRailLab(plugin([me], API_KEY), new ScriptedSource(["key-of-the-test"], { region }));
      for (const name of ["eu", "na"]) {
        lab.dns.answer(`${name}.example.com`, ["93.184.216.34"]);
        lab.http.on(`https://${name}.example.com/me`, json({ name }));
      }
      expect(read(await lab.call("me"))).toEqual({ name: host });
    }
  });
});

const OAUTH_ONE = { ...OAUTH, scopes: [] };

describe("after a 401", () => {
  test("AUTH-7/read-only-retried a read-only tool gets one fresh token and one more try", async () => {
    const source = new ScriptedSource(["old-token-of-test", "new-token-of-test"]);
    const lab = new HttpRailLab(plugin([tool("get")], OAUTH_ONE), source).answers(
      "/get",
      refusedToken,
      json({ ok: 1 }),
    );
    expect(read(await lab.call("get"))).toEqual({ ok: 1 });
    expect(lab.http.sent.map(({ headers }) => headers["authorization"])).toEqual([
      "Bearer old-token-of-test",
      "Bearer new-token-of-test",
    ]);
    expect(source.renewed).toHaveLength(1);
  });

  test("AUTH-7/once a second 401 is final", async () => {
    const source = new ScriptedSource(["one-token-of-test", "two-token-of-test", "three-token-of-test"]);
    const lab = new HttpRailLab(plugin([tool("get")], OAUTH_ONE), source).answers("/get", refusedToken);
    const error = failure(await lab.call("get"));
    expect(error.code).toBe("reauthorization_required");
    expect(error.message).toBe("web needs reconnection. Run `fermix plugins auth reauthorize web`.");
    expect(lab.sent()).toEqual(["GET /get", "GET /get"]);
    expect(source.renewed).toHaveLength(1);
  });

  test("AUTH-7/write-never a write is neither refreshed nor sent again", async () => {
    const source = new ScriptedSource(["old-token-of-test", "new-token-of-test"]);
    const post = tool("post", { read_only: false }, { method: "POST" });
    const lab = new HttpRailLab(plugin([post], OAUTH_ONE), source).answers("/post", refusedToken, json({ ok: 1 }));
    expect(failure(await lab.call("post")).code).toBe("reauthorization_required");
    expect(lab.sent()).toEqual(["POST /post"]);
    expect(source.renewed).toEqual([]);
  });

  test("no other token to try leaves the refusal as it is, and a failed refresh is told itself", async () => {
    const lab = new HttpRailLab(plugin([tool("get")], OAUTH_ONE), new ScriptedSource(["old-token-of-test"]));
    lab.answers("/get", refusedToken);
    expect(failure(await lab.call("get")).code).toBe("reauthorization_required");
    expect(lab.sent()).toEqual(["GET /get"]);
  });

  test("a replaced API key is found by a read; a write is not repeated, but forgets the refused key", async () => {
    const tools = [tool("get"), tool("post", { read_only: false }, { method: "POST" })];
    const reading = new ScriptedSource(["old-key-of-test", "new-key-of-test"]);
    const lab = new HttpRailLab(plugin(tools, API_KEY), reading).answers("/get", refusedToken, json({ ok: 1 }));
    expect(read(await lab.call("get"))).toEqual({ ok: 1 });
    const writing = new ScriptedSource(["old-key-of-test", "new-key-of-test"]);
    const other = new HttpRailLab(plugin(tools, API_KEY), writing).answers("/post", refusedToken);
    const error = failure(await other.call("post"));
    expect(error.code).toBe("api_key_rejected");
    expect(error.message).toBe("API key rejected — update it with `fermix plugins auth set web`");
    expect(other.sent()).toEqual(["POST /post"]);
    expect(writing.renewed).toHaveLength(1);
  });
});

describe("no credential reaches the agent", () => {
  const secret = "sekret-token-of-the-test";

  test("AUTH-1: neither in a result, nor in an error, nor in what an error prints as", async () => {
    const lab = new HttpRailLab(plugin([tool("get"), tool("bad")], OAUTH_ONE), new ScriptedSource([secret]));
    lab.answers("/get", json({ echo: `Bearer ${secret}`, list: [secret] }));
    lab.answers("/bad", json({ message: `what is ${secret}?` }, 400));
    const good = await lab.call("get");
    expect(read(good)).toEqual({ echo: "Bearer [REDACTED]", list: ["[REDACTED]"] });
    const bad = failure(await lab.call("bad"));
    expect(bad.message).toContain("[REDACTED]");
    for (const said of [JSON.stringify(bad.view()), inspect(bad, { depth: 9 }), inspect(good, { depth: 9 })]) {
      expect(said).not.toContain(secret);
    }
  });

  test("AUTH-1: after a refresh the old and the new token are masked", async () => {
    const source = new ScriptedSource(["old-token-of-test", "new-token-of-test"]);
    const lab = new HttpRailLab(plugin([tool("get")], OAUTH_ONE), source);
    lab.answers("/get", refusedToken, json({ was: "old-token-of-test", is: "new-token-of-test" }));
    expect(read(await lab.call("get"))).toEqual({ was: "[REDACTED]", is: "[REDACTED]" });
  });
});

describe("a listing", () => {
  const pages = (lab: HttpRailLab) =>
    lab
      .answers("/all", json({ items: [1, 2], next: "b" }))
      .answers("/all?cursor=b", json({ items: [3], next: "c" }))
      .answers("/all?cursor=c", json({ items: [4], next: "" }));

  test("HTTP-6/continued goes on from the cursor it was given, and says where the next one goes on", async () => {
    const lab = pages(new HttpRailLab(plugin([tool("all", {}, LIST)])));
    expect(read(await lab.call("all"))).toEqual({ items: [1, 2, 3], truncated: true, next_cursor: "c" });
    expect(read(await lab.call("all", { page_cursor: "c" }))).toEqual({ items: [4], truncated: false });
  });

  test("tells its progress, page by page", async () => {
    const told: unknown[] = [];
    const lab = pages(new HttpRailLab(plugin([tool("all", {}, LIST)])));
    await lab.call("all", {}, { onProgress: (step) => told.push(step) });
    expect(told).toEqual([
      { progress: 1, message: "page 1, 2 items so far" },
      { progress: 2, message: "page 2, 3 items so far" },
    ]);
  });

  test("renews its token once in all, on whichever page it is refused", async () => {
    const source = new ScriptedSource(["old-token-of-test", "new-token-of-test", "newer-token-of-test"]);
    const lab = new HttpRailLab(plugin([tool("all", {}, LIST)], OAUTH_ONE), source)
      .answers("/all", json({ items: [1], next: "b" }))
      .answers("/all?cursor=b", refusedToken, json({ items: [2] }));
    expect(read(await lab.call("all"))).toEqual({ items: [1, 2], truncated: false });
    expect(lab.http.sent.map(({ headers }) => headers["authorization"])).toEqual([
      "Bearer old-token-of-test",
      "Bearer old-token-of-test",
      "Bearer new-token-of-test",
    ]);
  });
});

describe("a write that broke off", () => {
  const tools = [tool("get"), tool("post", { read_only: false }, { method: "POST", body: {} })];
  const broken = (kind: HttpFailureKind) => (): never => {
    throw new HttpFailure(kind, "it broke");
  };
  const halfAnswer = (): HttpReply => ({
    ...reply(200, null, { "content-type": "application/json" }),
    body: new ReadableStream({ start: (controller) => controller.error(new Error("cut")) }),
  });
  const MAYBE =
    "check first whether web_post took effect, as it may have; then check the network connection and try again";
  const SURELY_NOT = "check the network connection and try again";

  test.each([
    ["reset", broken("reset"), MAYBE],
    ["cut", halfAnswer, MAYBE],
    ["connect", broken("connect"), SURELY_NOT],
    ["tls", broken("tls"), SURELY_NOT],
  ] as const)(
    "HTTP-10/transport by %s says whether it may have been done, and a read does not",
    async (_, how, fix) => {
      const lab = new HttpRailLab(plugin(tools)).answers("/post", how).answers("/get", how);
      expect(failure(await lab.call("post"))).toMatchObject({ code: "network_failed", fix });
      expect(failure(await lab.call("get"))).toMatchObject({ code: "network_failed", fix: SURELY_NOT });
      expect(lab.sent()).toEqual(["POST /post", "GET /get"]);
    },
  );

  test("HTTP-10/transport by a deadline says so too, unless it was that of the connection", async () => {
    for (const [advanceMs, phase, fix] of [
      [10_000, "connect", "try again later"],
      [30_000, "first_byte", "check first whether web_post took effect, as it may have; then try again later"],
    ] as const) {
      const lab = new HttpRailLab(plugin(tools));
      const asked = Promise.withResolvers<void>();
      lab.http.on("https://api.example.com/post", ({ onConnection }) => {
        if (phase === "connect") onConnection?.("opening");
        asked.resolve();
        return new Promise(() => undefined);
      });
      const waiting = lab.call("post");
      await asked.promise;
      await lab.clock.advance(advanceMs);
      expect(failure(await waiting)).toMatchObject({ code: "network_timeout", details: { phase }, fix });
    }
  });
});

describe("a call that is given up", () => {
  const hanging = (): HttpReply => ({
    ...reply(200, null, { "content-type": "application/json" }),
    body: stalledAfter(["{"]),
  });

  test("ends as cancelled and leaves nothing to wait for", async () => {
    const reached = Promise.withResolvers<void>();
    const hang = () => {
      reached.resolve();
      return hanging();
    };
    const lab = new HttpRailLab(plugin([tool("get")])).answers("/get", hang, json({ again: true }));
    const cancel = new AbortController();
    const waiting = lab.call("get", {}, { signal: cancel.signal });
    await reached.promise;
    cancel.abort();
    expect(failure(await waiting).code).toBe("call_cancelled");
    expect(lab.http.sent.map(({ signal }) => signal?.aborted)).toEqual([true]);
    expect(read(await lab.call("get"))).toEqual({ again: true });
  });

  test("while the credential is waited for ends it at once, before the first request and after a 401", async () => {
    const stuck = () => new Promise<never>(() => undefined);
    for (const first of ["current", "renew"] as const) {
      const source = Object.assign(new ScriptedSource(["at-1"]), { [first]: stuck });
      const lab = new HttpRailLab(plugin([tool("get")], OAUTH_ONE), source).answers("/get", refusedToken);
      const cancel = new AbortController();
      const waiting = lab.call("get", {}, { signal: cancel.signal });
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      cancel.abort();
      expect(failure(await waiting).code).toBe("call_cancelled");
    }
  });

  test("before it began makes no request", async () => {
    const lab = new HttpRailLab(plugin([tool("get")]));
    expect(failure(await lab.call("get", {}, { signal: AbortSignal.abort() })).code).toBe("call_cancelled");
    expect(lab.dns.asked).toEqual([]);
  });

  test("by the end of the session is session_closed, and so is every later one", async () => {
    const lab = new HttpRailLab(plugin([tool("get")])).answers("/get", hanging);
    const [found] = lab.session.tools();
    if (found === undefined) throw new Error("no tool");
    const waiting = lab.call("get");
    await lab.session.close();
    expect(failure(await waiting).code).toBe("session_closed");
    expect(failure(await lab.session.call(found, {}, {})).code).toBe("session_closed");
    expect(lab.session.tools()).toEqual([]);
  });

  test("waits, at the end of the session, for a refresh that is under way", async () => {
    const stored = Promise.withResolvers<void>();
    const source = Object.assign(new ScriptedSource([]), { settled: () => stored.promise });
    const lab = new HttpRailLab(plugin([tool("get")], OAUTH_ONE), source);
    const order: string[] = [];
    const closed = lab.session.close().then(() => order.push("closed"));
    await new Promise((resolve) => setImmediate(resolve));
    order.push("stored");
    stored.resolve();
    await closed;
    expect(order).toEqual(["stored", "closed"]);
  });
});
