/** What an agent reads when Slack refuses: failures inside 200, rate limits, a key that is wrong, narrow or not there. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Called, HttpHome } from "../lab/http-home.ts";
import { type HttpLab, openHttpLab } from "../lab/http-lab.ts";
import { labMissing } from "../lab/network.ts";
import { sent } from "../lab/sent.ts";

const missing = labMissing();
if (missing !== undefined) console.warn(`not run: ${missing} is missing`);

const get = (pathAndQuery: string, key = "xoxb-lab-token") =>
  sent(`GET https://slack.com${pathAndQuery}`, { authorization: `Bearer ${key}` });
const REJECTED = "API key rejected — update it with `fermix plugins auth set slack`";

/** The exit code and the texts of a refusal. */
function told(called: Called): object {
  if ("value" in called) return called;
  const { code, message, fix } = called.error;
  return { exit: called.code, code, message, fix };
}

describe.if(missing === undefined)("slack refuses", () => {
  let lab: HttpLab;
  let home: HttpHome;

  beforeAll(async () => {
    lab = await openHttpLab(["slack"]);
    home = await lab.home({ plugins: ["slack"], keys: { slack: "xoxb-lab-token" } });
  }, 60_000);
  afterAll(() => {
    home?.[Symbol.dispose]();
    lab?.[Symbol.dispose]();
  });

  test("HTTP-9/slack ok:false inside 200 is an error with Slack's code and what to do", async () => {
    expect(told(await home.call("slack_channel_history", { channel: "C0UNKNOWN" }))).toEqual({
      exit: 1,
      code: "provider_failed",
      message: "slack answered 200 and reports a failure: channel_not_found.",
      fix: "check the channel's id; a private channel shows itself only to an app that was invited to it",
    });
    expect(told(await home.call("slack_channel_history", { channel: "C07NOTAMEM" }))).toEqual({
      exit: 1,
      code: "provider_failed",
      message: "slack answered 200 and reports a failure: not_in_channel.",
      fix: "invite the app to the channel in Slack, then call again",
    });
    expect(told(await home.call("slack_channel_replies", { channel: "C012AB3CD", ts: "1.000000" }))).toEqual({
      exit: 1,
      code: "provider_failed",
      message:
        'slack answered 200 and reports a failure: invalid_arguments: [ERROR] ts: "1.000000" does not match ^\\d{10}\\.\\d{6}$',
      fix: "correct the arguments as the answer says, then call again",
    });
    expect(await lab.calls()).toHaveLength(3);
  });

  test("HTTP-9/slack an agent reads the same over MCP", async () => {
    const { isError, value } = await home.callAsAgent("slack_channel_history", { channel: "C07NOTAMEM" });
    expect(isError).toBe(true);
    expect(value).toContain("slack answered 200 and reports a failure: not_in_channel.");
    expect(value).toContain("invite the app to the channel in Slack, then call again");
    expect(await lab.calls()).toEqual([get("/api/conversations.history?channel=C07NOTAMEM&limit=50")]);
  });

  test("HTTP-7/required a call without its channel makes no request", async () => {
    const refused = await home.call("slack_channel_history", { limit: 5 });
    expect(told(refused)).toMatchObject({ exit: 2, message: "missing required parameter: channel" });
    expect(await lab.calls()).toEqual([]);
  });

  test("HTTP-10/rate-limit 429 names how long to wait, and the next call goes through", async () => {
    const body = { ok: false, error: "ratelimited" };
    await lab.prepare({
      host: "slack.com",
      path: "/api/team.info",
      answers: [
        { status: 429, headers: { "retry-after": "30" }, body },
        { status: 429, body },
      ],
    });
    expect(told(await home.call("slack_team_info"))).toEqual({
      exit: 1,
      code: "rate_limited",
      message: "rate-limited retry after 30s",
      fix: "wait 30 s, then call slack_team_info again",
    });
    expect(told(await home.call("slack_team_info"))).toEqual({
      exit: 1,
      code: "rate_limited",
      message: "rate-limited",
      fix: "wait a minute, then call slack_team_info again",
    });
    expect(await home.call("slack_team_info")).toMatchObject({ code: 0, value: { id: "T12345" } });
    expect(await lab.calls()).toEqual([get("/api/team.info"), get("/api/team.info"), get("/api/team.info")]);
  });

  test("HTTP-6/continued a rate limit in the middle of a listing keeps what came before it", async () => {
    const refusal = { status: 429, headers: { "retry-after": "30" }, body: { ok: false, error: "ratelimited" } };
    await lab.prepare({ host: "slack.com", path: "/api/users.list", answers: [null, refusal] });
    const given = { limit: 2 };
    expect(await home.call("slack_list_members", given)).toMatchObject({
      code: 0,
      value: {
        items: [{ id: "W012A3CDE" }, { id: "W07QCRPA4" }],
        truncated: true,
        next_cursor: "dXNlcjpVMERFUExPWUVS",
        stopped_by: { code: "rate_limited", message: "rate-limited retry after 30s" },
      },
    });
    const rest = await home.call("slack_list_members", { ...given, page_cursor: "dXNlcjpVMERFUExPWUVS" });
    expect(rest).toMatchObject({ code: 0, value: { items: [{ id: "U0DEPLOYER" }], truncated: false } });
    expect((await lab.calls()).map(({ query }) => query)).toEqual([
      "limit=2",
      "limit=2&cursor=dXNlcjpVMERFUExPWUVS",
      "limit=2&cursor=dXNlcjpVMERFUExPWUVS",
    ]);
  });

  test("a cursor of long ago is refused by Slack and named", async () => {
    expect(told(await home.call("slack_list_members", { page_cursor: "b2xk" }))).toEqual({
      exit: 1,
      code: "provider_failed",
      message: "slack answered 200 and reports a failure: invalid_cursor.",
      fix: "start the listing again without a cursor",
    });
    expect(await lab.calls()).toEqual([get("/api/users.list?limit=100&cursor=b2xk")]);
  });

  test("HTTP-10/own-message an outage is the provider's fault, and its page of HTML is not shown whole", async () => {
    const page = `<html><head><title>Server Error | Slack</title></head><body>${"x".repeat(5000)}</body></html>`;
    await lab.prepare({
      host: "slack.com",
      path: "/api/team.info",
      answers: [{ status: 503, headers: { "content-type": "text/html" }, body: page }],
    });
    const refused = await home.call("slack_team_info");
    expect(told(refused)).toMatchObject({
      exit: 1,
      code: "provider_error",
      message: expect.stringMatching(/^provider error \(503\)\. <html>.*x{100}.*…\(truncated\)$/),
      fix: "try again later: the fault is the provider's",
    });
    expect(JSON.stringify(refused).length).toBeLessThan(6000);
    expect(await lab.calls()).toHaveLength(1);
  });

  test("HTTP-10/redacted AUTH-1/no-result AUTH-1/no-error a key that the provider sends back never reaches the agent", async () => {
    await lab.prepare({
      host: "slack.com",
      path: "/api/team.info",
      answers: [
        { body: { ok: true, team: { id: "T1", name: "you sent Bearer xoxb-lab-token", domain: "xoxb-lab-token" } } },
        { status: 400, body: { detail: "bad header: Bearer xoxb-lab-token" } },
      ],
    });
    expect(await home.call("slack_team_info")).toEqual({
      code: 0,
      value: { id: "T1", name: "you sent Bearer [REDACTED]", domain: "[REDACTED]" },
    });
    const { stdout, stderr } = await home.inLab("call slack_team_info --json");
    expect(stdout + stderr).not.toContain("xoxb-lab-token");
    expect(JSON.parse(stdout).error.message).toContain("bad header: Bearer [REDACTED]");
    expect(await lab.calls()).toHaveLength(2);
  });

  test("AUTH-6/api-key a revoked key is told apart from everything else, and sent once", async () => {
    using revoked = await lab.home({ plugins: ["slack"], keys: { slack: "xoxb-lab-revoked" } });
    expect(told(await revoked.call("slack_team_info"))).toEqual({
      exit: 4,
      code: "api_key_rejected",
      message: REJECTED,
      fix: "run `fermix plugins auth set slack`",
    });
    expect(await lab.calls()).toEqual([get("/api/team.info", "xoxb-lab-revoked")]);
  });

  test("a key without the scope is told which one it lacks", async () => {
    using narrow = await lab.home({ plugins: ["slack"], keys: { slack: "xoxb-lab-narrow" } });
    expect(told(await narrow.call("slack_team_info"))).toEqual({
      exit: 4,
      code: "missing_scope",
      message: "slack is missing a required scope (team:read).",
      fix: "add the scope to the app or key at the provider, then run `fermix plugins auth set slack`",
    });
    expect(await narrow.call("slack_list_channels")).toMatchObject({ code: 0 });
    expect(await lab.calls()).toHaveLength(2);
  });

  test("AUTH-6/key-missing no key: nothing is sent, and the way to store one is named", async () => {
    using keyless = await lab.home({ plugins: ["slack"] });
    expect(told(await keyless.call("slack_team_info"))).toEqual({
      exit: 4,
      code: "key_missing",
      message: "slack is missing its API key. Run `fermix plugins auth set slack`.",
      fix: "`fermix plugins auth set slack` (it asks for the value), or `--stdin` to pipe it in; without a keychain, set FERMIX_PLUGIN_KEY_SLACK",
    });
    expect(await lab.calls()).toEqual([]);
  });
});
