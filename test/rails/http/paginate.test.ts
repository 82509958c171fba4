/** Listings followed page by page: both modes, both places of the cursor, every bound, and what a failure leaves. */
import { describe, expect, test } from "bun:test";
import { FermixError } from "../../../src/kernel/error.ts";
import { parseKeepingDigits } from "../../../src/kernel/exact-json.ts";
import type { JsonValue } from "../../../src/kernel/json.ts";
import type { Paginate } from "../../../src/manifest/manifest.ts";
import type { ApiRequest, Ask } from "../../../src/rails/http/api.ts";
import { listPages } from "../../../src/rails/http/paginate.ts";
import { expectRefusal } from "../../expect.ts";
import { CALL, READ, request } from "./answers.ts";

const CURSOR: Paginate = {
  mode: "cursor",
  itemsPath: "items",
  cursorPath: "meta.next",
  idField: "id",
  cursorParam: "cursor",
  cursorIn: "query",
  maxPages: 50,
  fields: [],
};
const WINDOW: Paginate = {
  ...CURSOR,
  mode: "id_window",
  itemsPath: undefined,
  cursorPath: undefined,
  cursorParam: "before",
};

type Page = JsonValue | FermixError | DOMException;

/** Gives these pages in turn and remembers the requests. */
class Provider {
  readonly asked: ApiRequest[] = [];
  readonly #pages: Page[];
  readonly #bytes: number;

  constructor(pages: readonly Page[], bytes = 100) {
    this.#pages = [...pages];
    this.#bytes = bytes;
  }

  readonly ask: Ask = async (asked) => {
    this.asked.push(asked);
    const next = this.#pages.shift();
    if (next === undefined) throw new Error("one page too many was asked for");
    if (next instanceof Error) throw next;
    return { status: 200, body: next, bytes: this.#bytes };
  };

  /** The query of each request. */
  queries(): readonly string[] {
    return this.asked.map(({ url }) => new URL(url).search);
  }
}

function page(items: readonly JsonValue[], next?: JsonValue): JsonValue {
  return next === undefined ? { items } : { items, meta: { next } };
}

function list(
  provider: Provider,
  paginate: Paginate = CURSOR,
  options: Parameters<typeof listPages>[3] = {},
  asked = request(),
) {
  return listPages(asked, paginate, provider.ask, options);
}

describe("HTTP-6/cursor", () => {
  test("pages are joined in order until no cursor is left", async () => {
    const provider = new Provider([page([1, 2], "b c"), page([3], "d"), page([4])]);
    expect(await list(provider)).toEqual({ items: [1, 2, 3, 4], truncated: false });
    expect(provider.queries()).toEqual(["", "?cursor=b%20c", "?cursor=d"]);
  });

  test("each page takes 200 or 201, whatever the template calls success", async () => {
    const provider = new Provider([page([1])]);
    await list(provider, CURSOR, {}, request({ success: [418] }));
    expect(provider.asked[0]?.success).toEqual([200, 201]);
  });

  test("a listing begins where it is told to", async () => {
    const provider = new Provider([page([9])]);
    expect(await list(provider, CURSOR, { firstCursor: "from here" })).toEqual({ items: [9], truncated: false });
    expect(provider.queries()).toEqual(["?cursor=from%20here"]);
  });

  test("a page's items are a list, one value, or none", async () => {
    expect(await list(new Provider([{ items: { id: 1 } }]))).toEqual({ items: [{ id: 1 }], truncated: false });
    expect(await list(new Provider([{ items: null }]))).toEqual({ items: [], truncated: false });
    expect(await list(new Provider([{}]))).toEqual({ items: [], truncated: false });
    expect(await list(new Provider([[1, 2]]), { ...CURSOR, itemsPath: undefined })).toEqual({
      items: [1, 2],
      truncated: false,
    });
    expect(await list(new Provider([{ a: 1 }]), { ...CURSOR, itemsPath: undefined })).toEqual({
      items: [{ a: 1 }],
      truncated: false,
    });
  });

  test("fields keep their keys of items that are objects", async () => {
    const items = [{ id: 1, x: 2 }, "text", [{ id: 1, x: 2 }]];
    expect(await list(new Provider([page(items)]), { ...CURSOR, fields: ["id"] })).toEqual({
      items: [{ id: 1 }, "text", [{ id: 1, x: 2 }]],
      truncated: false,
    });
  });

  test("each page is reported", async () => {
    const seen: [number, number][] = [];
    await list(new Provider([page([1, 2], "b"), page([3])]), CURSOR, { onPage: (at, items) => seen.push([at, items]) });
    expect(seen).toEqual([
      [1, 2],
      [2, 3],
    ]);
  });
});

describe("HTTP-6/query-or-body", () => {
  test("a cursor in the body is a member beside the others and keeps its type", async () => {
    const asked = request({ method: "POST", body: '{"query":"x","page_size":12345678901234567890}' });
    const provider = new Provider([page([1], "b"), page([2], 7), page([3])]);
    await list(provider, { ...CURSOR, cursorIn: "body", cursorParam: "start_cursor" }, {}, asked);
    expect(provider.asked.map(({ body }) => body)).toEqual([
      '{"query":"x","page_size":12345678901234567890}',
      '{"query":"x","page_size":12345678901234567890,"start_cursor":"b"}',
      '{"query":"x","page_size":12345678901234567890,"start_cursor":7}',
    ]);
  });
});

describe("HTTP-6/empty-cursor", () => {
  test.each(["", null, false])("%p ends the listing", async (next) => {
    expect(await list(new Provider([page([1], next)]))).toEqual({ items: [1], truncated: false });
  });

  test.each([[true], [{}], [["x"]]] as JsonValue[][])("%j leads nowhere, and there is more", async (next = null) => {
    expect(await list(new Provider([page([1], next)]))).toEqual({ items: [1], truncated: true });
  });

  test("a cursor that was used before ends it: following it would never end", async () => {
    expect(await list(new Provider([page([1], "b"), page([2], "b")]))).toEqual({ items: [1, 2], truncated: true });
    expect(await list(new Provider([page([1], "b"), page([2], "c"), page([3], "b")]))).toEqual({
      items: [1, 2, 3],
      truncated: true,
    });
    expect(await list(new Provider([page([1], "a")]), CURSOR, { firstCursor: "a" })).toEqual({
      items: [1],
      truncated: true,
    });
  });
});

describe("HTTP-6/id-window", () => {
  test("the last item's id is the next cursor, and an empty page ends it", async () => {
    const provider = new Provider([[{ id: "30" }, { id: "20" }], [{ id: "10" }], []]);
    expect(await list(provider, WINDOW)).toEqual({
      items: [{ id: "30" }, { id: "20" }, { id: "10" }],
      truncated: false,
    });
    expect(provider.queries()).toEqual(["", "?before=20", "?before=10"]);
  });

  test("ids above 2^53 keep their digits", async () => {
    const first = parseKeepingDigits('[{"id":12345678901234567891}]') as JsonValue;
    const provider = new Provider([first, []]);
    expect(JSON.stringify(await list(provider, WINDOW))).toBe(
      '{"items":[{"id":12345678901234567891}],"truncated":false}',
    );
    expect(provider.queries()).toEqual(["", "?before=12345678901234567891"]);
  });

  test("another field may be the id; its name is a key, not a path", async () => {
    const provider = new Provider([[{ "ts.x": "5" }], []]);
    await list(provider, { ...WINDOW, idField: "ts.x" });
    expect(provider.queries()).toEqual(["", "?before=5"]);
  });

  test.each([[["text"]], [[{ other: 1 }]], [[[]]]] as JsonValue[][])(
    "a last item without an id ends it: %j",
    async (body) => {
      expect(await list(new Provider([body ?? null]), WINDOW)).toMatchObject({ truncated: false });
    },
  );

  test("a window that did not move gives its items once", async () => {
    const same = [{ id: "30" }, { id: "20" }];
    expect(await list(new Provider([same, same]), WINDOW)).toEqual({ items: same, truncated: true });
  });
});

describe("HTTP-6/page-cap", () => {
  const endless = (pages: number): Provider =>
    new Provider(Array.from({ length: pages }, (_, at) => page([at + 1], `after ${at + 1}`)));

  test("50 pages are followed, and the next one is the agent's to ask for", async () => {
    const result = await list(endless(50));
    expect(result["items"]).toHaveLength(50);
    expect(result).toMatchObject({ truncated: true, next_cursor: "after 50" });
  });

  test("a listing that ends with the last page is whole", async () => {
    const provider = new Provider([page([1], "b"), page([2])]);
    expect(await list(provider, { ...CURSOR, maxPages: 2 })).toEqual({ items: [1, 2], truncated: false });
  });

  test("the template's own cap holds", async () => {
    expect(await list(endless(1), { ...CURSOR, maxPages: 1 })).toEqual({
      items: [1],
      truncated: true,
      next_cursor: "after 1",
    });
  });

  test("a number as a cursor is text for the agent", async () => {
    expect(await list(new Provider([page([1], 2)]), { ...CURSOR, maxPages: 1 })).toEqual({
      items: [1],
      truncated: true,
      next_cursor: "2",
    });
  });
});

describe("HTTP-6/byte-cap", () => {
  const half = 5 * 1024 * 1024;

  test("10 MiB of bodies end it between pages", async () => {
    expect(await list(new Provider([page([1], "b"), page([2], "c")], half))).toEqual({
      items: [1, 2],
      truncated: true,
      next_cursor: "c",
    });
  });

  test("one byte less does not", async () => {
    const provider = new Provider([page([1], "b"), page([2], "c"), page([3])], half - 1);
    expect(await list(provider)).toEqual({ items: [1, 2, 3], truncated: false });
  });

  test("a listing that ends there is whole", async () => {
    expect(await list(new Provider([page([1], "b"), page([2])], half))).toEqual({ items: [1, 2], truncated: false });
  });
});

describe("what an agent's client would not read in one message", () => {
  // Each quote takes four bytes inside the text of a result.
  const quotes = (bytes: number): JsonValue => '"'.repeat(bytes / 4);

  test("HTTP-6/continued the page that is too much is left for the next call, and nothing of it is lost", async () => {
    const [one, two] = [quotes(6 << 20), quotes(4 << 20)];
    expect(await list(new Provider([page([one], "b"), page([two], "c")]))).toEqual({
      items: [one],
      truncated: true,
      next_cursor: "b",
    });
    expect(await list(new Provider([page([two])]), CURSOR, { firstCursor: "b" })).toEqual({
      items: [two],
      truncated: false,
    });
  });

  test("what fits is given, and so is a first page by itself", async () => {
    const [one, two] = [quotes(5 << 20), quotes(4 << 20)];
    expect(await list(new Provider([page([one], "b"), page([two])]))).toEqual({ items: [one, two], truncated: false });
    const large = quotes(12 << 20);
    expect(await list(new Provider([page([large])]))).toEqual({ items: [large], truncated: false });
  });

  test("only what is kept of the items counts", async () => {
    const large = { id: 1, text: quotes(6 << 20) };
    const provider = new Provider([page([large], "b"), page([large])]);
    const given = await list(provider, { ...CURSOR, fields: ["id"] });
    expect(given).toEqual({ items: [{ id: 1 }, { id: 1 }], truncated: false });
  });
});

describe("a page that fails", () => {
  const limited = new FermixError("rate_limited", { ...CALL, retryAfterSeconds: 30 });

  test("the first one fails the call", async () => {
    await expectRefusal(list(new Provider([limited])), "rate_limited", limited.details);
    await expectRefusal(list(new Provider([limited]), CURSOR, { firstCursor: "b" }), "rate_limited", limited.details);
  });

  test("HTTP-6/continued a later one leaves what came before it, why it stopped, and where to go on", async () => {
    const tooLarge = new FermixError("response_too_large", { ...READ, limitBytes: 1 });
    for (const failure of [limited, tooLarge]) {
      expect(await list(new Provider([page([1], "b"), page([2], "c"), failure]))).toEqual({
        items: [1, 2],
        truncated: true,
        next_cursor: "c",
        stopped_by: { code: failure.code, message: failure.message, fix: failure.fix },
      });
    }
  });

  test("a call that was given up has no answer", async () => {
    const reason = new DOMException("given up", "AbortError");
    await expect(list(new Provider([page([1], "b"), reason]))).rejects.toBe(reason);
    const cancelled = new FermixError("call_cancelled", CALL);
    await expectRefusal(list(new Provider([page([1], "b"), cancelled])), "call_cancelled");
  });
});

test("a page may hold as many items as fit into 5 MiB", async () => {
  const many = new Array<JsonValue>(2_600_000).fill(0);
  const { ask } = new Provider([page(many)]);
  const { items, truncated } = await listPages(request(), CURSOR, ask, {});
  expect([(items as readonly JsonValue[]).length, truncated]).toEqual([many.length, false]);
});
