/** Failures inside success, as the agent reads them: by the kind of credential, bounded, masked; and the template's ok_field. */
import { describe, expect, test } from "bun:test";
import { isFermixError } from "../../../src/kernel/error.ts";
import { expectRefusal } from "../../expect.ts";
import { API_KEY, CALL, jsonAnswer, judge, OAUTH, SECRET } from "./answers.ts";

const SLACK = "https://slack.com/api/conversations.list";

function slack(body: object, headers: Readonly<Record<string, string>> = {}) {
  return jsonAnswer(body, 200, headers, SLACK);
}

describe("HTTP-9/slack an answer of 200 that is none", () => {
  test("a rejected credential is the same refusal as a 401", async () => {
    const body = { ok: false, error: "token_revoked" };
    await expectRefusal(judge(slack(body), { auth: API_KEY }), "api_key_rejected", { plugin: CALL.plugin });
    await expectRefusal(judge(slack(body), { auth: OAUTH }), "reauthorization_required", { plugin: CALL.plugin });
    await expectRefusal(judge(slack(body), { auth: { type: "none" } }), "unauthorized", CALL);
  });

  test("a missing scope is given to the key at the provider, or to the sign-in", async () => {
    const body = { ok: false, error: "missing_scope", needed: "users:read", provided: "chat:write" };
    await expectRefusal(judge(slack(body), { auth: API_KEY }), "missing_scope", {
      ...CALL,
      scopes: ["users:read"],
      held: "key",
    });
    await expectRefusal(judge(slack(body), { auth: OAUTH }), "missing_scope", { ...CALL, scopes: ["users:read"] });
    const unnamed = slack({ ok: false, error: "missing_scope" });
    await expectRefusal(judge(unnamed, { auth: API_KEY, requiresScopes: ["a:b"] }), "missing_scope", {
      ...CALL,
      scopes: ["a:b"],
      held: "key",
    });
  });

  test("a rate limit takes its wait from the header", async () => {
    await expectRefusal(judge(slack({ ok: false, error: "ratelimited" }, { "retry-after": "30" })), "rate_limited", {
      ...CALL,
      retryAfterSeconds: 30,
    });
  });

  test("any other code is named with what to do", async () => {
    const error = await judge(slack({ ok: false, error: "channel_not_found" })).catch((thrown) => thrown);
    expect(isFermixError(error) && `${error.message} | ${error.fix}`).toBe(
      "web answered 200 and reports a failure: channel_not_found. | check the channel's id; a private channel shows itself only to an app that was invited to it",
    );
  });

  test("HTTP-10/redacted what it says is masked and bounded", async () => {
    const details = await expectRefusal(
      judge(
        slack({
          ok: false,
          error: `${SECRET} ${"e".repeat(500)}`,
          response_metadata: { messages: [SECRET, "m".repeat(5000)] },
        }),
      ),
      "provider_failed",
    );
    expect(details.reported).toBe(`[REDACTED] ${"e".repeat(189)}…(truncated)`);
    expect(details.explained).toBe(`[REDACTED]; ${"m".repeat(2036)}…(truncated)`);
    const many = Array.from({ length: 30 }, (_, at) => `scope:${at}`).join(",");
    const { scopes } = await expectRefusal(
      judge(slack({ ok: false, error: "missing_scope", needed: many })),
      "missing_scope",
    );
    expect(scopes).toHaveLength(20);
  });
});

describe("HTTP-9/ok-field", () => {
  const asked = { okField: "meta.ok" };

  test("true is a success, and nothing else is", async () => {
    expect((await judge(jsonAnswer({ meta: { ok: true }, a: 1 }), {}, asked)).body).toEqual({
      meta: { ok: true },
      a: 1,
    });
    for (const ok of [false, 1, "true", null, {}, [true]]) {
      await expectRefusal(judge(jsonAnswer({ meta: { ok } }), {}, asked), "provider_failed");
    }
    await expectRefusal(judge(jsonAnswer([{ meta: { ok: true } }]), {}, asked), "provider_failed");
  });

  test("an empty answer has no field that is true", async () => {
    await expectRefusal(judge(jsonAnswer({}), {}, asked), "provider_failed", {
      ...CALL,
      status: 200,
      reported: "meta.ok is not true",
      explained: "{}",
      hint: undefined,
    });
  });

  test.each([
    [{ error: "quota" }, "quota"],
    [{ error: { code: 42, message: "m" } }, "42"],
    [{ code: "E7" }, "E7"],
    [{ errcode: 40_001 }, "40001"],
    [{ errors: [{ code: "first" }, { code: "second" }] }, "first"],
    [{ message: "no code" }, "meta.ok is not true"],
  ])("the code in %j is named", async (body, reported) => {
    await expectRefusal(judge(jsonAnswer(body), {}, asked), "provider_failed", {
      ...CALL,
      status: 200,
      reported,
      explained: JSON.stringify(body),
      hint: undefined,
    });
  });

  test("the table of hosts is asked first", async () => {
    await expectRefusal(
      judge(slack({ ok: false, error: "invalid_auth" }), { auth: API_KEY }, { okField: "ok" }),
      "api_key_rejected",
    );
  });
});
