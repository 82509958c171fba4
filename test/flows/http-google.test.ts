/** Gmail, Google Calendar and Google Drive against a stand-in of Google: every tool's request whole, as documented. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { HttpHome } from "../lab/http-home.ts";
import { type HttpLab, openHttpLab } from "../lab/http-lab.ts";
import { labMissing } from "../lab/network.ts";
import { CALENDAR_FLOWS } from "./google/calendar-flows.ts";
import { DRIVE_FLOWS } from "./google/drive-flows.ts";
import { GMAIL_FLOWS } from "./google/gmail-flows.ts";

const missing = labMissing();
if (missing !== undefined) console.warn(`not run: ${missing} is missing`);

const SIGN_IN = { provider: "google", accessToken: "lab-google-token" } as const;
const TRIO = ["gmail", "google_calendar", "google_drive"];
const FLOWS = [...GMAIL_FLOWS, ...CALENDAR_FLOWS, ...DRIVE_FLOWS];

describe.if(missing === undefined)("the Google trio", () => {
  let lab: HttpLab;
  let home: HttpHome;

  beforeAll(async () => {
    lab = await openHttpLab(["google"]);
    home = await lab.home({
      plugins: TRIO,
      signIns: Object.fromEntries(TRIO.map((plugin) => [`${plugin}:primary`, SIGN_IN])),
    });
  });

  afterAll(() => {
    home?.[Symbol.dispose]();
    lab?.[Symbol.dispose]();
  });

  for (const { tool, page, args, calls, value } of FLOWS) {
    test(`${tool} ${JSON.stringify(args).slice(0, 60)} asks what ${page} documents`, async () => {
      expect(await home.call(tool, args)).toEqual({ code: 0, value });
      expect(await lab.calls()).toEqual([...calls]);
    });
  }

  test("BUN-2/each-tool-flows: each tool that is offered has a flow of its own", async () => {
    const offered = await home.agent(async (client) => (await client.listTools()).tools.map(({ name }) => name));
    expect(offered.length).toBe(22);
    expect([...new Set(FLOWS.map(({ tool }) => tool))].sort()).toEqual(offered.sort());
  });
});
