/** What the stand-in for Google holds: one mailbox, two calendars and a few files. */
import type { JsonObject } from "../../../src/kernel/json.ts";

const base64url = (text: string | Uint8Array): string => Buffer.from(text).toString("base64url");
const header = (name: string, value: string): JsonObject => ({ name, value });

const UTF8_TEXT = [header("Content-Type", 'text/plain; charset="UTF-8"')];

/** A message with text, HTML and an attached file, three levels deep. */
const NESTED: JsonObject = {
  id: "18c2f0a1b2c3d4e5",
  threadId: "18c2f0a1b2c3d4e0",
  labelIds: ["INBOX", "UNREAD"],
  snippet: "Hi Bo, the café is booked for seven.",
  historyId: "9007199254740993123",
  internalDate: "1796000000000",
  sizeEstimate: 4821,
  payload: {
    partId: "",
    mimeType: "multipart/mixed",
    filename: "",
    headers: [
      header("Delivered-To", "bo@example.com"),
      header("From", "Ann Müller <ann@example.org>"),
      header("To", "Bo <bo@example.com>"),
      header("Cc", "Cy <cy@example.net>"),
      header("Subject", "Dinner – Friday"),
      header("Date", "Mon, 30 Nov 2026 09:15:00 +0100"),
      header("Message-ID", "<dinner-2@mail.example.org>"),
      header("References", "<dinner-0@mail.example.org> <dinner-1@mail.example.org>"),
    ],
    body: { size: 0 },
    parts: [
      {
        partId: "0",
        mimeType: "multipart/alternative",
        filename: "",
        headers: [header("Content-Type", 'multipart/alternative; boundary="b2"')],
        body: { size: 0 },
        parts: [
          {
            partId: "0.0",
            mimeType: "text/html",
            filename: "",
            headers: [header("Content-Type", 'text/html; charset="UTF-8"')],
            body: { size: 46, data: base64url("<p>Hi Bo,</p><p>the café is booked for seven.</p>") },
          },
          {
            partId: "0.1",
            mimeType: "text/plain",
            filename: "",
            headers: UTF8_TEXT,
            body: { size: 47, data: base64url("Hi Bo,\r\n\r\nthe café is booked for seven. 🎉\r\n") },
          },
        ],
      },
      {
        partId: "1",
        mimeType: "text/plain",
        filename: "menu.txt",
        headers: [header("Content-Type", 'text/plain; name="menu.txt"')],
        body: { attachmentId: "ANGjdJ8", size: 210 },
      },
    ],
  },
};

/** A message of a single part, in a charset that is not UTF-8, as its bytes were sent. */
const LATIN: JsonObject = {
  id: "18c2f0a1b2c3d4e6",
  threadId: "18c2f0a1b2c3d4e6",
  labelIds: ["INBOX"],
  snippet: "Sch&ouml;ne Gr&uuml;&szlig;e",
  historyId: "104",
  internalDate: "1796000500000",
  sizeEstimate: 812,
  payload: {
    partId: "",
    mimeType: "text/plain",
    filename: "",
    headers: [
      header("From", "cy@example.net"),
      header("To", "bo@example.com"),
      header("Subject", "Grüße"),
      header("Date", "Mon, 30 Nov 2026 10:00:00 +0100"),
      header("Message-Id", "<gruss@mail.example.net>"),
      header("Content-Type", "text/plain; charset=ISO-8859-1"),
    ],
    body: { size: 12, data: base64url(Buffer.from("Schöne Grüße", "latin1")) },
  },
};

export const MESSAGES: readonly JsonObject[] = [NESTED, LATIN];
export const THREADS: readonly string[] = ["18c2f0a1b2c3d4e0", "18c2f0a1b2c3d4e6"];
export const DRAFTS: readonly string[] = ["r-5551234567890123456"];

const attendee = (email: string, responseStatus: string, more: JsonObject = {}): JsonObject => ({
  email,
  responseStatus,
  ...more,
});

/** Calendar events by id. The account is bo@example.com. */
export const EVENTS: Readonly<Record<string, JsonObject>> = {
  planning: {
    kind: "calendar#event",
    etag: '"3592000000000000"',
    id: "planning",
    status: "confirmed",
    summary: "Planning",
    organizer: { email: "ann@example.org" },
    start: { dateTime: "2026-12-03T10:00:00+01:00", timeZone: "Europe/Berlin" },
    end: { dateTime: "2026-12-03T11:00:00+01:00", timeZone: "Europe/Berlin" },
    attendees: [
      attendee("ann@example.org", "accepted", { organizer: true, displayName: "Ann Müller" }),
      attendee("bo@example.com", "needsAction", { self: true, comment: "may be late", additionalGuests: 1 }),
      attendee("cy@example.net", "declined", { optional: true }),
    ],
  },
  townhall: {
    kind: "calendar#event",
    etag: '"3592000000000002"',
    id: "townhall",
    status: "confirmed",
    summary: "Town hall",
    organizer: { email: "ann@example.org" },
    start: { date: "2026-12-04" },
    end: { date: "2026-12-05" },
    attendeesOmitted: true,
    attendees: [attendee("bo@example.com", "needsAction", { self: true })],
  },
  focus: {
    kind: "calendar#event",
    etag: '"3592000000000004"',
    id: "focus",
    status: "confirmed",
    summary: "Focus time",
    organizer: { email: "bo@example.com", self: true },
    start: { dateTime: "2026-12-07T09:00:00+01:00" },
    end: { dateTime: "2026-12-07T12:00:00+01:00" },
  },
  board: {
    kind: "calendar#event",
    etag: '"3592000000000006"',
    id: "board",
    status: "confirmed",
    summary: "Board",
    organizer: { email: "ann@example.org" },
    start: { dateTime: "2026-12-08T09:00:00+01:00" },
    end: { dateTime: "2026-12-08T10:00:00+01:00" },
    attendees: [attendee("ann@example.org", "accepted", { organizer: true })],
  },
};

export const CALENDARS: readonly string[] = ["primary", "bo@example.com", "team#1@group.calendar.google.com"];

export interface StoredFile {
  readonly id: string;
  readonly name: string;
  readonly mimeType: string;
  readonly trashed: boolean;
  /** What writing to it is answered with, when that is refused. */
  readonly refused?: "insufficientFilePermissions" | "appNotAuthorizedToFile";
}

export const FILES: readonly StoredFile[] = [
  { id: "1Plan", name: "Bo's plan", mimeType: "application/vnd.google-apps.document", trashed: false },
  { id: "1Path", name: "C:\\temp notes", mimeType: "text/plain", trashed: false },
  { id: "1Old", name: "Bo's old plan", mimeType: "text/plain", trashed: true },
  { id: "1Shared", name: "Salaries", mimeType: "text/plain", trashed: false, refused: "insufficientFilePermissions" },
  { id: "1Foreign", name: "Elsewhere", mimeType: "text/plain", trashed: false, refused: "appNotAuthorizedToFile" },
];

export const FOLDERS: readonly string[] = ["0Inbox", "0Archive"];
