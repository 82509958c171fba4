/** `auth`: its closed keys, its three types and the shape of a key (spec 1.2). */
import { describe, expect, test } from "bun:test";
import { parseManifest } from "../../src/manifest/parse.ts";
import { long, problemsOf, problemsOfRow, type Row } from "./parse-cases.ts";
import { hostedSample, httpSample, localSample, withChange } from "./samples.ts";

describe("any auth", () => {
  const rows: readonly Row[] = [
    ["no object", "auth", "none", ["auth invalid_auth"]],
    ["a list", "auth", [], ["auth invalid_auth"]],
    ["null", "auth", null, ["auth invalid_auth"]],
    ["no type", "auth.type", undefined, ["auth.type missing_required"]],
    ["the type oauth, which is spelled oauth2", "auth.type", "oauth", ["auth.type invalid_auth_type"]],
    ["an unknown key", "auth.token_url", "x", ["auth.token_url unknown_fields"]],
    ["a scheme in lower case", "auth.scheme", "bearer", ["auth.scheme invalid_auth_scheme"]],
    ["the scheme Basic", "auth.scheme", "Basic", ["auth.scheme invalid_auth_scheme"]],
    ["the scheme Bot", "auth.scheme", "Bot", []],
    ["a header with a space", "auth.header", "X Key", ["auth.header invalid_auth_header"]],
    ["a header that smuggles a line", "auth.header", "x-key\r\nhost", ["auth.header invalid_auth_header"]],
    ["the host header", "auth.header", "Host", ["auth.header invalid_auth_header"]],
    ["an own header", "auth.header", "X-Api-Key", []],
    ["a header of 128 characters", "auth.header", long(128), []],
    ["a header of 129 characters", "auth.header", long(129), ["auth.header invalid_auth_header"]],
    ["a profile key that is a path", "auth.profile_key", "../x", ["auth.profile_key invalid_profile_key"]],
    ["a blank account mode", "auth.account_mode", " ", ["auth.account_mode blank_value"]],
  ];
  for (const row of rows) test(row[0], () => expect(problemsOfRow(httpSample, row)).toEqual(row[3]));

  test("none at all is type none", () => {
    const manifest = parseManifest(JSON.stringify(withChange(localSample(), "auth", undefined)));
    expect(manifest.auth).toEqual({ type: "none" });
  });
});

describe("oauth2", () => {
  const rows: readonly Row[] = [
    ["no provider", "auth.provider", undefined, ["auth.provider missing_required"]],
    ["a provider that is no id", "auth.provider", "Google Inc", ["auth.provider invalid_provider"]],
    ["a provider of 64 characters", "auth.provider", long(64), []],
    ["a provider of 65 characters", "auth.provider", long(65), ["auth.provider invalid_provider"]],
    ["scopes as text", "auth.scopes", "read write", ["auth.scopes invalid_scopes"]],
    ["no scopes", "auth.scopes", undefined, ["auth.scopes missing_required"]],
    ["a blank scope", "auth.scopes.0", " ", ["auth.scopes[0] invalid_scopes"]],
    ["two scopes in one", "auth.scopes.0", "read write", ["auth.scopes[0] invalid_scopes"]],
    ["a scope that is a number", "auth.scopes.1", 1, ["auth.scopes[1] invalid_scopes"]],
  ];
  for (const row of rows) test(row[0], () => expect(problemsOfRow(httpSample, row)).toEqual(row[3]));

  test("an empty list is legal, and tools then name no scope", () => {
    const scopeless = withChange(httpSample(), "auth.scopes", []);
    expect(problemsOf(scopeless)).toEqual([
      "tools[0].requires_scopes[0] unknown_tool_scopes",
      "tools[1].requires_scopes[0] unknown_tool_scopes",
      "tools[1].requires_scopes[1] unknown_tool_scopes",
    ]);
    const without = withChange(
      withChange(scopeless, "tools.0.requires_scopes", []),
      "tools.1.requires_scopes",
      undefined,
    );
    expect(problemsOf(without)).toEqual([]);
  });
});

describe("api_key", () => {
  const rows: readonly Row[] = [
    ["a key name with a dash", "auth.key_name", "MY-KEY", ["auth.key_name invalid_key_name"]],
    ["a key name of 64 characters", "auth.key_name", long(64, "K"), []],
    ["a key name of 65 characters", "auth.key_name", long(65, "K"), ["auth.key_name invalid_key_name"]],
    ["a blank prompt", "auth.prompt", "", ["auth.prompt blank_value"]],
    ["a help address that is a script", "auth.help_url", "javascript:alert(1)", ["auth.help_url invalid_help_url"]],
    ["a help address that is no address", "auth.help_url", "see the docs", ["auth.help_url invalid_help_url"]],
    ["no key name, header or prompt", "auth", { type: "api_key" }, []],
    ["scopes, which are ignored", "auth.scopes", [], []],
    ["scopes of any shape, which are ignored", "auth.scopes", 7, []],
    ["a validation that is no object", "auth.validation", "brain_", ["auth.validation not_an_object"]],
    ["an unknown validation key", "auth.validation.regex", "x", ["auth.validation.regex unknown_fields"]],
    ["no prefix", "auth.validation.prefix", undefined, ["auth.validation.prefix missing_required"]],
    ["an empty prefix", "auth.validation.prefix", "", ["auth.validation.prefix invalid_auth_validation"]],
    ["no lower bound", "auth.validation.min_bytes", undefined, ["auth.validation.min_bytes missing_required"]],
    ["a lower bound of 0", "auth.validation.min_bytes", 0, ["auth.validation.min_bytes invalid_auth_validation"]],
    ["bounds that are equal", "auth.validation.min_bytes", 512, []],
    ["bounds that cross", "auth.validation.min_bytes", 513, ["auth.validation.max_bytes invalid_auth_validation"]],
    ["another charset", "auth.validation.charset", "ascii", ["auth.validation.charset invalid_auth_validation"]],
    ["a switch as text", "auth.validation.forbid_whitespace", "true", ["auth.validation.forbid_whitespace wrong_type"]],
  ];
  for (const row of rows) test(row[0], () => expect(problemsOfRow(hostedSample, row)).toEqual(row[3]));

  test("is read whole", () => {
    expect(parseManifest(JSON.stringify(hostedSample())).auth).toEqual({
      type: "api_key",
      keyName: "BRAIN_TOKEN",
      header: "Authorization",
      scheme: "Bearer",
      prompt: "Your token",
      helpUrl: "https://example.com/tokens",
      validation: { prefix: "brain_", minBytes: 16, maxBytes: 512, forbidWhitespace: true },
    });
  });

  test("a validation needs plugin_api 3", () => {
    const validation = { prefix: "n_", min_bytes: 1, max_bytes: 2, charset: "visible_ascii", forbid_whitespace: true };
    const auth = { type: "api_key", validation };
    expect(problemsOf(withChange(localSample(), "auth", auth))).toEqual([]);
    expect(problemsOf(withChange(httpSample(), "auth", auth))).toEqual(["auth.validation requires_plugin_api_3"]);
  });

  test("tools may name scopes for people to read, which nothing is judged against", () => {
    const manifest = parseManifest(JSON.stringify(withChange(httpSample(), "auth", { type: "api_key", scopes: [] })));
    expect(manifest.tools[0]).toMatchObject({ requiresScopes: ["read"] });
  });
});

test("a hosted plugin sends a key as `Authorization: Bearer` and in no other way", () => {
  expect(problemsOf(withChange(hostedSample(), "auth", { type: "none" }))).toEqual(["auth.type invalid_remote_auth"]);
  expect(problemsOf(withChange(hostedSample(), "auth.header", "AUTHORIZATION"))).toEqual([]);
  expect(problemsOf(withChange(hostedSample(), "auth.header", "x-key"))).toEqual(["auth.header invalid_remote_auth"]);
  expect(problemsOf(withChange(hostedSample(), "auth.scheme", "Bot"))).toEqual(["auth.scheme invalid_remote_auth"]);
  const oauth2 = { type: "oauth2", provider: "x", scopes: [] };
  const problems = problemsOf({ ...hostedSample(), auth: oauth2, health_check: {} });
  expect(problems).toEqual(["auth.type invalid_remote_auth"]);
});
