/** Google Calendar's part of the stand-in for Google: developers.google.com/workspace/calendar/api/v3/reference. */
import { isJsonObject, type JsonObject, type JsonValue } from "../../../src/kernel/json.ts";
import { json } from "../stand-in.ts";
import { type Admitted, type Checks, like, listOf, type Operation, oneOf, shaped, text, whole } from "../strict-api.ts";
import { CALENDARS, EVENTS } from "./google-data.ts";
import { fault, invalid, notFound } from "./google-errors.ts";

const SCOPE = "https://www.googleapis.com/auth/calendar";
const READ = [`${SCOPE}.readonly`, `${SCOPE}.events`];
const WRITE = [`${SCOPE}.events`];

const EVENTS_OF = "/calendar/v3/calendars/{calendarId}/events";
const BOOLEAN = oneOf("true", "false");
const CALENDAR: Checks = { calendarId: text };
const CALENDAR_EVENT: Checks = { calendarId: text, eventId: text };
const SEND_UPDATES: Checks = { sendUpdates: oneOf("all", "externalOnly", "none") };
/** RFC 3339, with an offset unless a time zone is named beside it. */
const TIME = shaped({
  date: like(/^\d{4}-\d\d-\d\d$/),
  dateTime: like(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/),
  timeZone: like(/^[A-Z][A-Za-z_]+(\/[A-Za-z_+-]+)*$/),
});
const ATTENDEE = shaped(
  {
    email: text,
    id: text,
    displayName: text,
    organizer: () => undefined,
    self: () => undefined,
    resource: () => undefined,
    optional: () => undefined,
    responseStatus: oneOf("needsAction", "declined", "tentative", "accepted"),
    comment: text,
    additionalGuests: () => undefined,
  },
  ["email"],
);
const EVENT: Checks = {
  summary: text,
  description: text,
  location: text,
  start: TIME,
  end: TIME,
  attendees: listOf(ATTENDEE, 200),
  attendeesOmitted: (value) => (typeof value === "boolean" ? undefined : "is not a boolean"),
};

/** The event that the path names, in a calendar that exists. */
function held({ path }: Admitted): JsonObject | undefined {
  return CALENDARS.includes(path["calendarId"] ?? "") ? EVENTS[path["eventId"] ?? ""] : undefined;
}

/** What only the organizer may change; an attendee may answer. */
function changesShared(event: JsonObject, change: JsonObject): boolean {
  const { organizer } = event;
  if (isJsonObject(organizer) && organizer["self"] === true) return false;
  return Object.keys(change).some((key) => key !== "attendees" && key !== "attendeesOmitted");
}

const nonOrganizer = (): Response =>
  fault({
    status: 403,
    domain: "calendar",
    reason: "forbiddenForNonOrganizer",
    message: "Shared properties can only be changed by the organizer of the event.",
  });

const conditionNotMet = (): Response =>
  fault({
    status: 412,
    reason: "conditionNotMet",
    message: "Precondition Failed",
    location: "If-Match",
    locationType: "header",
  });

const timed = (value: JsonValue | undefined): boolean =>
  isJsonObject(value) && (typeof value["dateTime"] === "string" || typeof value["date"] === "string");

/** Each with the parameters of its page in the reference. */
export const calendarOperations: readonly Operation[] = [
  // events/list
  {
    route: `GET ${EVENTS_OF}`,
    path: CALENDAR,
    scopes: READ,
    query: {
      q: text,
      maxResults: whole(1, 2500),
      singleEvents: BOOLEAN,
      orderBy: oneOf("startTime", "updated"),
      pageToken: text,
      timeMin: text,
      timeMax: text,
      timeZone: text,
      showDeleted: BOOLEAN,
    },
    answer: ({ path, query }) => {
      if (!CALENDARS.includes(path["calendarId"] ?? "")) return notFound();
      if (query["orderBy"] === "startTime" && query["singleEvents"] !== "true")
        return invalid("The requested ordering is not available for the particular query.", "orderBy");
      const words = (query["q"] ?? "").toLowerCase();
      const items = Object.values(EVENTS).filter(({ summary }) => String(summary).toLowerCase().includes(words));
      return json({
        kind: "calendar#events",
        summary: "bo@example.com",
        timeZone: "Europe/Berlin",
        accessRole: "owner",
        items: items.slice(0, Number(query["maxResults"] ?? 250)),
      });
    },
  },
  // events/insert
  {
    route: `POST ${EVENTS_OF}`,
    path: CALENDAR,
    scopes: WRITE,
    query: SEND_UPDATES,
    body: EVENT,
    required: ["start", "end"],
    answer: ({ path, body }) => {
      if (!CALENDARS.includes(path["calendarId"] ?? "")) return notFound();
      if (!timed(body["start"])) return fault({ status: 400, reason: "required", message: "Missing start time." });
      if (!timed(body["end"])) return fault({ status: 400, reason: "required", message: "Missing end time." });
      return json({ kind: "calendar#event", id: "made-1", status: "confirmed", ...body });
    },
  },
  // events/get
  {
    route: `GET ${EVENTS_OF}/{eventId}`,
    path: CALENDAR_EVENT,
    scopes: READ,
    query: { maxAttendees: whole(1, 1000), timeZone: text },
    answer: (admitted) => {
      const event = held(admitted);
      return event === undefined ? notFound() : json(event);
    },
  },
  // events/patch
  {
    route: `PATCH ${EVENTS_OF}/{eventId}`,
    path: CALENDAR_EVENT,
    scopes: WRITE,
    query: SEND_UPDATES,
    body: EVENT,
    answer: (admitted) => {
      const event = held(admitted);
      if (event === undefined) return notFound();
      const condition = admitted.request.headers.get("if-match");
      if (condition !== null && condition !== event["etag"]) return conditionNotMet();
      return changesShared(event, admitted.body) ? nonOrganizer() : json({ ...event, ...admitted.body });
    },
  },
  // events/delete
  {
    route: `DELETE ${EVENTS_OF}/{eventId}`,
    path: CALENDAR_EVENT,
    scopes: WRITE,
    query: SEND_UPDATES,
    answer: (admitted) => (held(admitted) === undefined ? notFound() : new Response(null, { status: 204 })),
  },
  // events/move
  {
    route: `POST ${EVENTS_OF}/{eventId}/move`,
    path: CALENDAR_EVENT,
    scopes: WRITE,
    query: { destination: text, ...SEND_UPDATES },
    required: ["destination"],
    answer: (admitted) => {
      const event = held(admitted);
      if (event === undefined || !CALENDARS.includes(admitted.query["destination"] ?? "")) return notFound();
      return changesShared(event, { organizer: {} })
        ? fault({
            status: 403,
            domain: "calendar",
            reason: "forbiddenForNonOrganizer",
            message: "Only the organizer of the event can move it.",
          })
        : json({ ...event, organizer: { email: admitted.query["destination"], self: true } });
    },
  },
];
