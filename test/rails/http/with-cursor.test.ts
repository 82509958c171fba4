/** Cursors in the query and in the body of the next request. */
import { expect, test } from "bun:test";
import { parseKeepingDigits } from "../../../src/kernel/exact-json.ts";
import type { JsonValue } from "../../../src/kernel/json.ts";
import type { ApiRequest } from "../../../src/rails/http/api.ts";
import { withCursor } from "../../../src/rails/http/with-cursor.ts";
import { expectRefusal } from "../../expect.ts";

const inQuery = { cursorIn: "query", cursorParam: "page token" } as const;
const inBody = { cursorIn: "body", cursorParam: "start_cursor" } as const;

function get(url: string): ApiRequest {
  return { method: "GET", url, headers: { a: "b" }, success: [200] };
}

function post(body?: string): ApiRequest {
  return {
    method: "POST",
    url: "https://api.example.com/a",
    headers: {},
    success: [200],
    ...(body === undefined ? {} : { body }),
  };
}

test("in the query it is added, encoded, and everything else stays as it was written", () => {
  expect(withCursor(get("https://api.example.com/a"), inQuery, "x")).toEqual(
    get("https://api.example.com/a?page%20token=x"),
  );
  expect(withCursor(get("https://api.example.com/a?q=a%20b%2Bc&flag&l=1,2"), inQuery, "=&#+ é/").url).toBe(
    "https://api.example.com/a?q=a%20b%2Bc&flag&l=1,2&page%20token=%3D%26%23%2B%20%C3%A9%2F",
  );
});

test("in the query it takes the place of every parameter of that name, however it is escaped", () => {
  const url = "https://api.example.com/a?page%20token=1&q=1&page+token=2&p%61ge%20token=3&page%20tokens=4&%zz=5";
  expect(withCursor(get(url), inQuery, "next").url).toBe(
    "https://api.example.com/a?q=1&page%20tokens=4&%zz=5&page%20token=next",
  );
});

test("a page after a page has one cursor", () => {
  const second = withCursor(get("https://api.example.com/a?q=1"), inQuery, "two");
  expect(withCursor(second, inQuery, "three").url).toBe("https://api.example.com/a?q=1&page%20token=three");
  expect(withCursor(withCursor(post("{}"), inBody, "two"), inBody, "three").body).toBe('{"start_cursor":"three"}');
});

test("in the body it is a member of its own type, and digits stay", () => {
  const body = '{"id":12345678901234567890,"start_cursor":null,"f":{"n":1.10}}';
  expect(withCursor(post(body), inBody, "x").body).toBe(
    '{"id":12345678901234567890,"start_cursor":"x","f":{"n":1.10}}',
  );
  expect(withCursor(post('{"a":1}'), inBody, 5).body).toBe('{"a":1,"start_cursor":5}');
  const large = parseKeepingDigits("12345678901234567890") as JsonValue;
  expect(withCursor(post("{}"), inBody, large).body).toBe('{"start_cursor":12345678901234567890}');
  expect(withCursor(get("https://api.example.com/a"), inQuery, large).url).toEndWith("=12345678901234567890");
});

test("a request without a body gets one, with its type", () => {
  expect(withCursor(post(), inBody, "x")).toEqual({
    ...post('{"start_cursor":"x"}'),
    headers: { "content-type": "application/json" },
  });
});

test("a body that cannot take a cursor is refused", async () => {
  const reason = "the body is no object to put a cursor in";
  await expectRefusal(() => withCursor(post("[1]"), inBody, "x"), "request_unsound", { reason });
  await expectRefusal(() => withCursor({ ...post(), body: new Uint8Array(2) }, inBody, "x"), "request_unsound", {
    reason,
  });
  await expectRefusal(() => withCursor(get("https://api.example.com/a"), inBody, "x"), "request_unsound", {
    reason: "the template gives a GET a body",
  });
});

test("a cursor called like a prototype's member is a member", () => {
  const written = withCursor(post('{"a":1}'), { cursorIn: "body", cursorParam: "__proto__" }, "x").body;
  expect(written).toBe('{"a":1,"__proto__":"x"}');
});
