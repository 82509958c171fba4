/** What becomes of arguments in a template's address, in its path, query and fragment. */
import { describe, expect, test } from "bun:test";
import { parseKeepingDigits } from "../../../src/kernel/exact-json.ts";
import type { JsonValue } from "../../../src/kernel/json.ts";
import { renderUrl } from "../../../src/rails/http/render-url.ts";
import { expectRefusal } from "../../expect.ts";
import { args } from "./templates.ts";

const ITEM = "https://api.example.com/v1/items/{id}/parts";

function item(id: JsonValue): string {
  return renderUrl(ITEM, args({ id })).href;
}

describe("HTTP-7/path-encoded CASE-67: a value stays inside its path segment", () => {
  const cases: readonly (readonly [JsonValue, string])[] = [
    ["plain-1_2.3~", "plain-1_2.3~"],
    ["a b", "a%20b"],
    ["a+b", "a%2Bb"],
    ["a/b", "a%2Fb"],
    ["../../admin", "..%2F..%2Fadmin"],
    ["..\\admin", "..%5Cadmin"],
    ["/etc", "%2Fetc"],
    ["//evil.example", "%2F%2Fevil.example"],
    ["?x=1", "%3Fx%3D1"],
    ["#top", "%23top"],
    ["%2e%2e", "%252e%252e"],
    ["%2F", "%252F"],
    [";v=1", "%3Bv%3D1"],
    ["@evil.example", "%40evil.example"],
    [":443", "%3A443"],
    ["a&b=c", "a%26b%3Dc"],
    ["\r\nHost: evil.example", "%0D%0AHost%3A%20evil.example"],
    ["\u0000", "%00"],
    ["\t", "%09"],
    ["ü", "%C3%BC"],
    ["\u{1f600}", "%F0%9F%98%80"],
    ["\u2025", "%E2%80%A5"],
    ["...", "..."],
    ["..a", "..a"],
    [".a", ".a"],
    ["{id}", "%7Bid%7D"],
    ["<m@x.example>", "%3Cm%40x.example%3E"],
    [42, "42"],
    [-1, "-1"],
    [true, "true"],
    [parseKeepingDigits("1.10") as JsonValue, "1.10"],
    [["a,b", "c/d"], "a%2Cb,c%2Fd"],
    [{ a: 1 }, "%7B%22a%22%3A1%7D"],
  ];
  for (const [value, text] of cases) {
    test(`${JSON.stringify(value)} is sent as ${text}`, () => {
      expect(item(value)).toBe(`https://api.example.com/v1/items/${text}/parts`);
    });
  }
});

describe("a value that would make a path segment vanish is refused", () => {
  const empty = "it is a part of the address and must not be empty";
  const dots = "a part of the address must not be `.` or `..`";
  const cases: readonly (readonly [string, Readonly<Record<string, JsonValue>>, string, string])[] = [
    [ITEM, { id: "" }, "id", empty],
    [ITEM, { id: [] }, "id", empty],
    [ITEM, { id: [""] }, "id", empty],
    [ITEM, { id: "." }, "id", dots],
    [ITEM, { id: ".." }, "id", dots],
    [ITEM, { id: [".."] }, "id", dots],
    ["https://api.example.com/{id}", { id: ".." }, "id", dots],
    ["https://api.example.com/{id}?a=1", { id: ".." }, "id", dots],
    ["https://api.example.com/{id}#a", { id: "." }, "id", dots],
    ["https://api.example.com/a/.{id}/b", { id: "." }, "id", dots],
    ["https://api.example.com/a/%2e{id}/b", { id: "." }, "id", dots],
    ["https://api.example.com/a/{id}%2E/b", { id: "." }, "id", dots],
    ["https://api.example.com/a/{id}{more}/b", { id: ".", more: "." }, "more", dots],
    ["https://api.example.com/items/{id}.json", { id: "" }, "id", empty],
  ];
  for (const [template, given, argument, reason] of cases) {
    test(`${JSON.stringify(given)} in ${template}`, async () => {
      await expectRefusal(() => renderUrl(template, args(given)), "argument_invalid", { argument, reason });
    });
  }
});

test("dots beside other text, in the query or in the fragment are only text", () => {
  const given = args({ id: "..", empty: "" });
  expect(renderUrl("https://api.example.com/v{id}/a", given).href).toBe("https://api.example.com/v../a");
  expect(renderUrl("https://api.example.com/a?b={id}&c={empty}#/{id}", given).href).toBe(
    "https://api.example.com/a?b=..&c=",
  );
});

test("half of a character cannot be sent, and says so", async () => {
  const reason = "it holds half of a character (a lone surrogate), which an address cannot carry";
  for (const id of ["\ud83d", "a\udc00b", ["ok", "\ud83d"]]) {
    await expectRefusal(() => item(id), "argument_invalid", { argument: "id", reason });
  }
});

test("CASE-67: an argument that the address wants and nobody gave is named, wherever it stands", async () => {
  for (const template of [
    ITEM,
    "https://api.example.com/{id}",
    "https://api.example.com/a?id={id}",
    "https://api.example.com/a#{id}",
  ]) {
    await expectRefusal(() => renderUrl(template, args({})), "argument_wanted", { argument: "id" });
    await expectRefusal(() => renderUrl(template, args({ id: null })), "argument_wanted", { argument: "id" });
  }
});

test("values in the address's own query are encoded, and the fragment is filled in but never sent", () => {
  const given = args({ q: "a b&c=d#e+f'", list: ["x,y", "z"] });
  expect(renderUrl("https://api.example.com/a?q={q}&l={list}&k=1#{q}", given).href).toBe(
    "https://api.example.com/a?q=a%20b%26c%3Dd%23e%2Bf%27&l=x%2Cy,z&k=1",
  );
  expect(renderUrl("https://api.example.com?q={q}", args({ q: "/x" })).href).toBe("https://api.example.com/?q=%2Fx");
});

test("CASE-67: braces that are no placeholder are never sent", async () => {
  const reason = "the template's address has braces that are no placeholder";
  for (const template of [
    "https://api.example.com/{user-id}",
    "https://api.example.com/{1}/a",
    "https://api.example.com/a?b={}",
    "https://api.example.com/{{id}}",
    "https://api.example.com/a}",
  ]) {
    await expectRefusal(() => renderUrl(template, args({ id: "x" })), "request_unsound", { reason });
  }
});

test("a template whose authority is open to arguments is refused even when the manifest's checks were not run", async () => {
  for (const template of [
    "https://{id}/a",
    "https://api.example.com{id}/a",
    "https://api.example.com:{id}/a",
    "https://{id}@api.example.com/a",
    "https://user@api.example.com/{id}",
    "https://user:pass@api.example.com/{id}",
    "http://api.example.com/{id}",
    "ftp://api.example.com/{id}",
    "//api.example.com/{id}",
    "{id}",
    "https://",
    "https:///{id}",
    "",
  ]) {
    await expectRefusal(() => renderUrl(template, args({ id: "evil.example" })), "request_unsound");
  }
});

test("the template's own words stay as their author wrote them", () => {
  expect(renderUrl("https://discord.example/users/@me/guilds", args({})).href).toBe(
    "https://discord.example/users/@me/guilds",
  );
  expect(renderUrl("https://API.example.com:8443/a%2Fb/{id}.json", args({ id: 7 })).href).toBe(
    "https://api.example.com:8443/a%2Fb/7.json",
  );
});
