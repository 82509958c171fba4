/** A listing of several pages as an agent lives through it: progress after each page, a cancel that stops it, a token that ends half-way. */
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { placeSignIn, signInOnDisk } from "../lab/auth-file.ts";
import type { HttpHome } from "../lab/http-home.ts";
import { type HttpLab, openHttpLab } from "../lab/http-lab.ts";
import { labMissing } from "../lab/network.ts";
import { BLOCKS } from "../lab/stand-ins/notion-data.ts";
import { until } from "../lab/until.ts";

/** Each call is a process of its own, on a machine that may be busy. */
setDefaultTimeout(60_000);

const missing = labMissing();
if (missing !== undefined) console.warn(`not run: ${missing} is missing`);

const PAGE = "59833787-2cf9-4fdf-8782-e53db20768a5";
const ROUTE = { host: "api.notion.com", path: `/v1/blocks/${PAGE}/children` };
const LISTING = { name: "notion_get_block_children", arguments: { block_id: PAGE } };

interface Listed {
  readonly items: readonly unknown[];
  readonly truncated: boolean;
  readonly next_cursor?: string;
}

/** What the one text of a tool's answer says; the SDK's type of an answer has older forms too. */
function listed(answer: object): Listed {
  const { content } = answer as { content: { text: string }[] };
  return JSON.parse(content[0]?.text ?? "");
}

describe.if(missing === undefined)("in a network of its own", () => {
  let lab: HttpLab;
  let home: HttpHome;
  beforeAll(async () => {
    lab = await openHttpLab(["notion"]);
    home = await lab.home({ plugins: ["notion"], signIns: { "notion:primary": { provider: "notion" } } });
  });
  afterEach(async () => {
    await lab.calls();
  });
  afterAll(() => {
    home?.[Symbol.dispose]();
    lab?.[Symbol.dispose]();
  });

  const signIn = (accessToken: string, refreshToken: string | null = null): void =>
    placeSignIn(home.root, "notion:primary", { provider: "notion", accessToken, refreshToken });

  test("an agent hears of each page while the next one is asked for", async () => {
    signIn("lab-notion-token");
    const fifth = { results: BLOCKS.slice(8, 10), next_cursor: null, has_more: false };
    await lab.prepare({ ...ROUTE, answers: [null, null, null, null, { held: true, body: fifth }] });
    const heard: string[] = [];
    const value = await home.agent(async (client) => {
      const onprogress = ({ message = "" }): number => heard.push(message);
      const listing = client.callTool(LISTING, undefined, { onprogress });
      await lab.holding();
      await until("four pages were heard of", () => heard.length === 4);
      await lab.release();
      return listed(await listing);
    });
    expect(heard.slice(0, 4)).toEqual([2, 4, 6, 8].map((soFar, at) => `page ${at + 1}, ${soFar} items so far`));
    expect(value).toEqual({ items: BLOCKS.slice(0, 10), truncated: false });
  });

  test("HTTP-6/continued an agent goes on where the answer before ended, to the end", async () => {
    signIn("lab-notion-token");
    const items = await home.agent(async (client) => {
      const all: unknown[] = [];
      for (let cursor: string | undefined = ""; cursor !== undefined; ) {
        const given = { ...LISTING.arguments, ...(cursor === "" ? {} : { page_cursor: cursor }) };
        const answer = listed(await client.callTool({ ...LISTING, arguments: given }));
        all.push(...answer.items);
        cursor = answer.next_cursor;
      }
      return all;
    });
    expect(items).toEqual([...BLOCKS]);
    expect((await lab.calls()).length).toBe(7);
  });

  test("a cancel ends the listing: no further page is asked for, and the next call is answered", async () => {
    signIn("lab-notion-token");
    await lab.prepare({ ...ROUTE, answers: [null, { held: true, status: 200, body: {} }] });
    await home.agent(async (client) => {
      const cancel = new AbortController();
      const listing = client.callTool(LISTING, undefined, { signal: cancel.signal });
      await lab.holding();
      cancel.abort("enough");
      await expect(listing).rejects.toThrow("enough");
      const me = await client.callTool({ name: "notion_get_me", arguments: {} });
      expect(me.isError).not.toBe(true);
      await lab.release();
      expect((await client.callTool({ name: "notion_get_me", arguments: {} })).isError).not.toBe(true);
    });
    expect((await lab.calls()).map(({ path }) => path)).toEqual([
      ROUTE.path,
      ROUTE.path,
      "/v1/users/me",
      "/v1/users/me",
    ]);
  });

  test("AUTH-7/once a token that ends half-way is refreshed once, and no page is lost", async () => {
    signIn("lab-notion-token", "lab-notion-refresh-listing-1");
    const ended = { status: 401, body: { object: "error", status: 401, code: "unauthorized", message: "Ended." } };
    await lab.prepare({ ...ROUTE, answers: [null, null, ended] });
    const answer = await home.call(LISTING.name, LISTING.arguments);
    expect(answer).toMatchObject({ code: 0, value: { items: BLOCKS.slice(0, 10), truncated: true } });
    const calls = await lab.calls();
    expect(calls.map(({ method, headers }) => `${method} ${headers["authorization"]?.split(" ").at(-1)}`)).toEqual([
      ...Array(3).fill("GET lab-notion-token"),
      `POST ${btoa("lab-client-id:lab-client-secret")}`,
      ...Array(3).fill("GET lab-notion-token-listing-2"),
    ]);
    expect(signInOnDisk(home.root, "notion:primary")?.["tokens"]).toEqual({
      access_token: "lab-notion-token-listing-2",
      refresh_token: "lab-notion-refresh-listing-2",
    });
  });

  test("AUTH-7/once a second 401 of the same listing ends it with the pages so far and how to go on", async () => {
    signIn("lab-notion-token", "lab-notion-refresh-again-1");
    const ended = { status: 401, body: {} };
    await lab.prepare({ ...ROUTE, answers: [ended, null, null, ended] });
    const answer = await home.call(LISTING.name, LISTING.arguments);
    expect(answer).toMatchObject({
      code: 0,
      value: {
        items: BLOCKS.slice(0, 4),
        truncated: true,
        next_cursor: "00000004-cccc-4ccc-8ccc-cccccccccccc",
        stopped_by: { code: "reauthorization_required" },
      },
    });
  });
});
