/** Whole requests: method, address, headers, body, and what counts as success. */
import { expect, test } from "bun:test";
import { renderRequest } from "../../../src/rails/http/render-request.ts";
import { expectRefusal } from "../../expect.ts";
import { args, template } from "./templates.ts";

test("a request without a body has the template's headers and nothing else", () => {
  const read = template({
    url: "https://api.example.com/v1/items/{id}?with_counts=true",
    query: { q: "{q}" },
    headers: { Accept: "application/vnd.example+json" },
    okField: "ok",
  });
  expect(renderRequest(read, args({ id: "a b", q: "x" }))).toEqual({
    method: "GET",
    url: "https://api.example.com/v1/items/a%20b?with_counts=true&q=x",
    headers: { Accept: "application/vnd.example+json" },
    success: [200],
    okField: "ok",
  });
});

test("an argument that a template uses again and again cannot fill the memory", async () => {
  const often = (uses: number) =>
    template({
      method: "POST",
      url: "https://api.example.com/{id}",
      query: { q: "{id}" },
      body: { list: Array.from({ length: uses }, () => "{text}"), twice: "{text} {text}" },
    });
  const text = "x".repeat(1024 * 1024);
  const filled = renderRequest(often(30), args({ id: "", text }), { url: "https://api.example.com/" });
  expect(filled.body?.length).toBeGreaterThan(32 * text.length);
  const limit = 32 * 1024 * 1024;
  for (const [uses, id] of [
    [30, "x"],
    [31, ""],
  ] as const) {
    await expectRefusal(() => renderRequest(often(uses), args({ id, text })), "request_too_large", { limit });
  }
  const list = ["a".repeat(limit - 3)];
  await expectRefusal(
    () => renderRequest(template({ method: "POST", body: "{list}" }), args({ list })),
    "request_too_large",
    {
      limit,
    },
  );
});

test("a body is JSON and says so", () => {
  const write = template({ method: "POST", body: { text: "{text}", to: "{to}" }, success: [201] });
  expect(renderRequest(write, args({ text: 'é"\n' }))).toEqual({
    method: "POST",
    url: "https://api.example.com/v1/items",
    headers: { "content-type": "application/json" },
    body: '{"text":"é\\"\\n"}',
    success: [201],
  });
});

test("a template's own content type stays, however it is spelt", () => {
  const headers = { "Content-Type": "application/vnd.api+json" };
  expect(renderRequest(template({ method: "PATCH", body: {}, headers }), args({})).headers).toEqual(headers);
});

test("a body of which nothing is left is sent as {}, and no body is sent where the template has none", () => {
  for (const method of ["POST", "PUT", "PATCH", "DELETE"] as const) {
    expect(renderRequest(template({ method, body: { a: "{a}" } }), args({})).body).toBe("{}");
    expect(renderRequest(template({ method }), args({}))).not.toHaveProperty("body");
    expect(renderRequest(template({ method }), args({})).headers).toEqual({});
  }
});

test("a DELETE may carry a body", () => {
  expect(renderRequest(template({ method: "DELETE", body: { id: "{id}" } }), args({ id: 5 })).body).toBe('{"id":5}');
});

test("a GET never carries a body: an empty one is not sent, one that says something is refused", async () => {
  const get = template({ body: { a: "{a}" } });
  expect(renderRequest(get, args({}))).toEqual({
    method: "GET",
    url: "https://api.example.com/v1/items",
    headers: {},
    success: [200],
  });
  await expectRefusal(() => renderRequest(get, args({ a: 1 })), "request_unsound", {
    reason: "the template gives a GET a body",
  });
  await expectRefusal(() => renderRequest(template({ body: [] }), args({})), "request_unsound");
});

test("the account's region gives the address, which is guarded like the template's", async () => {
  const read = template({ url: "https://eu.example.com/v1/{id}", query: { a: 1 } });
  expect(renderRequest(read, args({ id: "x/y" }), { url: "https://na.example.com/v1/{id}" }).url).toBe(
    "https://na.example.com/v1/x%2Fy?a=1",
  );
  await expectRefusal(
    () => renderRequest(read, args({ id: ".." }), { url: "https://na.example.com/{id}" }),
    "argument_invalid",
  );
});
