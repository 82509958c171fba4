/** The path and fields of a template, against every shape that an answer may have. */
import { describe, expect, test } from "bun:test";
import { parseKeepingDigits } from "../../../src/kernel/exact-json.ts";
import type { JsonValue } from "../../../src/kernel/json.ts";
import { extract } from "../../../src/rails/http/extract.ts";

const BODY: JsonValue = {
  user: { name: "ana", address: { city: "Lima" } },
  items: [
    { id: 1, tags: ["a", "b"], owner: { login: "x" } },
    { id: 2, tags: [], owner: null },
    { id: 3, tags: "c" },
  ],
  groups: [[1, 2], [[3]], 4],
};

function at(path: string, body: JsonValue = BODY): JsonValue {
  return extract(body, { path, fields: [] });
}

describe("HTTP-8/path", () => {
  test("without a rule the whole body is the answer", () => {
    expect(extract(BODY, undefined)).toBe(BODY);
    expect(extract(BODY, { path: undefined, fields: [] })).toBe(BODY);
  });

  test("keys lead into objects", () => {
    expect(at("user.address.city")).toBe("Lima");
    expect(at("user")).toEqual({ name: "ana", address: { city: "Lima" } });
  });

  test("a key maps over a list, null where an element is no object or lacks it", () => {
    expect(at("items.id")).toEqual([1, 2, 3]);
    expect(at("items.owner.login")).toEqual(["x", null, null]);
    expect(at("groups.id")).toEqual([null, null, null]);
  });

  test("[*] flattens one level", () => {
    expect(at("items[*].id")).toEqual([1, 2, 3]);
    expect(at("items[*].tags[*]")).toEqual(["a", "b", "c"]);
    expect(at("groups[*]")).toEqual([1, 2, [3], 4]);
    expect(at("[*]", [{ a: 1 }, { a: 2 }])).toEqual([{ a: 1 }, { a: 2 }]);
    expect(at("[*].a", [{ a: 1 }, { a: 2 }])).toEqual([1, 2]);
  });

  test("[*] of anything but a list is an empty list", () => {
    expect(at("user[*]")).toEqual([]);
    expect(at("nothing[*]")).toEqual([]);
    expect(at("[*]", "text")).toEqual([]);
  });

  test("what is not there is null, and what every object inherits is not there", () => {
    expect(at("user.nothing")).toBeNull();
    expect(at("user.name.length")).toBeNull();
    expect(at("user.constructor")).toBeNull();
    expect(at("user.__proto__")).toBeNull();
    expect(at("a", null)).toBeNull();
  });

  test("a number that keeps its digits is a scalar, not an object", () => {
    const body = parseKeepingDigits('{"id":12345678901234567890,"list":[12345678901234567890]}') as JsonValue;
    expect(JSON.stringify(at("id", body))).toBe("12345678901234567890");
    expect(at("id.rawJSON", body)).toBeNull();
    expect(at("list.rawJSON", body)).toEqual([null]);
    expect(JSON.stringify(extract(body, { path: undefined, fields: ["id", "rawJSON"] }))).toBe(
      '{"id":12345678901234567890}',
    );
    expect(JSON.stringify(extract(body, { path: "list", fields: ["rawJSON"] }))).toBe("[12345678901234567890]");
  });
});

describe("HTTP-8/fields", () => {
  test("an object keeps these keys in their order, and none it does not have", () => {
    expect(JSON.stringify(extract({ c: 3, a: 1, b: null }, { path: undefined, fields: ["b", "a", "z"] }))).toBe(
      '{"b":null,"a":1}',
    );
  });

  test("a list keeps them of each of its objects and leaves other values", () => {
    expect(extract({ items: [{ a: 1, b: 2 }, 7, [{ a: 1, b: 2 }]] }, { path: "items", fields: ["a"] })).toEqual([
      { a: 1 },
      7,
      [{ a: 1, b: 2 }],
    ]);
  });

  test("an empty list of fields filters nothing; a scalar passes", () => {
    expect(extract({ a: 1 }, { path: undefined, fields: [] })).toEqual({ a: 1 });
    expect(extract("text", { path: undefined, fields: ["a"] })).toBe("text");
  });

  test("a key named __proto__ is a key like others", () => {
    const body = JSON.parse('{"__proto__":{"x":1},"a":1}');
    expect(JSON.stringify(extract(body, { path: undefined, fields: ["__proto__"] }))).toBe('{"__proto__":{"x":1}}');
  });
});
