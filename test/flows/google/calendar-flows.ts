/** Google Calendar's tools: their requests as developers.google.com/workspace/calendar documents them. */
import { sent } from "../../lab/sent.ts";
import { bare, type Flow, HEADERS, read, wrote } from "./flow.ts";

const CALENDAR = "https://www.googleapis.com/calendar/v3/calendars";
const EVENTS_PAGE = "calendar/api/v3/reference/events";
const ANN = { email: "ann@example.org", responseStatus: "accepted", organizer: true, displayName: "Ann Müller" };
const BO = {
  email: "bo@example.com",
  responseStatus: "tentative",
  self: true,
  comment: "may be late",
  additionalGuests: 1,
};
const CY = { email: "cy@example.net", responseStatus: "declined", optional: true };
const PLANNING = {
  kind: "calendar#event",
  etag: '"3592000000000000"',
  id: "planning",
  status: "confirmed",
  summary: "Planning",
  organizer: { email: "ann@example.org" },
  start: { dateTime: "2026-12-03T10:00:00+01:00", timeZone: "Europe/Berlin" },
  end: { dateTime: "2026-12-03T11:00:00+01:00", timeZone: "Europe/Berlin" },
  attendees: [ANN, BO, CY],
};
const FOCUS = {
  kind: "calendar#event",
  etag: '"3592000000000004"',
  id: "focus",
  status: "confirmed",
  summary: "Focus time",
  organizer: { email: "bo@example.com", self: true },
  start: { dateTime: "2026-12-07T09:00:00+01:00" },
  end: { dateTime: "2026-12-07T12:00:00+01:00" },
};

export const CALENDAR_FLOWS: readonly Flow[] = [
  {
    tool: "google_calendar_search_events",
    page: `${EVENTS_PAGE}/list`,
    args: { query: "focus" },
    calls: [read(`GET ${CALENDAR}/primary/events?q=focus&maxResults=10&singleEvents=true&orderBy=startTime`)],
    value: {
      kind: "calendar#events",
      summary: "bo@example.com",
      timeZone: "Europe/Berlin",
      accessRole: "owner",
      items: [FOCUS],
    },
  },
  {
    tool: "google_calendar_create_event",
    page: `${EVENTS_PAGE}/insert`,
    args: {
      summary: "Lunch",
      start: "2026-12-09T12:00:00",
      end: "2026-12-09T13:00:00",
      description: "Soup & bread",
      time_zone: "Europe/Berlin",
    },
    calls: [
      wrote(
        `POST ${CALENDAR}/primary/events`,
        '{"summary":"Lunch","description":"Soup & bread","start":{"dateTime":"2026-12-09T12:00:00","timeZone":"Europe/Berlin"},"end":{"dateTime":"2026-12-09T13:00:00","timeZone":"Europe/Berlin"}}',
      ),
    ],
    value: {
      kind: "calendar#event",
      id: "made-1",
      status: "confirmed",
      summary: "Lunch",
      description: "Soup & bread",
      start: { dateTime: "2026-12-09T12:00:00", timeZone: "Europe/Berlin" },
      end: { dateTime: "2026-12-09T13:00:00", timeZone: "Europe/Berlin" },
    },
  },
  {
    tool: "google_calendar_update_event",
    page: `${EVENTS_PAGE}/patch`,
    args: {
      event_id: "focus",
      location: "Room 7",
      calendar_id: "team#1@group.calendar.google.com",
      send_updates: "all",
    },
    calls: [
      wrote(
        `PATCH ${CALENDAR}/team%231%40group.calendar.google.com/events/focus?sendUpdates=all`,
        '{"location":"Room 7"}',
      ),
    ],
    value: { ...FOCUS, location: "Room 7" },
  },
  {
    tool: "google_calendar_delete_event",
    page: `${EVENTS_PAGE}/delete`,
    args: { event_id: "focus" },
    calls: [read(`DELETE ${CALENDAR}/primary/events/focus`)],
    value: {},
  },
  {
    tool: "google_calendar_respond_to_event",
    page: `${EVENTS_PAGE}/patch`,
    args: { event_id: "planning", response_status: "tentative", send_updates: "externalOnly" },
    calls: [
      read(`GET ${CALENDAR}/primary/events/planning`),
      sent(
        `PATCH ${CALENDAR}/primary/events/planning?sendUpdates=externalOnly`,
        { ...HEADERS, "if-match": '"3592000000000000"' },
        JSON.stringify({ attendees: [ANN, BO, CY] }),
      ),
    ],
    value: PLANNING,
  },
  {
    tool: "google_calendar_move_event",
    page: `${EVENTS_PAGE}/move`,
    args: { event_id: "focus", destination_calendar_id: "team#1@group.calendar.google.com" },
    calls: [bare(`POST ${CALENDAR}/primary/events/focus/move?destination=team%231%40group.calendar.google.com`)],
    value: { ...FOCUS, organizer: { email: "team#1@group.calendar.google.com", self: true } },
  },
];
