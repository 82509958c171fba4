/** Every status that is no success: its code, its facts, its sentence, and what becomes of the body. */
import { describe, expect, test } from "bun:test";
import { isFermixError } from "../../../src/kernel/error.ts";
import { expectRefusal } from "../../expect.ts";
import { type Answer, API_KEY, answer, CALL, type context, jsonAnswer, judge, OAUTH, READ, SECRET } from "./answers.ts";

/** `message | fix` of the refusal. */
async function said(given: Answer, more: Parameters<typeof context>[0] = {}): Promise<string> {
  const error = await judge(given, more).catch((thrown) => thrown);
  if (!isFermixError(error)) throw error;
  return `${error.message} | ${error.fix}`;
}

describe("401", () => {
  test("AUTH-6/oauth a rejected token names the command that reconnects", async () => {
    const reply = answer(401, "unread");
    await expectRefusal(judge(reply, { auth: OAUTH }), "reauthorization_required", { plugin: CALL.plugin });
    expect(reply.fate()).toBe("cancelled");
    expect((await said(answer(401))).split(" | ")[0]).toBe(
      "web needs reconnection. Run `fermix plugins auth reauthorize web`.",
    );
  });

  test("AUTH-6/api-key a rejected key names the command that replaces it", async () => {
    await expectRefusal(judge(answer(401), { auth: API_KEY }), "api_key_rejected", { plugin: CALL.plugin });
    expect(await said(answer(401), { auth: API_KEY })).toBe(
      "API key rejected — update it with `fermix plugins auth set web` | run `fermix plugins auth set web`",
    );
  });

  test("without a credential it is said as it is", async () => {
    await expectRefusal(judge(answer(401), { auth: { type: "none" } }), "unauthorized", CALL);
    expect(await said(answer(401), { auth: { type: "none" } })).toStartWith("401 unauthorized | ");
  });

  test("a compressed one is a 401 all the same", async () => {
    await expectRefusal(judge(answer(401, "x", { "content-encoding": "br" })), "reauthorization_required");
  });
});

describe("HTTP-3/names-status-and-location", () => {
  test.each([300, 301, 302, 303, 304, 307, 308, 399])(
    "%i is an error, whatever the manifest calls success",
    async (status) => {
      const reply = answer(status, "unread", { location: "https://other.example/x" });
      await expectRefusal(judge(reply, {}, { success: [200, status] }), "redirect_refused", {
        ...CALL,
        status,
        location: "https://other.example/x",
      });
      expect(reply.fate()).toBe("cancelled");
    },
  );

  test("a missing Location is an unstated one", async () => {
    expect(await said(answer(302))).toBe(
      "The API answered 302 and points to an unstated location; plugin requests do not follow redirects, and the manifest must use the final URL. | check the arguments, or report the address to the author of web",
    );
  });

  test("the Location is quoted, masked and bounded", async () => {
    const location = `https://x.example/?key=${SECRET}\u202eevil`;
    const { location: shown } = await expectRefusal(
      judge({ ...answer(302), headers: { get: (name: string) => (name === "location" ? location : null) } as Headers }),
      "redirect_refused",
    );
    expect(shown).toBe("https://x.example/?key=[REDACTED]\u202eevil");
    const long = await said(answer(302, null, { location: `https://x.example/${"a".repeat(5000)}` }));
    expect(long.length).toBeLessThan(600);
  });
});

describe("403", () => {
  test("names the scopes that the tool requires, and the provider's words", async () => {
    const scopes = ["repo", "read:user"];
    await expectRefusal(judge(jsonAnswer({ message: "no" }, 403), { requiresScopes: scopes }), "permission_denied", {
      ...CALL,
      auth: "oauth2",
      scopes,
      body: '{"message":"no"}',
    });
    expect(await said(jsonAnswer({ message: "no" }, 403), { requiresScopes: scopes })).toStartWith(
      'permission denied (requires: repo, read:user). {"message":"no"} | ',
    );
  });

  test("a tool that requires none leaves the parenthesis out", async () => {
    expect(await said(answer(403))).toStartWith("permission denied. | ");
  });

  test.each([
    [OAUTH, "auth reauthorize web`"],
    [API_KEY, "auth set web`"],
    [{ type: "none" }, "needs no account"],
  ] as const)("the fix is the one of %j", async (auth, fix) => {
    expect(await said(answer(403), { auth })).toContain(fix);
  });

  test.each([
    [{ "retry-after": "60" }, {}, 60],
    [{ "x-ratelimit-remaining": "0", "x-ratelimit-reset": "30" }, {}, 30],
    [
      {},
      { message: "You have exceeded a secondary rate limit. Please wait a few minutes before you try again." },
      undefined,
    ],
  ])("GitHub's rate limits are rate limits: %j %j", async (headers, body, retryAfterSeconds) => {
    await expectRefusal(judge(jsonAnswer(body, 403, headers)), "rate_limited", { ...CALL, retryAfterSeconds });
  });

  test("a budget that is not used up is no rate limit", async () => {
    await expectRefusal(judge(jsonAnswer({}, 403, { "x-ratelimit-remaining": "14" })), "permission_denied");
  });
});

describe("HTTP-10/rate-limit 429", () => {
  test("names the wait", async () => {
    const reply = answer(429, "unread", { "retry-after": "30" });
    await expectRefusal(judge(reply), "rate_limited", { ...CALL, retryAfterSeconds: 30 });
    expect(reply.fate()).toBe("cancelled");
    expect(await said(answer(429, null, { "retry-after": "30" }))).toBe(
      "rate-limited retry after 30s | wait 30 s, then call web_look again",
    );
    expect(await said(answer(429, null, { "retry-after": "Mon, 30 Nov 2026 12:02:00 GMT" }))).toStartWith(
      "rate-limited retry after 120s | ",
    );
  });

  test("or says nothing of it when the provider does not", async () => {
    expect(await said(answer(429))).toBe("rate-limited | wait a minute, then call web_look again");
  });
});

describe("HTTP-10/own-message", () => {
  test("5xx is the provider's fault", async () => {
    const reply = jsonAnswer({ error: "boom" }, 503, { "retry-after": "9" });
    await expectRefusal(judge(reply), "provider_error", {
      ...READ,
      status: 503,
      body: '{"error":"boom"}',
      retryAfterSeconds: 9,
    });
    expect(await said(answer(500))).toBe("provider error (500). | try again later: the fault is the provider's");
    expect(await said(answer(599, "x"))).toStartWith("provider error (599). x | ");
  });

  test("a write that met one may have taken effect", async () => {
    const error = await judge(answer(502), {}, { method: "POST" }).catch((thrown) => thrown);
    expect(error.fix).toBe(
      "check first whether web_look took effect, as it may have; then try again later: the fault is the provider's",
    );
  });

  test.each([
    [400, "correct the arguments as the answer says"],
    [404, "check the ids"],
    [409, "read the current state"],
    [402, "the provider asks for payment"],
    [422, "correct the arguments as the answer says"],
    [202, "it may have taken effect"],
  ])("%i has its own fix", async (status, fix) => {
    await expectRefusal(judge(jsonAnswer({ message: "m" }, status)), "request_failed", {
      ...CALL,
      status,
      body: '{"message":"m"}',
    });
    expect(await said(jsonAnswer({ message: "m" }, status))).toStartWith(
      `request failed (${status}). {"message":"m"} | ${fix}`,
    );
  });

  test("HTTP-10/redacted a body shows no credential and steers no terminal", async () => {
    expect(await said(answer(400, `bad ${SECRET} \u001b[2J \u202e`))).toStartWith(
      "request failed (400). bad [REDACTED] \\u001b[2J \\u202e | ",
    );
  });

  test("its body is read to the end, so that the connection can be used again", async () => {
    const reply = answer(404, ["one", "two"]);
    await expectRefusal(judge(reply), "request_failed");
    expect(reply.fate()).toBe("ended");
  });
});
