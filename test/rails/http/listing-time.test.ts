/** `session.ts`: a listing may take five minutes in all, however many pages it has (DECISIONS 16). */
import { expect, test } from "bun:test";
import type { HttpReply } from "../../../src/kernel/ports.ts";
import { HttpRailLab, json, plugin, read, tool } from "./laboratory.ts";

const LIST = { paginate: { cursor_path: "next", cursor_param: "cursor", items_path: "items", max_pages: 50 } };
/** Each of them begins to answer within the time that one request has for that. */
const PAGE_MS = 29_000;
const PAGES = Array.from({ length: 10 }, (_, at) => at + 1);

test("what is left of the five minutes is what the next page gets, and the pages before it are kept", async () => {
  const lab = new HttpRailLab(plugin([tool("all", {}, LIST)]));
  const hanging = Promise.withResolvers<void>();
  for (const page of [...PAGES, 11]) {
    const url = `https://api.example.com/all${page === 1 ? "" : `?cursor=${page}`}`;
    lab.http.on(url, async (): Promise<HttpReply> => {
      if (page <= PAGES.length) {
        await lab.clock.advance(PAGE_MS);
        return json({ items: [page], next: String(page + 1) })();
      }
      hanging.resolve();
      return new Promise(() => undefined);
    });
  }
  let ended = false;
  const waiting = lab.call("all").finally(() => {
    ended = true;
  });
  await hanging.promise;
  await lab.clock.advance(9_999);
  expect(ended).toBe(false);
  await lab.clock.advance(1);
  expect(read(await waiting)).toMatchObject({
    items: PAGES,
    truncated: true,
    next_cursor: "11",
    stopped_by: { code: "network_timeout" },
  });
});
