/** `google-calendar.ts`: an answer changes the user's own entry among the attendees and nothing else. */
import { expect, test } from "bun:test";
import { parseKeepingDigits } from "../../../../src/kernel/exact-json.ts";
import type { JsonObject, JsonValue } from "../../../../src/kernel/json.ts";
import { respondToEvent } from "../../../../src/rails/http/native/google-calendar.ts";
import { expectRefusal } from "../../../expect.ts";
import { scriptedAsk } from "../../../fakes/ask.ts";

const EVENT = "https://www.googleapis.com/calendar/v3/calendars/team%23a%40group.example/events/e%2F1";

const given = (more: Readonly<Record<string, string>> = {}) =>
  new Map(
    Object.entries({ calendar_id: "team#a@group.example", event_id: "e/1", response_status: "accepted", ...more }),
  );

const event = (fields: JsonObject): Record<string, JsonValue> => ({ [`GET ${EVENT}`]: fields });

test("the attendee marked self gets the answer; all others go back as they came", async () => {
  const found = parseKeepingDigits(`{"etag":"\\"359\\"","attendees":[
    {"email":"ann@example.org","organizer":true,"responseStatus":"accepted","displayName":"Ann"},
    {"email":"bo@example.com","self":true,"responseStatus":"needsAction","comment":"late","additionalGuests":1},
    {"email":"cy@example.net","optional":true,"id":12345678901234567890,"responseStatus":"declined"}]}`) as JsonObject;
  const patch = `PATCH ${EVENT}?sendUpdates=externalOnly`;
  const { ask, asked } = scriptedAsk({ ...event(found), [patch]: { id: "e/1", status: "confirmed" } });
  expect(await respondToEvent(given({ send_updates: "externalOnly" }), ask)).toEqual({
    id: "e/1",
    status: "confirmed",
  });
  expect(asked).toEqual([
    { method: "GET", url: EVENT, headers: {}, success: [200] },
    {
      method: "PATCH",
      url: `${EVENT}?sendUpdates=externalOnly`,
      headers: { "if-match": '"359"', "content-type": "application/json" },
      body:
        '{"attendees":[{"email":"ann@example.org","organizer":true,"responseStatus":"accepted","displayName":"Ann"},' +
        '{"email":"bo@example.com","self":true,"responseStatus":"accepted","comment":"late","additionalGuests":1},' +
        '{"email":"cy@example.net","optional":true,"id":12345678901234567890,"responseStatus":"declined"}]}',
      success: [200, 201, 204],
    },
  ]);
});

test("an event that does not show all its attendees is told so, so that none is dropped", async () => {
  const found = { attendeesOmitted: true, attendees: [{ email: "bo@example.com", self: true }] };
  const { ask, asked } = scriptedAsk({ ...event(found), [`PATCH ${EVENT}`]: {} });
  await respondToEvent(given({ response_status: "declined" }), ask);
  expect(asked[1]).toEqual({
    method: "PATCH",
    url: EVENT,
    headers: { "content-type": "application/json" },
    body: '{"attendees":[{"email":"bo@example.com","self":true,"responseStatus":"declined"}],"attendeesOmitted":true}',
    success: [200, 201, 204],
  });
});

test("an etag that could not travel in a header is left out", async () => {
  const attendees = [{ email: "bo@example.com", self: true }];
  for (const etag of ['"1"\r\nx-evil: 1', "", "é", 7, "x".repeat(257)]) {
    const { ask, asked } = scriptedAsk({ ...event({ etag, attendees }), [`PATCH ${EVENT}`]: {} });
    await respondToEvent(given(), ask);
    expect(asked[1]?.headers).toEqual({ "content-type": "application/json" });
  }
});

test("an event without attendees is named, and nothing is written", async () => {
  for (const found of [{}, { attendees: [] }, { attendees: "nobody" }]) {
    const { ask, asked } = scriptedAsk(event(found));
    await expectRefusal(respondToEvent(given(), ask), "event_without_attendees", { event: "e/1" });
    expect(asked.length).toBe(1);
  }
});

test("an account that was not invited is told so, and nothing is written", async () => {
  const { ask, asked } = scriptedAsk(event({ attendees: [{ email: "ann@example.org", self: false }, null] }));
  const details = { event: "e/1", calendar: "team#a@group.example" };
  await expectRefusal(respondToEvent(given(), ask), "not_an_attendee", details);
  expect(asked.length).toBe(1);
});
