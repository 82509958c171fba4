/** What Google refuses, told apart: scopes, items, organizers, limits and tokens; and what Fermix refuses before asking. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { SignInGiven } from "../lab/auth-file.ts";
import type { HttpHome } from "../lab/http-home.ts";
import { type HttpLab, openHttpLab } from "../lab/http-lab.ts";
import { labMissing } from "../lab/network.ts";
import { sent } from "../lab/sent.ts";
import type { PreparedAnswer } from "../lab/stand-in.ts";

const missing = labMissing();
if (missing !== undefined) console.warn(`not run: ${missing} is missing`);

const AUTH = "https://www.googleapis.com/auth";
const GMAIL = "gmail.googleapis.com";
const GOOGLE = "www.googleapis.com";
const READ_SCOPES = ["openid", "email", "profile", `${AUTH}/gmail.readonly`];
const TRIO = ["gmail", "google_calendar", "google_drive"];

const MAIL = { to: "ann@example.org", subject: "Hi", body: "text" };

describe.if(missing === undefined)("the Google trio", () => {
  let lab: HttpLab;
  const homes: HttpHome[] = [];

  /** A home whose three plugins are signed in like this. */
  async function signedIn(signIn: SignInGiven, plugins: readonly string[] = TRIO): Promise<HttpHome> {
    const given = { accessToken: "lab-google-token", ...signIn, provider: "google" };
    const home = await lab.home({
      plugins,
      signIns: Object.fromEntries(plugins.map((plugin) => [`${plugin}:primary`, given])),
    });
    homes.push(home);
    return home;
  }

  /** What was asked, one line each. */
  async function lines(): Promise<string[]> {
    return (await lab.calls()).map(({ method, host, path, headers }) => {
      const token = headers["authorization"]?.replace("Bearer ", "") ?? "no token";
      return `${method} ${host}${path} ${token}`;
    });
  }

  const toolsOf = async (home: HttpHome): Promise<string[]> =>
    await home.agent(async (client) => (await client.listTools()).tools.map(({ name }) => name).sort());

  const failure = (error: object): { code: number; error: unknown } => ({ code: 1, error });
  const connect = (error: object): { code: number; error: unknown } => ({ code: 4, error });

  beforeAll(async () => {
    lab = await openHttpLab(["google"]);
  });

  afterEach(async () => {
    await lab.calls();
  });

  afterAll(() => {
    for (const home of homes) home[Symbol.dispose]();
    lab?.[Symbol.dispose]();
  });

  describe("scopes", () => {
    const NEEDS = `${AUTH}/gmail.send`;
    const MISSING = connect({
      code: "missing_scope",
      message: `gmail is missing a required scope (${NEEDS}).`,
      fix: "run `fermix plugins auth reauthorize gmail` and grant it",
      details: { plugin: "gmail", tool: "gmail_send_message", scopes: [NEEDS] },
    });

    test("BUN-2/whatever-scopes: every tool is offered whatever was granted", async () => {
      const all = await toolsOf(await signedIn({}));
      expect(all.length).toBe(22);
      for (const grantedScopes of [READ_SCOPES, ["openid"]]) {
        expect(await toolsOf(await signedIn({ grantedScopes }))).toEqual(all);
      }
      expect(await lab.calls()).toEqual([]);
    });

    test("BUN-3/named, BUN-3/stays-visible: a scope that was not granted is named before anything is asked", async () => {
      const home = await signedIn({ grantedScopes: READ_SCOPES });
      expect(await home.call("gmail_send_message", MAIL)).toEqual(MISSING as never);
      expect(await lab.calls()).toEqual([]);
      expect(await toolsOf(home)).toContain("gmail_send_message");
      expect(await home.call("gmail_search_messages", { query: "nothing" })).toEqual({
        code: 0,
        value: { messages: [] },
      });
    });

    test("BUN-3/from-provider: a scope that only Google knows to be missing is named the same way", async () => {
      const home = await signedIn({ accessToken: "lab-google-read-only" });
      expect(await home.call("gmail_send_message", MAIL)).toEqual(MISSING as never);
      expect(await lines()).toEqual([`POST ${GMAIL}/gmail/v1/users/me/messages/send lab-google-read-only`]);
    });

    test("the agent reads the sentence and the command", async () => {
      const home = await signedIn({ accessToken: "lab-google-read-only" });
      const { isError, value } = await home.callAsAgent("google_drive_update_file", { file_id: "1Plan", name: "x" });
      expect(isError).toBe(true);
      expect(value).toContain(`google_drive is missing a required scope (${AUTH}/drive).`);
      expect(value).toContain("fermix plugins auth reauthorize google_drive");
    });
  });

  describe("403", () => {
    test("BUN-4/no-access: a file that the account may not write, or that the app was never given", async () => {
      const home = await signedIn({});
      for (const file_id of ["1Shared", "1Foreign"]) {
        expect(await home.call("google_drive_update_file", { file_id, name: "x" })).toEqual(
          failure({
            code: "item_access_denied",
            message:
              "The connected account has no access to that item; this is not a scope problem, and reconnecting does not help.",
            fix: "ask its owner for access, or use another item",
            details: { plugin: "google_drive", tool: "google_drive_update_file" },
          }) as never,
        );
      }
    });

    test("BUN-4/organizer-only: an event that only its organizer may change", async () => {
      const home = await signedIn({});
      const args = { event_id: "planning", summary: "Another title" };
      expect(await home.call("google_calendar_update_event", args)).toEqual(
        failure({
          code: "organizer_only",
          message: "Only the organizer of this event can change it.",
          fix: "ask the organizer, or change an event of the connected account",
          details: { plugin: "google_calendar", tool: "google_calendar_update_event" },
        }) as never,
      );
    });

    test("BUN-4/rate-limit: a limit of Google's, said in a 403, with how long to wait", async () => {
      const home = await signedIn({});
      for (const reason of ["rateLimitExceeded", "userRateLimitExceeded", "dailyLimitExceeded", "quotaExceeded"]) {
        const body = { error: { code: 403, message: "Limit", errors: [{ domain: "usageLimits", reason }] } };
        await lab.prepare({
          host: GOOGLE,
          path: "/drive/v3/files",
          answers: [{ status: 403, headers: { "retry-after": "7" }, body }],
        });
        expect(await home.call("google_drive_search_files", { query: "x" })).toEqual(
          failure({
            code: "rate_limited",
            message: "rate-limited by Google retry after 7s",
            fix: "wait 7 s, then call google_drive_search_files again",
            details: { plugin: "google_drive", tool: "google_drive_search_files", by: "Google", retryAfterSeconds: 7 },
          }) as never,
        );
      }
      expect((await lab.calls()).length).toBe(4);
    });

    test("BUN-4/missing-scope: the newer shape of Google's answer counts before the older one", async () => {
      const home = await signedIn({});
      const body = {
        error: {
          code: 403,
          message: "Request had insufficient authentication scopes.",
          errors: [{ domain: "global", reason: "forbidden" }],
          details: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "ACCESS_TOKEN_SCOPE_INSUFFICIENT" }],
        },
      };
      await lab.prepare({ host: GOOGLE, path: "/drive/v3/files", answers: [{ status: 403, body }] });
      expect(await home.call("google_drive_search_files", { query: "x" })).toMatchObject({
        code: 4,
        error: { code: "missing_scope", details: { scopes: [`${AUTH}/drive.metadata.readonly`] } },
      });
    });
  });

  describe("401", () => {
    const LIST = `${GMAIL}/gmail/v1/users/me/messages`;
    const REFUSED: PreparedAnswer = { status: 401, body: { error: { code: 401, message: "Invalid Credentials" } } };
    const stale = (family: string): SignInGiven => ({
      accessToken: `lab-google-token-${family}-0`,
      refreshToken: `lab-google-refresh-${family}-1`,
    });

    test("AUTH-7/read-only-retried: a search with a stale token is refreshed once and goes on", async () => {
      const home = await signedIn(stale("search"), ["gmail"]);
      const { code } = await home.call("gmail_search_messages", { query: "e", max_results: 2 });
      expect(code).toBe(0);
      const [first, refresh, ...rest] = await lines();
      expect([first, refresh]).toEqual([
        `GET ${LIST} lab-google-token-search-0`,
        "POST oauth2.googleapis.com/token no token",
      ]);
      expect(rest.sort()).toEqual(
        ["", "/18c2f0a1b2c3d4e5", "/18c2f0a1b2c3d4e6"].map((path) => `GET ${LIST}${path} lab-google-token-search-2`),
      );
    });

    test("AUTH-7/together: requests that were refused together share one refresh", async () => {
      const home = await signedIn({ refreshToken: "lab-google-refresh-together-1" }, ["gmail"]);
      const ids = ["18c2f0a1b2c3d4e5", "18c2f0a1b2c3d4e6"];
      for (const id of ids) {
        await lab.prepare({ host: GMAIL, path: `/gmail/v1/users/me/messages/${id}`, answers: [REFUSED] });
      }
      const { code } = await home.call("gmail_search_messages", { query: "e", max_results: 2 });
      expect(code).toBe(0);
      const asked = await lines();
      expect(asked.filter((line) => line.startsWith("POST")).length).toBe(1);
      expect(asked.slice(-2).sort()).toEqual(ids.map((id) => `GET ${LIST}/${id} lab-google-token-together-2`));
    });

    test("AUTH-7/write-never: a mail that was refused is not sent again", async () => {
      const home = await signedIn(stale("write"), ["gmail"]);
      expect(await home.call("gmail_send_message", MAIL)).toEqual(
        connect({
          code: "reauthorization_required",
          message: "gmail needs reconnection. Run `fermix plugins auth reauthorize gmail`.",
          fix: "`fermix plugins auth reauthorize gmail`",
          details: { plugin: "gmail" },
        }) as never,
      );
      expect(await lines()).toEqual([`POST ${LIST}/send lab-google-token-write-0`]);
    });
  });

  test("BUN-2/google-client: each of the three is refreshed by the one OAuth client of Google", async () => {
    const reads = [
      ["gmail", "gmail_search_messages"],
      ["google_calendar", "google_calendar_search_events"],
      ["google_drive", "google_drive_search_files"],
    ] as const;
    for (const [at, [plugin, tool]] of reads.entries()) {
      const refreshToken = `lab-google-refresh-${["mail", "days", "files"][at]}-1`;
      const home = await signedIn({ accessToken: "ended", refreshToken, endsInSeconds: -60 }, [plugin]);
      expect(await home.call(tool, { query: "nothing there" })).toMatchObject({ code: 0 });
      const [refresh, read, ...more] = await lab.calls();
      expect([refresh?.method, refresh?.host, refresh?.path]).toEqual(["POST", "oauth2.googleapis.com", "/token"]);
      expect(Object.fromEntries(new URLSearchParams(refresh?.body))).toEqual({
        grant_type: "refresh_token",
        refresh_token: refreshToken,
        client_id: "lab-client-id",
        client_secret: "lab-client-secret",
      });
      expect(read?.headers["authorization"]).toBe(
        `Bearer ${refreshToken.replace("refresh", "token").replace("1", "2")}`,
      );
      expect(more).toEqual([]);
    }
  });

  describe("before anything is asked", () => {
    test("a line break in a header is refused by name", async () => {
      const home = await signedIn({}, ["gmail"]);
      for (const argument of ["to", "subject"]) {
        const args = { ...MAIL, [argument]: "ann@example.org\r\nBcc: eve@example.net" };
        expect(await home.call("gmail_send_message", args)).toMatchObject({
          code: 2,
          error: { code: "argument_invalid", message: `invalid parameter: ${argument}`, details: { argument } },
        });
      }
      expect(await lab.calls()).toEqual([]);
    });

    test("an id cannot lead to another resource", async () => {
      const home = await signedIn({}, ["gmail", "google_drive"]);
      for (const [tool, args] of [
        ["gmail_get_message", { id: ".." }],
        ["gmail_get_message", { id: "" }],
        ["gmail_trash_message", { id: "." }],
        ["google_drive_update_file", { file_id: "..", name: "x" }],
      ] as const) {
        expect(await home.call(tool, args)).toMatchObject({ code: 2, error: { code: "argument_invalid" } });
      }
      expect(await lab.calls()).toEqual([]);
    });
  });

  describe("invitations", () => {
    test("an event without attendees, and one without this account, are told apart and not written to", async () => {
      const home = await signedIn({}, ["google_calendar"]);
      const answer = { response_status: "accepted" };
      expect(await home.call("google_calendar_respond_to_event", { event_id: "focus", ...answer })).toMatchObject({
        code: 1,
        error: { code: "event_without_attendees", details: { event: "focus" } },
      });
      expect(await home.call("google_calendar_respond_to_event", { event_id: "board", ...answer })).toMatchObject({
        code: 1,
        error: { code: "not_an_attendee", details: { event: "board", calendar: "primary" } },
      });
      expect((await lines()).map((line) => line.split(" ")[0])).toEqual(["GET", "GET"]);
    });

    test("a list that Google shortened is answered without dropping anybody", async () => {
      const home = await signedIn({}, ["google_calendar"]);
      await home.call("google_calendar_respond_to_event", { event_id: "townhall", response_status: "accepted" });
      const [, patch] = await lab.calls();
      expect(patch).toEqual(
        sent(
          `PATCH https://${GOOGLE}/calendar/v3/calendars/primary/events/townhall`,
          { accept: "application/json", authorization: "Bearer lab-google-token", "if-match": '"3592000000000002"' },
          '{"attendees":[{"email":"bo@example.com","responseStatus":"accepted","self":true}],"attendeesOmitted":true}',
        ),
      );
    });

    test("an answer of somebody else in between is not overwritten", async () => {
      const home = await signedIn({}, ["google_calendar"]);
      const changed: PreparedAnswer = {
        body: { etag: '"older"', attendees: [{ email: "bo@example.com", self: true, responseStatus: "needsAction" }] },
      };
      await lab.prepare({ host: GOOGLE, path: "/calendar/v3/calendars/primary/events/planning", answers: [changed] });
      const args = { event_id: "planning", response_status: "accepted" };
      expect(await home.call("google_calendar_respond_to_event", args)).toMatchObject({
        code: 1,
        error: { code: "request_failed", details: { status: 412 } },
      });
    });
  });

  test("an id that Google does not know is said to be unknown", async () => {
    const home = await signedIn({}, ["gmail", "google_drive"]);
    for (const [tool, args] of [
      ["gmail_get_message", { id: "0000" }],
      ["google_drive_copy_file", { file_id: "0000" }],
    ] as const) {
      expect(await home.call(tool, args)).toMatchObject({
        code: 1,
        error: { code: "request_failed", details: { status: 404 } },
      });
    }
  });
});
