/** Answers an invitation: reads the event's attendees and writes them back with the user's own answer changed (spec 11). */
import { FermixError } from "../../../kernel/error.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../kernel/json.ts";
import type { Arguments, Ask } from "../api.ts";
import { getJson, sendJson } from "./google-request.ts";
import { textOf } from "./named-arguments.ts";

const EVENT = "https://www.googleapis.com/calendar/v3/calendars/{calendar_id}/events/{event_id}";

/** What an etag may be made of where it travels in a header. */
const ETAG = /^[\x21-\x7e]{1,256}$/;

/**
 * A patch replaces the whole list of attendees, so all others go back as they came. The event's etag goes along: when
 * somebody else answered in between, Google refuses (412) and that answer is not lost. Throws event_without_attendees,
 * not_an_attendee.
 */
export async function respondToEvent(args: Arguments, ask: Ask): Promise<JsonValue> {
  const named = { tool: "google_calendar_respond_to_event", args };
  const [event, calendar] = [textOf(named, "event_id") ?? "", textOf(named, "calendar_id") ?? ""];
  const { body: found } = await ask(getJson(EVENT, args));
  const { attendees, attendeesOmitted, etag } = isJsonObject(found) ? found : {};
  if (!Array.isArray(attendees) || attendees.length === 0) throw new FermixError("event_without_attendees", { event });
  if (!attendees.some(isSelf)) throw new FermixError("not_an_attendee", { event, calendar });
  const responseStatus = textOf(named, "response_status");
  const changed: JsonObject = {
    attendees: attendees.map((attendee) => (isSelf(attendee) ? { ...attendee, responseStatus } : attendee)),
    // With it Google changes this answer alone and keeps the attendees that it did not show.
    ...(attendeesOmitted === true ? { attendeesOmitted } : {}),
  };
  const unchangedSince = typeof etag === "string" && ETAG.test(etag) ? { "if-match": etag } : {};
  const address = args.has("send_updates") ? `${EVENT}?sendUpdates={send_updates}` : EVENT;
  return (await ask(sendJson("PATCH", address, args, changed, unchangedSince))).body;
}

function isSelf(attendee: JsonValue): attendee is JsonObject {
  return isJsonObject(attendee) && attendee["self"] === true;
}
