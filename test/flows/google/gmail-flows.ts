/** Gmail's tools: their requests as developers.google.com/workspace/gmail documents them. */
import { bare, type Flow, read, wrote } from "./flow.ts";

const GMAIL = "https://gmail.googleapis.com/gmail/v1/users/me";
const SUMMARY = "format=metadata&metadataHeaders=From&metadataHeaders=To&metadataHeaders=Subject&metadataHeaders=Date";

const DINNER = "18c2f0a1b2c3d4e5";
const THREAD = "18c2f0a1b2c3d4e0";
const LATIN = "18c2f0a1b2c3d4e6";

const DINNER_SUMMARY = {
  id: DINNER,
  threadId: THREAD,
  snippet: "Hi Bo, the café is booked for seven.",
  from: "Ann Müller <ann@example.org>",
  to: "Bo <bo@example.com>",
  subject: "Dinner – Friday",
  date: "Mon, 30 Nov 2026 09:15:00 +0100",
};

/** The JSON body around a mail that consists of these lines. */
const mailed = (lines: readonly string[], wrap: (raw: string) => object): string =>
  JSON.stringify(wrap(Buffer.from(lines.join("\r\n")).toString("base64url")));

const MESSAGES_PAGE = "gmail/api/reference/rest/v1/users.messages";

export const GMAIL_FLOWS: readonly Flow[] = [
  {
    tool: "gmail_search_messages",
    page: `${MESSAGES_PAGE}/list`,
    args: { query: "dinner" },
    calls: [read(`GET ${GMAIL}/messages?q=dinner&maxResults=10`), read(`GET ${GMAIL}/messages/${DINNER}?${SUMMARY}`)],
    value: { messages: [DINNER_SUMMARY] },
  },
  {
    tool: "gmail_search_messages",
    page: `${MESSAGES_PAGE}/list`,
    args: { query: "from:nobody +a&b", max_results: 500 },
    calls: [read(`GET ${GMAIL}/messages?q=from%3Anobody%20%2Ba%26b&maxResults=500`)],
    value: { messages: [] },
  },
  {
    tool: "gmail_get_message",
    page: `${MESSAGES_PAGE}/get`,
    args: { id: DINNER },
    calls: [read(`GET ${GMAIL}/messages/${DINNER}?format=full`)],
    value: {
      ...DINNER_SUMMARY,
      cc: "Cy <cy@example.net>",
      message_id: "<dinner-2@mail.example.org>",
      references: "<dinner-0@mail.example.org> <dinner-1@mail.example.org>",
      body: "Hi Bo,\r\n\r\nthe café is booked for seven. 🎉\r\n",
    },
  },
  {
    tool: "gmail_get_message",
    page: `${MESSAGES_PAGE}/get`,
    args: { id: LATIN },
    calls: [read(`GET ${GMAIL}/messages/${LATIN}?format=full`)],
    value: {
      id: LATIN,
      threadId: LATIN,
      snippet: "Sch&ouml;ne Gr&uuml;&szlig;e",
      from: "cy@example.net",
      to: "bo@example.com",
      subject: "Grüße",
      date: "Mon, 30 Nov 2026 10:00:00 +0100",
      message_id: "<gruss@mail.example.net>",
      body: "Schöne Grüße",
    },
  },
  {
    tool: "gmail_send_message",
    page: `${MESSAGES_PAGE}/send`,
    args: { to: "Ann Müller <ann@example.org>, cy@example.net", subject: "Grüße", body: "Hallo,\nwie geht's?\n" },
    calls: [
      wrote(
        `POST ${GMAIL}/messages/send`,
        mailed(
          [
            "To: =?UTF-8?Q?Ann_M=C3=BCller?= <ann@example.org>, cy@example.net",
            "Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=",
            "Content-Transfer-Encoding: 7bit",
            "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8",
            "",
            "Hallo,",
            "wie geht's?",
            "",
          ],
          (raw) => ({ raw }),
        ),
      ),
    ],
    value: { id: "18c2f0a1b2c3d500", threadId: "18c2f0a1b2c3d500", labelIds: ["SENT"] },
  },
  {
    tool: "gmail_reply_to_thread",
    page: `${MESSAGES_PAGE}#Message`,
    args: {
      thread_id: THREAD,
      to: "ann@example.org",
      cc: "cy@example.net",
      bcc: "di@example.net",
      subject: "Re: Dinner",
      body: "Schön!",
      in_reply_to: "<dinner-2@mail.example.org>",
      references: "<dinner-0@mail.example.org> <dinner-1@mail.example.org>",
    },
    calls: [
      wrote(
        `POST ${GMAIL}/messages/send`,
        mailed(
          [
            "To: ann@example.org",
            "Cc: cy@example.net",
            "Bcc: di@example.net",
            "Subject: Re: Dinner",
            "In-Reply-To: <dinner-2@mail.example.org>",
            "References: <dinner-0@mail.example.org> <dinner-1@mail.example.org>",
            " <dinner-2@mail.example.org>",
            "Content-Transfer-Encoding: quoted-printable",
            "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8",
            "",
            "Sch=C3=B6n!",
            "",
          ],
          (raw) => ({ raw, threadId: THREAD }),
        ),
      ),
    ],
    value: { id: "18c2f0a1b2c3d500", threadId: THREAD, labelIds: ["SENT"] },
  },
  {
    tool: "gmail_create_draft",
    page: "gmail/api/reference/rest/v1/users.drafts/create",
    args: { to: "ann@example.org", subject: "Later", body: "text", thread_id: THREAD },
    calls: [
      wrote(
        `POST ${GMAIL}/drafts`,
        mailed(
          [
            "To: ann@example.org",
            "Subject: Later",
            "Content-Transfer-Encoding: 7bit",
            "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8",
            "",
            "text",
            "",
          ],
          (raw) => ({ message: { raw, threadId: THREAD } }),
        ),
      ),
    ],
    value: { id: "r-777", message: { id: "18c2f0a1b2c3d500", threadId: THREAD, labelIds: ["DRAFT"] } },
  },
  {
    tool: "gmail_send_draft",
    page: "gmail/api/reference/rest/v1/users.drafts/send",
    args: { id: "r-5551234567890123456" },
    calls: [wrote(`POST ${GMAIL}/drafts/send`, '{"id":"r-5551234567890123456"}')],
    value: { id: "18c2f0a1b2c3d501", threadId: "18c2f0a1b2c3d501", labelIds: ["SENT"] },
  },
  {
    tool: "gmail_modify_message_labels",
    page: `${MESSAGES_PAGE}/modify`,
    args: { id: DINNER, add_label_ids: ["STARRED"], remove_label_ids: '["UNREAD"]' },
    calls: [
      wrote(`POST ${GMAIL}/messages/${DINNER}/modify`, '{"addLabelIds":["STARRED"],"removeLabelIds":["UNREAD"]}'),
    ],
    value: { id: DINNER, threadId: THREAD, labelIds: ["INBOX", "STARRED"] },
  },
  {
    tool: "gmail_trash_message",
    page: `${MESSAGES_PAGE}/trash`,
    args: { id: DINNER },
    calls: [bare(`POST ${GMAIL}/messages/${DINNER}/trash`)],
    value: { id: DINNER, threadId: THREAD, labelIds: ["UNREAD", "TRASH"] },
  },
  {
    tool: "gmail_untrash_message",
    page: `${MESSAGES_PAGE}/untrash`,
    args: { id: DINNER },
    calls: [bare(`POST ${GMAIL}/messages/${DINNER}/untrash`)],
    value: { id: DINNER, threadId: THREAD, labelIds: ["INBOX", "UNREAD"] },
  },
  {
    tool: "gmail_create_label",
    page: "gmail/api/reference/rest/v1/users.labels/create",
    args: { name: "Trips/2027", label_list_visibility: "labelShowIfUnread" },
    calls: [wrote(`POST ${GMAIL}/labels`, '{"name":"Trips/2027","labelListVisibility":"labelShowIfUnread"}')],
    value: { id: "Label_7", name: "Trips/2027", labelListVisibility: "labelShowIfUnread", type: "user" },
  },
];
