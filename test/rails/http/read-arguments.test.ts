/** Arguments of http tools: what is dropped, filled in, decoded and refused. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseKeepingDigits, rawNumber } from "../../../src/kernel/exact-json.ts";
import type { JsonObject, JsonValue } from "../../../src/kernel/json.ts";
import { MAX_MESSAGE_DEPTH } from "../../../src/kernel/json-depth.ts";
import { readArguments } from "../../../src/rails/http/read-arguments.ts";
import { expectRefusal } from "../../expect.ts";

const TOOL = "notes_search";

/** The arguments as an object, which holds raw numbers as such. */
function read(properties: JsonObject, given: JsonObject, required?: readonly string[]): JsonObject {
  const parameters = { type: "object", properties, ...(required === undefined ? {} : { required }) };
  return Object.fromEntries(readArguments(TOOL, parameters, given));
}

/** What one parameter of this schema makes of one value. */
function readOne(schema: JsonObject, value: JsonValue): JsonValue | undefined {
  return read({ it: schema }, { it: value })["it"];
}

async function reasonFor(schema: JsonObject, value: JsonValue): Promise<string> {
  const details = await expectRefusal(() => readOne(schema, value), "argument_invalid");
  expect({ tool: details.tool, argument: details.argument }).toEqual({ tool: TOOL, argument: "it" });
  return details.reason;
}

/** A list in a list in a list. */
function nested(levels: number): JsonValue {
  let value: JsonValue = [];
  for (let level = 1; level < levels; level += 1) value = [value];
  return value;
}

test("HTTP-7/undeclared: what no parameter declares is dropped, with or without parameters", () => {
  expect(read({ a: {} }, { a: 1, b: 2, constructor: 3 })).toEqual({ a: 1 });
  expect(readArguments(TOOL, undefined, { a: 1 })).toEqual(new Map());
  expect(readArguments(TOOL, { type: "object" }, { a: 1 })).toEqual(new Map());
});

test("members of a prototype are neither parameters nor arguments", () => {
  const declared = JSON.parse(
    '{"toString":{"type":"string"},"__proto__":{"type":"string","default":"d"}}',
  ) as JsonObject;
  expect([...readArguments(TOOL, { properties: declared }, {})]).toEqual([["__proto__", "d"]]);
  const given = JSON.parse('{"__proto__":"g","toString":"t"}') as JsonObject;
  expect([...readArguments(TOOL, { properties: declared }, given)]).toEqual([
    ["toString", "t"],
    ["__proto__", "g"],
  ]);
});

test("HTTP-7/defaults: an absent argument takes its default, which is judged like a given one", async () => {
  const limit = { type: "integer", default: 10 };
  expect(read({ limit, q: { type: "string" } }, {})).toEqual({ limit: 10 });
  expect(read({ limit }, { limit: 3 })).toEqual({ limit: 3 });
  expect(read({ off: { type: "boolean", default: false }, none: { default: "" } }, {})).toEqual({
    off: false,
    none: "",
  });
  expect(read({ ids: { type: "array", default: "[1]" } }, {})).toEqual({ ids: [1] });
  await expectRefusal(() => read({ limit: { type: "integer", default: "10" } }, {}), "argument_invalid", {
    tool: TOOL,
    argument: "limit",
    reason: "it must be a whole number, not text",
  });
});

test("HTTP-7/required: the first one missing after defaults is named", async () => {
  const properties = { owner: { type: "string" }, repo: { type: "string" }, sort: { default: "asc" } };
  await expectRefusal(() => read(properties, {}, ["sort", "repo", "owner"]), "argument_missing", {
    tool: TOOL,
    argument: "repo",
  });
  expect(read(properties, { owner: "o", repo: "" }, ["owner", "repo", "sort"])).toEqual({
    owner: "o",
    repo: "",
    sort: "asc",
  });
});

test("a required argument that nothing declares only has to be there", async () => {
  expect(read({}, { extra: 1 }, ["extra"])).toEqual({});
  await expectRefusal(() => read({}, {}, ["extra"]), "argument_missing", { tool: TOOL, argument: "extra" });
});

describe("HTTP-7/types", () => {
  const list = [1];
  const object = { a: 1 };
  const values: readonly JsonValue[] = ["a", "", "5", "[1]", '{"a":1}', 5, 0.5, true, null, list, object];
  const accepted: Readonly<Record<string, readonly JsonValue[]>> = {
    string: ["a", "", "5", "[1]", '{"a":1}'],
    integer: [5],
    number: [5, 0.5],
    boolean: [true],
    array: ["[1]", list],
    object: ['{"a":1}', object],
  };
  for (const [type, taken] of Object.entries(accepted)) {
    test(`${type} takes its own values and nothing is converted into it`, async () => {
      for (const value of values) {
        if (taken.includes(value)) expect(() => readOne({ type }, value)).not.toThrow();
        else expect(await reasonFor({ type }, value)).toStartWith("it must be ");
      }
    });
  }

  test("without a type everything passes as it is", () => {
    for (const value of values) expect(readOne({ description: "x" }, value)).toBe(value);
    expect(read({ it: true }, { it: "x" })).toEqual({ it: "x" });
  });

  test("CASE-68: a nullable parameter without a type takes null and text, and its schema is left as it was", () => {
    const nullable = { anyOf: [{ type: "string" }, { type: "null" }], default: null };
    const before = JSON.stringify(nullable);
    expect(readOne(nullable, null)).toBe(null);
    expect(readOne(nullable, "x")).toBe("x");
    expect(read({ it: nullable }, {})).toEqual({ it: null });
    expect(JSON.stringify(nullable)).toBe(before);
  });

  test("a type that is none of the six is refused, a list of types takes any of them", async () => {
    const unknown = "its type in the tool's parameters is not one that Fermix knows";
    for (const type of ["uuid", "null", "toString", 5, {}, null, [], ["string", "uuid"]] as readonly JsonValue[]) {
      expect(await reasonFor({ type }, true)).toBe(unknown);
    }
    expect(readOne({ type: ["string", "null"] }, null)).toBe(null);
    expect(readOne({ type: ["integer", "string"] }, "5")).toBe("5");
    for (const text of ["[1]", "12345678901234567890"]) {
      expect(readOne({ type: ["array", "integer", "string"] }, text)).toBe(text);
    }
    expect(await reasonFor({ type: ["integer", "null"] }, "five")).toBe("it must be a whole number, not text");
  });

  test("null is told how to be absent", async () => {
    expect(await reasonFor({ type: "string" }, null)).toBe("it must be text, not null (leave it out instead)");
  });
});

test("HTTP-7/enum: only a member passes, and the advice names them", async () => {
  const state = { type: "string", enum: ["open", "closed", "all"] };
  expect(readOne(state, "closed")).toBe("closed");
  expect(await reasonFor(state, "opened")).toBe('it must be one of "open", "closed", "all"');
  expect(await reasonFor({ enum: [1, null, true] }, "1")).toBe("it must be one of 1, null, true");
  expect(readOne({ enum: [{ a: 1 }] }, { a: 1 })).toEqual({ a: 1 });
  expect(readOne({ enum: "open" }, "x")).toBe("x");
  const many = { enum: Array.from({ length: 22 }, (_, index) => index) };
  expect(await reasonFor(many, 99)).toEndWith("18, 19, and 2 more");
  expect(await reasonFor({ enum: ["\u202eevil\n"] }, "x")).toBe('it must be one of "\\u202eevil\\n"');
});

describe("HTTP-7/json-text", () => {
  test("text of JSON is decoded for a list or an object, when it is one", async () => {
    expect(readOne({ type: "array" }, ' ["a", {"b": 1}] ')).toEqual(["a", { b: 1 }]);
    expect(readOne({ type: "object" }, '{"__proto__":1}')).toEqual(JSON.parse('{"__proto__":1}'));
    for (const text of ["", "[1", "1", "null", '"[1]"', "{}", "a,b"]) {
      expect(await reasonFor({ type: "array" }, text)).toBe("it must be a list, not text");
    }
    for (const text of ["", "{", "5", "null", "[]", "12345678901234567890", "1e400"]) {
      expect(await reasonFor({ type: "object" }, text)).toBe("it must be an object, not text");
    }
  });

  test("what is inside keeps its digits", () => {
    const decoded = readOne({ type: "array" }, "[1.10, 0.1234567890123456789]");
    expect(JSON.stringify(decoded)).toBe("[1.10,0.1234567890123456789]");
  });

  test("nesting is taken up to the limit of every message and not one level deeper", async () => {
    const deepest = JSON.stringify(nested(MAX_MESSAGE_DEPTH));
    expect(readOne({ type: "array" }, deepest)).toEqual(nested(MAX_MESSAGE_DEPTH));
    expect(await reasonFor({ type: "array" }, `[${deepest}]`)).toBe("it must be a list, not text");
    expect(await reasonFor({ type: "array" }, "[".repeat(100_000))).toBe("it must be a list, not text");
    const bottomless = `${"[".repeat(100_000)}12345678901234567890${"]".repeat(100_000)}`;
    expect(await reasonFor({ type: "array" }, bottomless)).toBe("it must be a list, not text");
    expect(readOne({}, nested(MAX_MESSAGE_DEPTH))).toEqual(nested(MAX_MESSAGE_DEPTH));
    expect(await reasonFor({}, nested(MAX_MESSAGE_DEPTH + 1))).toBe("it nests deeper than 500 levels");
  });
});

describe("numbers", () => {
  const send = "is beyond 2^53 - 1, send it as a string";

  test("the largest safe integer passes, one more is refused with the advice to send text", async () => {
    expect(readOne({ type: "integer" }, Number.MAX_SAFE_INTEGER)).toBe(Number.MAX_SAFE_INTEGER);
    for (const type of ["integer", "number", "string", "array", undefined]) {
      const schema = type === undefined ? {} : { type };
      expect(await reasonFor(schema, Number.MAX_SAFE_INTEGER + 1)).toBe(`it ${send}`);
      for (const digits of ["9007199254740993", "-12345678901234567890", "1e21", "9007199254740993.0", "1e400"]) {
        expect(await reasonFor(schema, parseKeepingDigits(digits) as JsonValue)).toBe(`it ${send}`);
      }
    }
  });

  test("one inside is found and named by its place, decoded text included", async () => {
    const inside = parseKeepingDigits('{"a":[1,{"id":12345678901234567890}]}') as JsonObject;
    expect(await reasonFor({ type: "object" }, inside)).toBe(`it.a[1].id ${send}`);
    expect(await reasonFor({}, inside)).toBe(`it.a[1].id ${send}`);
    expect(await reasonFor({ type: "object" }, JSON.stringify(inside))).toBe(`it.a[1].id ${send}`);
    expect(readOne({ type: "string" }, JSON.stringify(inside))).toBe(JSON.stringify(inside));
  });

  test("a place is shown up to its bound and not one character more", async () => {
    const fits = "k".repeat(200 - "it.".length);
    expect(await reasonFor({}, { [fits]: 2 ** 60 })).toBe(`it.${fits} ${send}`);
    expect(await reasonFor({}, { [`${fits}k`]: 2 ** 60 })).toBe(`it.${fits}… ${send}`);
  });

  test("an argument that is dropped is not judged", () => {
    expect(read({}, { id: 2 ** 60 })).toEqual({});
  });

  test("the text that was advised is taken, with every digit, where a whole number or a number is wanted", async () => {
    for (const type of ["integer", "number"]) {
      expect(JSON.stringify(readOne({ type }, "-12345678901234567890"))).toBe("-12345678901234567890");
      expect(readOne({ type }, "9007199254740992")).toEqual(rawNumber("9007199254740992") as JsonValue);
      for (const text of [
        "9007199254740991",
        "5",
        "",
        " 12345678901234567890",
        "1e30",
        "0x99999999999999999999",
        "-0",
      ]) {
        expect(await reasonFor({ type }, text)).toEndWith(", not text");
      }
    }
    expect(readOne({ type: "string" }, "12345678901234567890")).toBe("12345678901234567890");
  });

  test("digits that are no unsafe integer are kept, and a whole number loses an empty fraction", async () => {
    for (const digits of ["1.10", "0.1234567890123456789", "1e-400", "9007199254740993.5", "-0.0"]) {
      expect(JSON.stringify(readOne({ type: "number" }, parseKeepingDigits(digits) as JsonValue))).toBe(digits);
    }
    expect(readOne({ type: "integer" }, rawNumber("5.0") as JsonValue)).toBe(5);
    expect(readOne({ type: "integer" }, rawNumber("50E-1") as JsonValue)).toBe(5);
    expect(await reasonFor({ type: "integer" }, rawNumber("5.0000000000000000001") as JsonValue)).toBe(
      "it must be a whole number, not a number",
    );
    expect(await reasonFor({ type: "object" }, rawNumber("1.10") as JsonValue)).toBe(
      "it must be an object, not a number",
    );
    expect(readOne({ enum: [1.1] }, rawNumber("1.10") as JsonValue)).toEqual(rawNumber("1.10") as JsonValue);
  });
});

test("any arguments for any schema are either read or refused by name", () => {
  const schema = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }));
  fc.assert(
    fc.property(schema, fc.dictionary(fc.string(), fc.jsonValue()), (parameters, given) => {
      try {
        readArguments(TOOL, parameters as JsonObject, given as JsonObject);
      } catch (error) {
        expect(error).toMatchObject({ code: expect.stringMatching(/^argument_(missing|invalid)$/) });
      }
    }),
  );
});
