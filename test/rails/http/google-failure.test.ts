/** Google's 403s are told apart, in both shapes of its error bodies (developers.google.com: Drive, Calendar, Gmail error pages). */
import { describe, expect, test } from "bun:test";
import { isFermixError } from "../../../src/kernel/error.ts";
import type { JsonValue } from "../../../src/kernel/json.ts";
import { expectRefusal } from "../../expect.ts";
import { CALL, GOOGLE, jsonAnswer, judge } from "./answers.ts";

const SCOPES = ["https://www.googleapis.com/auth/drive"];

/** The newer shape: google.rpc.ErrorInfo among others. */
function info(reason: string): JsonValue {
  return {
    error: {
      code: 403,
      message: "Denied.",
      status: "PERMISSION_DENIED",
      details: [
        { "@type": "type.googleapis.com/google.rpc.Help", links: [] },
        { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason, domain: "googleapis.com" },
      ],
    },
  };
}

/** The older shape. */
function older(reason: string): JsonValue {
  return { error: { errors: [{ domain: "global", reason, message: "Denied." }], code: 403, message: "Denied." } };
}

function forbidden(body: JsonValue, headers: Readonly<Record<string, string>> = {}) {
  return judge(jsonAnswer(body, 403, headers), { auth: GOOGLE, requiresScopes: SCOPES });
}

describe("BUN-4/missing-scope", () => {
  test.each([info("ACCESS_TOKEN_SCOPE_INSUFFICIENT"), older("insufficientPermissions"), older("insufficientScopes")])(
    "%j names the scopes that the tool needs",
    async (body) => {
      await expectRefusal(forbidden(body), "missing_scope", { ...CALL, scopes: SCOPES });
    },
  );

  test("both shapes at once: the newer one is read first", async () => {
    const both = {
      error: {
        ...(info("ACCESS_TOKEN_SCOPE_INSUFFICIENT") as { error: object }).error,
        errors: [{ reason: "quotaExceeded" }],
      },
    };
    await expectRefusal(forbidden(both as JsonValue), "missing_scope");
  });
});

describe("BUN-4/no-access", () => {
  test.each(["insufficientFilePermissions", "appNotAuthorizedToFile"])("%s is no scope problem", async (reason) => {
    await expectRefusal(forbidden(older(reason)), "item_access_denied", CALL);
  });
});

describe("BUN-4/organizer-only", () => {
  test("only the organizer can change the event", async () => {
    await expectRefusal(forbidden(older("forbiddenForNonOrganizer")), "organizer_only", CALL);
  });
});

describe("BUN-4/rate-limit", () => {
  test.each([
    older("rateLimitExceeded"),
    older("userRateLimitExceeded"),
    older("dailyLimitExceeded"),
    older("quotaExceeded"),
    info("RATE_LIMIT_EXCEEDED"),
  ])("%j is Google's rate limit", async (body) => {
    await expectRefusal(forbidden(body), "rate_limited", { ...CALL, by: "Google", retryAfterSeconds: undefined });
  });

  test("with how long to wait, where Google says it", async () => {
    await expectRefusal(forbidden(older("rateLimitExceeded"), { "retry-after": "12" }), "rate_limited", {
      ...CALL,
      by: "Google",
      retryAfterSeconds: 12,
    });
  });
});

describe("every other 403 of Google", () => {
  test.each([
    [older("domainPolicy"), "domainPolicy"],
    [info("SERVICE_DISABLED"), "SERVICE_DISABLED"],
    [older("constructor"), "constructor"],
    [{ error: { errors: [{}, "x", { reason: 7 }, { reason: "r".repeat(101) }], details: "x" } }, undefined],
    [{ error: "access_denied" }, undefined],
    [["x"], undefined],
  ] as [JsonValue, string | undefined][])("%j shows Google's own words", async (body, reason) => {
    await expectRefusal(forbidden(body), "google_refused", { ...CALL, reason, body: JSON.stringify(body) });
  });

  test("each message says what failed and what to do", async () => {
    const said = await Promise.all(
      [
        info("ACCESS_TOKEN_SCOPE_INSUFFICIENT"),
        older("appNotAuthorizedToFile"),
        older("forbiddenForNonOrganizer"),
        older("dailyLimitExceeded"),
        older("accessNotConfigured"),
      ].map(async (body) => {
        const error = await forbidden(body).catch((thrown) => thrown);
        return isFermixError(error) ? `${error.message} | ${error.fix}` : error;
      }),
    );
    expect(said).toEqual([
      "web is missing a required scope (https://www.googleapis.com/auth/drive). | run `fermix plugins auth reauthorize web` and grant it",
      "The connected account has no access to that item; this is not a scope problem, and reconnecting does not help. | ask its owner for access, or use another item",
      "Only the organizer of this event can change it. | ask the organizer, or change an event of the connected account",
      "rate-limited by Google | wait a minute, then call web_look again",
      `provider_error: 403 (accessNotConfigured). ${JSON.stringify(older("accessNotConfigured"))} | switch this API on in the Google Cloud project of your OAuth client, then call again`,
    ]);
  });

  test("a 401 of Google is a rejected token like any other", async () => {
    await expectRefusal(judge(jsonAnswer(older("authError"), 401), { auth: GOOGLE }), "reauthorization_required");
  });
});
