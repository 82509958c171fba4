/** Failures that only the bundled plugins' own requests can have. */
import { quote, row } from "./row.ts";

export const nativeCodes = {
  event_without_attendees: row<{ event: string }>({
    says: ({ event }) => `The event ${quote(event)} has no attendees, so there is no invitation to answer.`,
    fix: () => "check the event's id; an event without guests needs no answer",
    exit: "failed",
  }),
  not_an_attendee: row<{ event: string; calendar: string }>({
    says: ({ event, calendar }) =>
      `The connected account is not an attendee of the event ${quote(event)} in the calendar ${quote(calendar)}, so it has no invitation to answer.`,
    fix: () => "give the calendar_id of the calendar that was invited, or ask the organizer for an invitation",
    exit: "failed",
  }),
};
