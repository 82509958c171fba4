/** AgentMail through the compiled binary: every tool's request as docs.agentmail.to/api-reference has it. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { HttpHome } from "../lab/http-home.ts";
import { type HttpLab, openHttpLab } from "../lab/http-lab.ts";
import { labMissing } from "../lab/network.ts";
import { sent } from "../lab/sent.ts";

const missing = labMissing();
if (missing !== undefined) console.warn(`not run: ${missing} is missing`);

const API = "https://api.agentmail.to";
const HEADERS = { authorization: "Bearer am_lab_key" };
const get = (path: string, query?: string) =>
  sent(`GET ${API}${path}${query === undefined ? "" : `?${query}`}`, HEADERS);
const post = (path: string, body: string) => sent(`POST ${API}${path}`, HEADERS, body);

/** An inbox's id is its address. */
const INBOX = "support@agentmail.to";
const BELOW_INBOX = "/v0/inboxes/support%40agentmail.to";
/** A message's id is its Message-ID: angle brackets, and whatever its author's program put between them. */
const MESSAGE = "<c3/plus+sign@mail.example.com>";
const BELOW_MESSAGE = `${BELOW_INBOX}/messages/%3Cc3%2Fplus%2Bsign%40mail.example.com%3E`;

const inbox = (id: string, name: string): object => ({
  pod_id: "pod_lab",
  inbox_id: id,
  email: id,
  display_name: name,
  created_at: "2026-11-01T08:00:00Z",
  updated_at: "2026-11-01T08:00:00Z",
});
const mail = (id: string, timestamp: string, from: string, subject: string): object => ({
  inbox_id: INBOX,
  thread_id: "thd_1",
  message_id: id,
  labels: ["received", "unread"],
  timestamp,
  from,
  to: [INBOX],
  subject,
  preview: `About ${subject}`,
  size: 512,
  created_at: timestamp,
  updated_at: timestamp,
});
const FIRST = mail("<a1@mail.example.com>", "2026-11-01T10:00:00Z", "Ann <ann@example.com>", "First");
const SECOND = mail("<b2@mail.example.com>", "2026-11-02T10:00:00Z", "bob@example.org", "Second");
const THIRD = mail(MESSAGE, "2026-11-03T10:00:00Z", "Ann <ann@example.com>", "Third");
const TEXTS = {
  text: "Hello,\r\nis the café open? 12345678901234567890",
  html: "<p>Hello</p>",
  extracted_text: "Hello,",
};
const SENT = { message_id: "<0100018f-lab@email.amazonses.com>" };

describe.if(missing === undefined)("agentmail", () => {
  let lab: HttpLab;
  let home: HttpHome;

  beforeAll(async () => {
    lab = await openHttpLab(["agentmail"]);
    home = await lab.home({ plugins: ["agentmail"], keys: { agentmail: "am_lab_key" } });
  }, 60_000);
  afterAll(() => {
    home?.[Symbol.dispose]();
    lab?.[Symbol.dispose]();
  });

  test("agentmail_create_inbox: inboxes/create", async () => {
    const given = { username: "agent", domain: "mail.example.com", display_name: "Ägent 🤖", client_id: "my-1" };
    expect(await home.call("agentmail_create_inbox", given)).toEqual({
      code: 0,
      value: {
        pod_id: "pod_lab",
        inbox_id: "agent@mail.example.com",
        email: "agent@mail.example.com",
        created_at: "2026-11-30T00:00:00Z",
        updated_at: "2026-11-30T00:00:00Z",
        display_name: "Ägent 🤖",
        client_id: "my-1",
      },
    });
    expect(await lab.calls()).toEqual([
      post(
        "/v0/inboxes",
        '{"username":"agent","domain":"mail.example.com","display_name":"Ägent 🤖","client_id":"my-1"}',
      ),
    ]);
  });

  test("agentmail_create_inbox with nothing given sends an empty object", async () => {
    expect(await home.call("agentmail_create_inbox")).toMatchObject({
      code: 0,
      value: { inbox_id: "random123@agentmail.to" },
    });
    expect(await lab.calls()).toEqual([post("/v0/inboxes", "{}")]);
  });

  test("HTTP-6/cursor agentmail_list_inboxes follows next_page_token: inboxes/list", async () => {
    expect(await home.call("agentmail_list_inboxes", { limit: 2 })).toEqual({
      code: 0,
      value: {
        items: [inbox(INBOX, "Support"), inbox("sales@agentmail.to", "Sales"), inbox("jobs@agentmail.to", "Jobs")],
        truncated: false,
      },
    });
    expect(await lab.calls()).toEqual([
      get("/v0/inboxes", "limit=2"),
      get("/v0/inboxes", "limit=2&page_token=ZnJvbToy"),
    ]);
  });

  test("HTTP-7/path-encoded agentmail_list_messages: inboxes/messages/list", async () => {
    const given = { inbox_id: INBOX, after: "2026-11-01T00:00:00Z", from: "Ann <" };
    expect(await home.call("agentmail_list_messages", given)).toEqual({
      code: 0,
      value: { items: [THIRD, FIRST], truncated: false },
    });
    expect(await lab.calls()).toEqual([
      get(`${BELOW_INBOX}/messages`, "limit=10&after=2026-11-01T00%3A00%3A00Z&from=Ann%20%3C"),
    ]);
  });

  test("HTTP-6/continued agentmail_list_messages goes on from a page_cursor, through an MCP client", async () => {
    const given = { inbox_id: INBOX, limit: 2, page_cursor: "ZnJvbToy" };
    expect(await home.callAsAgent("agentmail_list_messages", given)).toEqual({
      isError: false,
      value: { items: [FIRST], truncated: false },
    });
    expect(await lab.calls()).toEqual([get(`${BELOW_INBOX}/messages`, "limit=2&page_token=ZnJvbToy")]);
  });

  test("HTTP-7/path-encoded agentmail_get_message, whose id holds a slash: inboxes/messages/get", async () => {
    expect(await home.call("agentmail_get_message", { inbox_id: INBOX, message_id: MESSAGE })).toEqual({
      code: 0,
      value: { ...THIRD, ...TEXTS },
    });
    expect(await lab.calls()).toEqual([get(BELOW_MESSAGE)]);
  });

  test("agentmail_send_message: inboxes/messages/send", async () => {
    const given = {
      inbox_id: INBOX,
      to: ["ann@example.com", "Bob <bob@example.org>"],
      subject: "Grüße",
      text: 'Line one\nline "two"\u2028three',
      html: "<p>One</p>",
      cc: ["carol@example.com"],
      bcc: [],
    };
    expect(await home.call("agentmail_send_message", given)).toEqual({
      code: 0,
      value: { ...SENT, thread_id: "thd_3" },
    });
    expect(await lab.calls()).toEqual([
      post(
        `${BELOW_INBOX}/messages/send`,
        '{"to":["ann@example.com","Bob <bob@example.org>"],"subject":"Grüße","text":"Line one\\nline \\"two\\"\u2028three","html":"<p>One</p>","cc":["carol@example.com"],"bcc":[]}',
      ),
    ]);
  });

  test("HTTP-7/json-text agentmail_send_message takes a list that an agent wrote as text", async () => {
    const given = { inbox_id: INBOX, to: '["ann@example.com"]', text: "Hi", reply_to: "dropped@example.com" };
    expect(await home.callAsAgent("agentmail_send_message", given)).toMatchObject({ isError: false });
    expect(await lab.calls()).toEqual([post(`${BELOW_INBOX}/messages/send`, '{"to":["ann@example.com"],"text":"Hi"}')]);
  });

  test("agentmail_reply: inboxes/messages/reply", async () => {
    const given = { inbox_id: INBOX, message_id: MESSAGE, text: "Yes.", cc: ["carol@example.com"] };
    expect(await home.call("agentmail_reply", given)).toEqual({ code: 0, value: { ...SENT, thread_id: "thd_1" } });
    expect(await lab.calls()).toEqual([post(`${BELOW_MESSAGE}/reply`, '{"text":"Yes.","cc":["carol@example.com"]}')]);
  });

  test("agentmail_list_threads: inboxes/threads/list", async () => {
    expect(await home.call("agentmail_list_threads", { inbox_id: INBOX, limit: 1 })).toMatchObject({
      code: 0,
      value: {
        items: [
          { thread_id: "thd_1", message_count: 3, subject: "First" },
          { thread_id: "thd_2", message_count: 1 },
        ],
        truncated: false,
      },
    });
    expect(await lab.calls()).toEqual([
      get(`${BELOW_INBOX}/threads`, "limit=1"),
      get(`${BELOW_INBOX}/threads`, "limit=1&page_token=ZnJvbTox"),
    ]);
  });

  test("agentmail_get_thread: inboxes/threads/get", async () => {
    expect(await home.call("agentmail_get_thread", { inbox_id: INBOX, thread_id: "thd_1" })).toMatchObject({
      code: 0,
      value: { thread_id: "thd_1", messages: [FIRST, SECOND, THIRD].map((message) => ({ ...message, ...TEXTS })) },
    });
    expect(await lab.calls()).toEqual([get(`${BELOW_INBOX}/threads/thd_1`)]);
  });

  test("agents are told that reading is safe and that sending is not", async () => {
    const tools = await home.agent(async (client) => (await client.listTools()).tools);
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ["agentmail_create_inbox", false],
      ["agentmail_get_message", true],
      ["agentmail_get_thread", true],
      ["agentmail_list_inboxes", true],
      ["agentmail_list_messages", true],
      ["agentmail_list_threads", true],
      ["agentmail_reply", false],
      ["agentmail_send_message", false],
    ]);
    expect(await lab.calls()).toEqual([]);
  });

  test("HTTP-10/own-message what AgentMail refuses is told in its own words", async () => {
    const taken = await home.call("agentmail_create_inbox", { username: "support" });
    expect(taken).toMatchObject({
      code: 1,
      error: { message: 'permission denied. {"name":"IsTakenError","message":"support@agentmail.to is taken"}' },
    });
    const suppressed = await home.call("agentmail_send_message", { inbox_id: INBOX, to: ["gone@example.com"] });
    expect(suppressed).toMatchObject({
      code: 1,
      error: {
        message: 'permission denied. {"name":"MessageRejectedError","message":"gone@example.com is suppressed"}',
      },
    });
    expect(await home.call("agentmail_get_thread", { inbox_id: INBOX, thread_id: "thd_9" })).toMatchObject({
      code: 1,
      error: {
        code: "request_failed",
        message: 'request failed (404). {"name":"NotFoundError","message":"Thread not found"}',
      },
    });
    expect(await home.call("agentmail_list_messages", { inbox_id: INBOX, after: "yesterday" })).toMatchObject({
      code: 1,
      error: { code: "request_failed", message: expect.stringContaining('{"name":"ValidationError"') },
    });
    expect(await lab.calls()).toHaveLength(4);
  });

  test("HTTP-10/rate-limit 429 names how long to wait, and mail is not sent twice: knowledge-base/rate-limits", async () => {
    const until = new Date(Date.now() + 3_600_000).toUTCString();
    const body = { name: "RateLimitError", message: "Too many requests", fix: "Slow down" };
    await lab.prepare({
      host: "api.agentmail.to",
      method: "POST",
      path: `${BELOW_INBOX}/messages/send`,
      answers: [
        { status: 429, headers: { "retry-after": "1" }, body },
        { status: 429, headers: { "retry-after": until }, body },
      ],
    });
    const given = { inbox_id: INBOX, to: ["ann@example.com"], text: "Hi" };
    expect(await home.call("agentmail_send_message", given)).toMatchObject({
      code: 1,
      error: { code: "rate_limited", message: "rate-limited retry after 1s" },
    });
    expect(await home.call("agentmail_send_message", given)).toMatchObject({
      code: 1,
      error: { code: "rate_limited", message: expect.stringMatching(/^rate-limited retry after 3[56]\d\ds$/) },
    });
    expect(await lab.calls()).toHaveLength(2);
  });

  test("a wrong key is a 403 there, and how to replace it is named: knowledge-base/api-403-error", async () => {
    using wrong = await lab.home({ plugins: ["agentmail"], keys: { agentmail: "am_other" } });
    expect(await wrong.call("agentmail_list_inboxes")).toMatchObject({
      error: {
        code: "permission_denied",
        message: 'permission denied. {"message":"Forbidden"}',
        fix: expect.stringContaining("`fermix plugins auth set agentmail`"),
      },
    });
    expect(await lab.calls()).toMatchObject([{ headers: { authorization: "Bearer am_other" } }]);
  });
});
