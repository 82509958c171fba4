/** Which answers report a failure in their body, host by host, from the providers' documentation. */
import { describe, expect, test } from "bun:test";
import type { JsonValue } from "../../../src/kernel/json.ts";
import { insideFailure } from "../../../src/rails/http/inside-failure.ts";

const SLACK = "https://slack.com/api/conversations.list";
const X = "https://api.x.com/2/tweets/1";
const GITHUB = "https://api.github.com/repos/o/r";
const GRAPHQL = "https://api.example.com/graphql";

function inside(url: string, body: JsonValue) {
  return insideFailure(new URL(url), body);
}

describe("HTTP-9/slack", () => {
  test.each(["invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired"])(
    "%s is a rejected credential",
    (error) => {
      expect(inside(SLACK, { ok: false, error })).toEqual({ kind: "credential" });
    },
  );

  test("missing_scope names what is needed", () => {
    const body = { ok: false, error: "missing_scope", needed: "channels:read,groups:read", provided: "chat:write" };
    expect(inside(SLACK, body)).toEqual({ kind: "scope", scopes: ["channels:read", "groups:read"] });
    expect(inside(SLACK, { ok: false, error: "missing_scope" })).toEqual({ kind: "scope", scopes: [] });
  });

  test("Slack's hosts for governments answer like the others", () => {
    expect(inside("https://slack-gov.com/api/auth.test", { ok: false, error: "token_revoked" })).toEqual({
      kind: "credential",
    });
  });

  test("ratelimited", () => {
    expect(inside(SLACK, { ok: false, error: "ratelimited" })).toEqual({ kind: "rate_limited" });
  });

  test("every other code is named, with what to do where that is known", () => {
    expect(inside(SLACK, { ok: false, error: "not_in_channel" })).toEqual({
      kind: "failed",
      reported: "not_in_channel",
      explained: "",
      hint: "invite the app to the channel in Slack, then call again",
    });
    expect(inside(SLACK, { ok: false, error: "constructor" })).toEqual({
      kind: "failed",
      reported: "constructor",
      explained: "",
    });
    expect(inside(SLACK, { ok: false })).toEqual({ kind: "failed", reported: "unknown_error", explained: "" });
  });

  test("Slack's words about the arguments are kept", () => {
    const response_metadata = { messages: ["[ERROR] missing required field: channel", 7, "[WARN] x"] };
    expect(inside(SLACK, { ok: false, error: "invalid_arguments", response_metadata })).toEqual({
      kind: "failed",
      reported: "invalid_arguments",
      explained: "[ERROR] missing required field: channel; [WARN] x",
    });
  });

  test("ok, a warning with ok, and other hosts report nothing", () => {
    expect(inside(SLACK, { ok: true, channels: [] })).toBeUndefined();
    expect(inside(SLACK, { ok: true, warning: "missing_charset" })).toBeUndefined();
    expect(inside(SLACK, { channels: [] })).toBeUndefined();
    expect(inside(SLACK, [{ ok: false }])).toBeUndefined();
    expect(inside("https://slack.com.evil.example/api/x", { ok: false, error: "invalid_auth" })).toBeUndefined();
    expect(inside("https://discord.com/api/v10/x", { ok: false })).toBeUndefined();
  });
});

describe("HTTP-9/x", () => {
  const error = {
    value: "1",
    detail: "Could not find tweet with id: [1].",
    title: "Not Found Error",
    resource_type: "tweet",
    parameter: "id",
    resource_id: "1",
    type: "https://api.twitter.com/2/problems/resource-not-found",
  };

  test("errors without data are a failure, named by the problem's type", () => {
    expect(inside(X, { errors: [error] })).toEqual({
      kind: "failed",
      reported: "resource-not-found",
      explained: "Could not find tweet with id: [1].",
      hint: "check the id or name in the arguments; what is deleted, suspended or protected can't be read",
    });
    expect(inside("https://api.twitter.com/2/tweets/1", { errors: [error], data: null })).toMatchObject({
      reported: "resource-not-found",
    });
  });

  test("a problem without a type is named by its title", () => {
    expect(inside(X, { errors: [{ title: "Forbidden", type: "about:blank", message: "m" }] })).toMatchObject({
      reported: "Forbidden",
      explained: "m",
    });
    expect(inside(X, { errors: ["plain"] })).toMatchObject({ reported: "error", explained: "plain" });
  });

  test("errors beside data are a partial answer, and an empty result is none at all", () => {
    expect(inside(X, { data: [{ id: "2" }], errors: [error] })).toBeUndefined();
    expect(inside(X, { meta: { result_count: 0 } })).toBeUndefined();
    expect(inside(X, { errors: [] })).toBeUndefined();
  });
});

describe("HTTP-9/github-body", () => {
  const documentation_url = "https://docs.github.com/rest";

  test("message with documentation_url is GitHub's error", () => {
    expect(inside(GITHUB, { message: "Not Found", documentation_url, status: "404" })).toEqual({
      kind: "failed",
      reported: "404",
      explained: "Not Found",
    });
    expect(inside(GITHUB, { message: "Nope", documentation_url })).toMatchObject({ reported: "error" });
    expect(inside(GITHUB, { message: "Bad credentials", documentation_url, status: "401" })).toEqual({
      kind: "credential",
    });
    expect(inside(GITHUB, { message: "API rate limit exceeded for user ID 1.", documentation_url })).toEqual({
      kind: "rate_limited",
    });
  });

  test("a commit has a message too", () => {
    expect(inside(GITHUB, { message: "Fix it", sha: "abc" })).toBeUndefined();
  });
});

describe("HTTP-9/graphql", () => {
  test("errors without data are a failure with their code", () => {
    const body = {
      data: null,
      errors: [{ message: "Field 'x' doesn't exist", extensions: { code: "undefinedField" } }],
    };
    expect(inside(GRAPHQL, body)).toEqual({
      kind: "failed",
      reported: "undefinedField",
      explained: "Field 'x' doesn't exist",
    });
    expect(inside("https://api.github.com/graphql", { errors: [{ type: "NOT_FOUND", message: "m" }] })).toMatchObject({
      reported: "NOT_FOUND",
    });
    expect(inside("https://shop.example/admin/api/2026-01/graphql.json", { errors: [{ message: "m" }] })).toMatchObject(
      {
        reported: "GraphQL error",
      },
    );
  });

  test("a mutation whose every field is null failed", () => {
    expect(inside(GRAPHQL, { data: { createIssue: null }, errors: [{ message: "m" }] })).toMatchObject({
      kind: "failed",
    });
  });

  test.each([
    [{ errors: [{ message: "m", extensions: { code: "UNAUTHENTICATED" } }] }, "credential"],
    [{ errors: [{ message: "m", extensions: { code: "AUTHENTICATION_ERROR" } }] }, "credential"],
    [{ errors: [{ message: "m", extensions: { code: "RATELIMITED" } }] }, "rate_limited"],
    [{ errors: [{ message: "Throttled", extensions: { code: "THROTTLED" } }] }, "rate_limited"],
    [{ errors: [{ type: "RATE_LIMITED", message: "m" }] }, "rate_limited"],
  ] as [JsonValue, string][])("%j is %s", (body, kind) => {
    expect(inside(GRAPHQL, body)).toEqual({ kind } as never);
  });

  test("monday.com answers its errors from another path, and older ones in another shape", () => {
    const monday = "https://api.monday.com/v2";
    expect(
      inside(monday, {
        data: [],
        errors: [{ message: "User unauthorized", extensions: { code: "UserUnauthorizedException", status_code: 403 } }],
      }),
    ).toEqual({ kind: "failed", reported: "UserUnauthorizedException", explained: "User unauthorized" });
    expect(
      inside(monday, { error_code: "ComplexityException", status_code: 429, errors: ["Complexity budget exhausted"] }),
    ).toEqual({ kind: "rate_limited" });
  });

  test("what it could give beside its errors is for the agent to read", () => {
    expect(inside(GRAPHQL, { data: { me: { id: "1" }, other: null }, errors: [{ message: "m" }] })).toBeUndefined();
    expect(inside(GRAPHQL, { data: { me: null } })).toBeUndefined();
  });
});
