/** `gmail-read.ts`: the requests of a search and of reading one message, and what is made of the answers. */
import { describe, expect, test } from "bun:test";
import { FermixError } from "../../../../src/kernel/error.ts";
import type { JsonObject } from "../../../../src/kernel/json.ts";
import { getMessage, searchMessages } from "../../../../src/rails/http/native/gmail-read.ts";
import { expectRefusal } from "../../../expect.ts";
import { scriptedAsk } from "../../../fakes/ask.ts";

const MESSAGES = "https://gmail.googleapis.com/gmail/v1/users/me/messages";
const HEADERS = "format=metadata&metadataHeaders=From&metadataHeaders=To&metadataHeaders=Subject&metadataHeaders=Date";
const reads = (url: string) => ({ method: "GET", url, headers: {}, success: [200] }) as const;

function summarised(id: string): JsonObject {
  const headers = [
    { name: "From", value: `from-${id}` },
    { name: "To", value: `to-${id}` },
    { name: "Subject", value: `about ${id}` },
    { name: "Date", value: "Mon, 30 Nov 2026 09:15:00 +0100" },
  ];
  return {
    id,
    threadId: `t-${id}`,
    labelIds: ["INBOX"],
    snippet: `short ${id}`,
    payload: { mimeType: "text/plain", headers },
  };
}

describe("gmail_search_messages", () => {
  const args = new Map<string, string | number>([
    ["query", "from:ann +urgent & more"],
    ["max_results", 25],
  ]);
  const LIST = `${MESSAGES}?q=from%3Aann%20%2Burgent%20%26%20more&maxResults=25`;

  test("lists, then asks for four headers of each message, and keeps the list's order", async () => {
    const ids = ["a", "b", "c"];
    const { ask, asked } = scriptedAsk({
      [`GET ${LIST}`]: { messages: ids.map((id) => ({ id, threadId: `t-${id}` })), nextPageToken: "9" },
      ...Object.fromEntries(ids.map((id) => [`GET ${MESSAGES}/${id}?${HEADERS}`, summarised(id)])),
    });
    expect(await searchMessages(args, ask)).toEqual({
      messages: ids.map((id) => ({
        id,
        threadId: `t-${id}`,
        snippet: `short ${id}`,
        from: `from-${id}`,
        to: `to-${id}`,
        subject: `about ${id}`,
        date: "Mon, 30 Nov 2026 09:15:00 +0100",
      })),
      truncated: true,
    });
    expect(asked).toEqual([reads(LIST), ...ids.map((id) => reads(`${MESSAGES}/${id}?${HEADERS}`))]);
  });

  test("leaves out a message that is deleted in between, and passes every other failure on", async () => {
    const failing = (status: number) => () => {
      const details = { plugin: "gmail", tool: "gmail_search_messages", status, body: "" };
      return Promise.reject(new FermixError("request_failed", details));
    };
    const answers = (status: number) => ({
      [`GET ${LIST}`]: { messages: [{ id: "a" }, { id: "b" }] },
      [`GET ${MESSAGES}/a?${HEADERS}`]: failing(status),
      [`GET ${MESSAGES}/b?${HEADERS}`]: summarised("b"),
    });
    const found = await searchMessages(args, scriptedAsk(answers(404)).ask);
    expect(found).toMatchObject({ messages: [{ id: "b" }] });
    await expectRefusal(searchMessages(args, scriptedAsk(answers(400)).ask), "request_failed");
  });

  test("finds nothing without asking for anything more", async () => {
    const { ask, asked } = scriptedAsk({ [`GET ${LIST}`]: { resultSizeEstimate: 0 } });
    expect(await searchMessages(args, ask)).toEqual({ messages: [] });
    expect(asked).toEqual([reads(LIST)]);
  });

  test("has at most six requests under way, so that another call finds a slot", async () => {
    let under = 0;
    let most = 0;
    const ids = [...Array(30).keys()].map((at) => `m${at}`);
    const { ask } = scriptedAsk({
      [`GET ${LIST}`]: { messages: ids.map((id) => ({ id })) },
      ...Object.fromEntries(
        ids.map((id) => [
          `GET ${MESSAGES}/${id}?${HEADERS}`,
          async () => {
            under += 1;
            most = Math.max(most, under);
            await Promise.resolve();
            under -= 1;
            return summarised(id);
          },
        ]),
      ),
    });
    await searchMessages(args, ask);
    expect(most).toBe(6);
  });

  test("asks for 500 messages of a list and for no 501st", async () => {
    const listed = (count: number) => ({ messages: [...Array(count).keys()].map((at) => ({ id: `m${at}` })) });
    for (const [count, expected] of [
      [500, 500],
      [501, 500],
    ] as const) {
      let asked = 0;
      await searchMessages(args, async ({ url }) => {
        asked += 1;
        return { status: 200, bytes: 2, body: url === LIST ? listed(count) : {} };
      });
      expect(asked).toBe(expected + 1);
    }
  });

  test("takes 10 MiB of answers and not one byte more", async () => {
    const MIB = 1024 * 1024;
    const sized = (last: number) =>
      searchMessages(args, async ({ url }) => {
        if (url === LIST)
          return { status: 200, bytes: MIB, body: { messages: [{ id: "a" }, { id: "b" }, { id: "c" }] } };
        const bytes = { a: 4 * MIB, b: 3 * MIB, c: last }[/messages\/(.)/.exec(url)?.[1] ?? ""] ?? 0;
        return { status: 200, bytes, body: {} };
      });
    expect(await sized(2 * MIB)).toEqual({ messages: [{}, {}, {}] });
    const details = { plugin: "gmail", tool: "gmail_search_messages", write: false, limitBytes: 10 * MIB };
    await expectRefusal(sized(2 * MIB + 1), "response_too_large", details);
  });

  test("gives the failure of one message as its own", async () => {
    const failure = new FermixError("argument_invalid", { argument: "id", reason: "gone" });
    const { ask } = scriptedAsk({
      [`GET ${LIST}`]: { messages: [{ id: "a" }] },
      [`GET ${MESSAGES}/a?${HEADERS}`]: () => Promise.reject(failure),
    });
    await expectRefusal(searchMessages(args, ask), "argument_invalid", { argument: "id", reason: "gone" });
  });

  test("an id that would lead elsewhere is not followed", async () => {
    const { ask, asked } = scriptedAsk({ [`GET ${LIST}`]: { messages: [{ id: ".." }] } });
    await expectRefusal(searchMessages(args, ask), "argument_invalid");
    expect(asked.length).toBe(1);
  });
});

describe("gmail_get_message", () => {
  test("gives the summary, what a reply needs, and the text", async () => {
    const headers = [
      { name: "From", value: "Ann <ann@example.org>" },
      { name: "To", value: "bo@example.com" },
      { name: "Cc", value: "cy@example.net" },
      { name: "Subject", value: "Dinner – Friday" },
      { name: "Date", value: "Mon, 30 Nov 2026 09:15:00 +0100" },
      { name: "Message-Id", value: "<2@example.org>" },
      { name: "References", value: "<0@example.org> <1@example.org>" },
    ];
    const body = { size: 6, data: Buffer.from("Hé 🎉").toString("base64url") };
    const url = `${MESSAGES}/a%2Fb%3Fc?format=full`;
    const { ask, asked } = scriptedAsk({
      [`GET ${url}`]: {
        id: "a/b?c",
        threadId: "t",
        snippet: "Hé",
        payload: { mimeType: "text/plain", filename: "", headers, body },
      },
    });
    expect(await getMessage(new Map([["id", "a/b?c"]]), ask)).toEqual({
      id: "a/b?c",
      threadId: "t",
      snippet: "Hé",
      from: "Ann <ann@example.org>",
      to: "bo@example.com",
      cc: "cy@example.net",
      subject: "Dinner – Friday",
      date: "Mon, 30 Nov 2026 09:15:00 +0100",
      message_id: "<2@example.org>",
      references: "<0@example.org> <1@example.org>",
      body: "Hé 🎉",
    });
    expect(asked).toEqual([reads(url)]);
  });

  test("an empty id is refused: it would list the mailbox", async () => {
    const { ask, asked } = scriptedAsk({});
    const { argument } = await expectRefusal(getMessage(new Map([["id", ""]]), ask), "argument_invalid");
    expect(argument).toBe("id");
    expect(asked).toEqual([]);
  });
});
