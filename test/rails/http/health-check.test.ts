/** Tests of rails/http/health-check.ts: one request with the credential, judged like an answer to a tool. */
import { describe, expect, test } from "bun:test";
import type { CredentialSource } from "../../../src/auth/credential-source.ts";
import { DIRECT } from "../../../src/egress/network-policy.ts";
import { FermixError } from "../../../src/kernel/error.ts";
import type { JsonObject } from "../../../src/kernel/json.ts";
import type { HttpReply } from "../../../src/kernel/ports.ts";
import { checkHealth } from "../../../src/rails/http/health-check.ts";
import { FakeDns } from "../../fakes/dns.ts";
import { FakeHttp, reply } from "../../fakes/http.ts";
import { ManualClock } from "../../fakes/manual-clock.ts";
import { API, API_KEY, json, OAUTH, plugin, ScriptedSource, tool } from "./laboratory.ts";

interface Given {
  readonly block?: JsonObject;
  readonly auth?: JsonObject;
  readonly source?: CredentialSource;
  readonly signal?: AbortSignal;
}

function laboratory({
  block = { url: `${API}/me` },
  auth = API_KEY,
  source = new ScriptedSource(["k3y-canary"]),
}: Given) {
  const http = new FakeHttp();
  const requires = auth === OAUTH ? { requires_scopes: ["read:things"] } : {};
  const { manifest } = plugin([tool("look", requires, { headers: { "X-Version": "7" } })], auth);
  const clock = new ManualClock();
  const ports = { http, dns: new FakeDns().answer("api.example.com", ["93.184.216.34"]), clock };
  const check = () => checkHealth(ports, { ...manifest, healthCheck: block }, { source, network: DIRECT });
  const answers = (...replies: readonly (() => HttpReply)[]) => {
    let at = 0;
    http.on(`${API}/me`, () => (replies[at++] ?? replies.at(-1) ?? (() => reply(500, "")))());
  };
  return { http, clock, check, answers };
}

async function codeOf(health: ReturnType<typeof checkHealth>): Promise<string> {
  const { state, ...rest } = await health;
  return "error" in rest ? rest.error.code : state;
}

describe("a service that is asked", () => {
  test("AUTH-1: gets the credential as the manifest says, and what the plugin's tools send beside it", async () => {
    const { http, check, answers } = laboratory({});
    answers(json({ ok: true }));
    expect(await check()).toEqual({ state: "healthy" });
    const [sent] = http.sent;
    expect(sent?.method).toBe("GET");
    expect(sent?.headers).toMatchObject({
      "x-web-key": "Bot k3y-canary",
      "x-version": "7",
      accept: "application/json",
    });
  });

  test("with the method and the statuses that the block names; one that would change something is never sent", async () => {
    for (const [method, sent] of [
      ["post", "POST"],
      ["DELETE", "GET"],
      [7, "GET"],
    ] as const) {
      const { http, check, answers } = laboratory({ block: { url: `${API}/me`, method, success: [201] } });
      answers(json({}, 201));
      expect(await codeOf(check())).toBe("healthy");
      expect(http.sent.map((request) => request.method)).toEqual([sent]);
      answers(json({}, 200));
      expect(await codeOf(check())).toBe("request_failed");
    }
  });

  test("answers what it means: a refused key, a limit, an error, no JSON; never the credential", async () => {
    const answered = async (answer: () => HttpReply) => {
      const { check, answers } = laboratory({});
      answers(answer);
      const health = await check();
      expect(JSON.stringify(health)).not.toContain("canary");
      return health.state === "unhealthy" ? health.error.code : health.state;
    };
    expect(await answered(json({}, 401))).toBe("api_key_rejected");
    expect(await answered(json({}, 429))).toBe("rate_limited");
    expect(await answered(json({ error: "for k3y-canary" }, 500))).toBe("provider_error");
    expect(await answered(() => reply(200, "<html>", { "content-type": "text/html" }))).toBe("non_json_response");
    expect(await answered(() => reply(302, "", { location: "https://elsewhere.example.com/" }))).toBe(
      "redirect_refused",
    );
  });

  test("a token that is refused is tried once more with a fresh one", async () => {
    const source = new ScriptedSource(["old", "new"]);
    const { http, check, answers } = laboratory({ auth: OAUTH, source });
    answers(json({}, 401), json({}));
    expect(await check()).toEqual({ state: "healthy" });
    expect(http.sent.map(({ headers }) => headers["authorization"])).toEqual(["Bearer old", "Bearer new"]);
  });
});

test("what has no credential is not asked for, and what it lacks is the answer", async () => {
  const error = new FermixError("key_missing", { plugin: "web", variable: "FERMIX_PLUGIN_KEY_WEB" });
  const source: CredentialSource = { current: () => Promise.reject(error), renew: async () => undefined };
  const { http, check } = laboratory({ source });
  expect(await check()).toEqual({ state: "unhealthy", error });
  expect(http.sent).toEqual([]);
});

test("a service that never answers is given up after fifteen seconds, and not before", async () => {
  const { http, clock, check } = laboratory({});
  http.on(`${API}/me`, () => new Promise(() => undefined));
  let health: string | undefined;
  const asked = codeOf(check()).then((code) => {
    health = code;
  });
  await clock.advance(0);
  await clock.advance(14_999);
  expect(health).toBeUndefined();
  await clock.advance(1);
  await asked;
  expect(health).toBe("network_timeout");
});

test("an address inside this machine, or in clear, is refused like any other", async () => {
  expect(await codeOf(laboratory({ block: { url: "http://api.example.com/me" } }).check())).toBe("blocked_url");
  expect(await codeOf(laboratory({ block: { url: "https://127.0.0.1/me" } }).check())).toStartWith("blocked_");
});

test("a block that names no request asks nobody", async () => {
  for (const block of [{ kind: "local_readiness", requires_auth: true }, {}, { url: 7 }]) {
    const { http, check } = laboratory({ block });
    expect(await check()).toEqual({ state: "local" });
    expect(http.sent).toEqual([]);
  }
});
