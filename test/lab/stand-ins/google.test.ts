/** The stand-in of Google is as strict as its reference: what Fermix must never send is refused in Google's own words. */
import { expect, test } from "bun:test";
import { standIn } from "./google.ts";

const GMAIL = "https://gmail.googleapis.com/gmail/v1/users/me";
const CALENDAR = "https://www.googleapis.com/calendar/v3/calendars/primary/events";
const FILES = "https://www.googleapis.com/drive/v3/files";
const UPLOAD = "https://www.googleapis.com/upload/drive/v3/files?uploadType=multipart";
const FIELDS = "fields=files(id,name)";

/** As a client sends it: with the token, and with a length beside a body. */
async function ask(url: string, init: RequestInit = {}): Promise<Response> {
  const length = init.body === undefined ? {} : { "content-length": String(String(init.body).length) };
  const headers = new Headers({ authorization: "Bearer lab-google-token", ...length, ...init.headers });
  for (const [name, value] of [...headers]) if (value === "") headers.delete(name);
  return await standIn.handle(new Request(url, { ...init, headers }));
}

const send = (method: string, body: unknown, type = "application/json"): RequestInit => ({
  method,
  body: typeof body === "string" ? body : JSON.stringify(body),
  headers: { "content-type": type },
});

const raw = (mail: string): object => ({ raw: Buffer.from(mail).toString("base64url") });
const TIMES = { start: { dateTime: "2026-12-09T12:00:00Z" }, end: { dateTime: "2026-12-09T13:00:00Z" } };
const PARTS =
  "--b\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n{}\r\n--b\r\nContent-Type: text/plain\r\n\r\nx\r\n";

test.each([
  ["no token", `${GMAIL}/messages`, { headers: { authorization: "" } }, 401, "authError"],
  ["another scheme", `${GMAIL}/messages`, { headers: { authorization: "Basic bGFi" } }, 401, "authError"],
  ["a token it never gave", FILES, { headers: { authorization: "Bearer x" } }, 401, "authError"],
  [
    "a token without the scope",
    `${GMAIL}/messages/send`,
    { ...send("POST", {}), headers: { authorization: "Bearer lab-google-read-only" } },
    403,
    "insufficientPermissions",
  ],
  ["an unknown parameter", `${GMAIL}/messages?query=x`, {}, 400, "invalid"],
  ["501 results", `${GMAIL}/messages?maxResults=501`, {}, 400, "invalid"],
  ["another format", `${GMAIL}/messages/18c2f0a1b2c3d4e5?format=text`, {}, 400, "invalid"],
  ["a message of someone else", `${GMAIL}/messages/0000?format=full`, {}, 404, "notFound"],
  ["a mail that is not base64url", `${GMAIL}/messages/send`, send("POST", { raw: "a+b/" }), 400, "invalid"],
  ["a mail to nobody", `${GMAIL}/messages/send`, send("POST", raw("Subject: x\r\n\r\nx")), 400, "invalidArgument"],
  ["a mail to no address", `${GMAIL}/messages/send`, send("POST", raw("To: Ann\r\n\r\nx")), 400, "invalidArgument"],
  [
    "a thread that is not there",
    `${GMAIL}/messages/send`,
    send("POST", { ...raw("To: a@b.example\r\n\r\nx"), threadId: "0" }),
    404,
    "notFound",
  ],
  ["a draft without its envelope", `${GMAIL}/drafts`, send("POST", raw("To: a@b.example\r\n\r\nx")), 400, "invalid"],
  ["no labels to change", `${GMAIL}/messages/18c2f0a1b2c3d4e5/modify`, send("POST", {}), 400, "invalidArgument"],
  ["labels as text", `${GMAIL}/messages/18c2f0a1b2c3d4e5/modify`, send("POST", { addLabelIds: "X" }), 400, "invalid"],
  ["JSON that is none", `${GMAIL}/labels`, send("POST", "{"), 400, "invalid"],
  ["a body of another type", `${GMAIL}/labels`, send("POST", { name: "x" }, "text/plain"), 400, "invalid"],
  ["an order without single events", `${CALENDAR}?orderBy=startTime`, {}, 400, "invalid"],
  ["an event without its end", CALENDAR, send("POST", { start: TIMES.start }), 400, "invalid"],
  ["a start that is only a zone", CALENDAR, send("POST", { ...TIMES, start: { timeZone: "UTC" } }), 400, "required"],
  ["a time in words", CALENDAR, send("POST", { ...TIMES, start: { dateTime: "tomorrow" } }), 400, "invalid"],
  ["an attendee without address", `${CALENDAR}/focus`, send("PATCH", { attendees: [{}] }), 400, "invalid"],
  [
    "an older version",
    `${CALENDAR}/focus`,
    { ...send("PATCH", {}), headers: { "if-match": '"0"', "content-type": "application/json" } },
    412,
    "conditionNotMet",
  ],
  [
    "a move to nowhere",
    `${CALENDAR}/focus/move`,
    { method: "POST", headers: { "content-length": "0" } },
    400,
    "invalid",
  ],
  ["an event of someone else", `${CALENDAR}/board`, send("PATCH", { summary: "x" }), 403, "forbiddenForNonOrganizer"],
  ["a search with a loose quote", `${FILES}?q=name contains 'Bo's'&${FIELDS}`, {}, 400, "invalid"],
  ["fields that are no list", `${FILES}?q=name contains 'Bo'&fields=files(`, {}, 400, "invalid"],
  ["1001 files", `${FILES}?pageSize=1001`, {}, 400, "invalid"],
  ["two parents", FILES, send("POST", { parents: ["0Inbox", "0Archive"] }), 400, "invalid"],
  ["a parent that is not there", FILES, send("POST", { parents: ["0"] }), 404, "notFound"],
  ["parents in the body of a move", `${FILES}/1Plan`, send("PATCH", { parents: ["0Inbox"] }), 400, "invalid"],
  ["an upload without parts", UPLOAD, send("POST", "x", "multipart/related; boundary=b"), 400, "invalid"],
  ["an upload without its end", UPLOAD, send("POST", PARTS, "multipart/related; boundary=b"), 400, "invalid"],
  ["an upload as a form", UPLOAD, send("POST", `${PARTS}--b--\r\n`, "multipart/form-data; boundary=b"), 400, "invalid"],
] as const)("refuses %s", async (_what, url, init, status, reason) => {
  const reply = await ask(url, init);
  const { error } = (await reply.json()) as { error: { code: number; errors: { reason: string }[] } };
  expect([reply.status, error.code, error.errors.map((one) => one.reason)]).toEqual([status, status, [reason]]);
});

test("an address of no API is answered with a page, as Google's front end does", async () => {
  for (const url of [`${GMAIL}/mail`, "https://www.googleapis.com/calendar/v2/calendars", `${FILES}/`]) {
    const reply = await ask(url);
    expect([reply.status, reply.headers.get("content-type")]).toEqual([404, "text/html; charset=UTF-8"]);
  }
});

test("a write that does not say its length is refused", async () => {
  expect((await ask(`${GMAIL}/messages/18c2f0a1b2c3d4e5/trash`, { method: "POST" })).status).toBe(411);
});

test("an upload of two parts is taken", async () => {
  const reply = await ask(UPLOAD, send("POST", `${PARTS}--b--\r\n`, "multipart/related; boundary=b"));
  expect(await reply.json()).toMatchObject({ id: "1Upload" });
});

test("the token endpoint knows its client, its grant and its refresh tokens", async () => {
  const form = {
    client_id: "lab-client-id",
    client_secret: "lab-client-secret",
    grant_type: "refresh_token",
    refresh_token: "lab-google-refresh-test-1",
  };
  const redeem = async (more: object): Promise<unknown[]> => {
    const body = new URLSearchParams({ ...form, ...more });
    const reply = await standIn.handle(new Request("https://oauth2.googleapis.com/token", { method: "POST", body }));
    const { error, access_token, refresh_token } = (await reply.json()) as Record<string, unknown>;
    return [reply.status, error ?? access_token, refresh_token];
  };
  expect(await redeem({ client_secret: "other" })).toEqual([401, "invalid_client", undefined]);
  expect(await redeem({ grant_type: "password" })).toEqual([400, "unsupported_grant_type", undefined]);
  expect(await redeem({ refresh_token: "stolen" })).toEqual([400, "invalid_grant", undefined]);
  expect(await redeem({})).toEqual([200, "lab-google-token-test-2", undefined]);
});
