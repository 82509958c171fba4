/** Properties of every request: no argument changes where it goes or leaves its place, and what is sent decodes to what was given. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { assertPublicUrl } from "../../../src/egress/url-policy.ts";
import { isFermixError } from "../../../src/kernel/error.ts";
import { parseKeepingDigits } from "../../../src/kernel/exact-json.ts";
import type { JsonObject, JsonValue } from "../../../src/kernel/json.ts";
import type { RequestTemplate } from "../../../src/manifest/manifest.ts";
import type { ApiRequest } from "../../../src/rails/http/api.ts";
import { readArguments } from "../../../src/rails/http/read-arguments.ts";
import { renderRequest } from "../../../src/rails/http/render-request.ts";
import { withCursor } from "../../../src/rails/http/with-cursor.ts";
import { catalogTemplates, foreignTemplates, propertiesOf, type TemplateTool } from "./catalog-templates.ts";
import { args, template } from "./templates.ts";

/** What path, query, header and host injection is made of, in any order and number. */
const piece = fc.constantFrom(
  ...["..", ".", "/", "\\", "%2e", "%2E%2e", "%2f", "%5c", "%00", "?", "#", "@", ":", ";", "&", "=", "+", " ", ","],
  ...["\r\n", "\n", "\t", "\0", "é", "\u{1f600}", "\u2025", "\uff0f", "\uff0e", "{id}", "[", "]", "|", "^", "`", '"'],
  ...["'", "<", ">", "*", "!", "$&", "https://evil.example", "//evil.example", "user:pass@", "a", "0", "", "\u202e"],
);
const hostile = fc.oneof(
  fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join("")),
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
);
/** Half of a surrogate pair among them. */
const anyText = fc.oneof(
  hostile,
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
);

/** The request, or undefined when it was refused by name; anything else that is thrown fails the test. */
function outcome(make: () => ApiRequest): ApiRequest | undefined {
  try {
    return make();
  } catch (error) {
    if (!isFermixError(error)) throw error;
    expect(error.code).toMatch(/^(argument_invalid|argument_missing|argument_wanted|request_unsound)$/);
    expect(`${error.message}${error.fix}`).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
    return undefined;
  }
}

const WORD = "w0rd";

/** The address that the template gives with a plain word everywhere. */
function plainUrl(url: string): URL {
  return new URL(url.replaceAll(/\{[a-zA-Z_][a-zA-Z0-9_]*\}/g, WORD));
}

/** Scheme, host, port, and every part of the path that the template's author wrote are those of the template. */
function expectSamePlace(request: ApiRequest, written: string): void {
  const url = new URL(request.url);
  const plain = plainUrl(written);
  expect(url.origin).toBe(plain.origin);
  expect([url.username, url.password, url.hash]).toEqual(["", "", ""]);
  const [segments, plainSegments] = [url.pathname.split("/"), plain.pathname.split("/")];
  expect(segments.length).toBe(plainSegments.length);
  for (const [index, segment] of plainSegments.entries()) {
    if (segment.includes(WORD)) expect(segments[index]).not.toMatch(/^(?:(?:\.|%2e){1,2})?$/i);
    else expect(segments[index]).toBe(segment);
  }
  // What is judged and dialled later is what was made here: parsing it again changes nothing.
  expect(assertPublicUrl(request.url).href).toBe(request.url);
}

describe("one argument in any place of an address", () => {
  const places = [
    "https://api.example.com/{id}",
    "https://api.example.com/a/{id}/b",
    "https://api.example.com/a/{id}.json",
    "https://api.example.com/a/.{id}/b",
    "https://api.example.com/a/%2e{id}/b",
    "https://api.example.com/{id}{id}/b",
    "https://api.example.com:8443/a/{id}/{id}?x={id}&y=1#{id}",
    "https://api.example.com?x={id}",
    "https://api.example.com/a#{id}",
  ];

  test("HTTP-7/path-encoded: it never changes scheme, host, port or another segment", () => {
    fc.assert(
      fc.property(fc.constantFrom(...places), anyText, (url, id) => {
        const request = outcome(() => renderRequest(template({ url }), args({ id })));
        if (request !== undefined) expectSamePlace(request, url);
      }),
      { numRuns: 3000 },
    );
  });

  test("as a whole segment it decodes to what was given, and only what cannot is refused", () => {
    fc.assert(
      fc.property(anyText, (id) => {
        const request = outcome(() =>
          renderRequest(template({ url: "https://api.example.com/a/{id}/b" }), args({ id })),
        );
        if (request === undefined) expect(id === "" || id === "." || id === ".." || !id.isWellFormed()).toBe(true);
        else expect(decodeURIComponent(new URL(request.url).pathname.split("/")[2] ?? "")).toBe(id);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("a query", () => {
  const url = "https://api.example.com/a?first={id}";

  test("decodes to what was given, and no value adds or renames a parameter", () => {
    fc.assert(
      fc.property(hostile, hostile, fc.string({ minLength: 1 }), (id, q, key) => {
        const query = { [key]: "{q}", mixed: "<{q}>", last: 1 };
        const request = outcome(() => renderRequest(template({ url, query }), args({ id, q })));
        if (request === undefined)
          return expect(id.isWellFormed() && q.isWellFormed() && key.isWellFormed()).toBe(false);
        expectSamePlace(request, url);
        expect([...new URL(request.url).searchParams]).toEqual([
          ["first", id],
          ...Object.entries(query).map(([name, value]): [string, string] => [
            name,
            String(value).replace("{q}", () => q),
          ]),
        ]);
      }),
    );
  });

  test("CASE-64: a list decodes to its items in every style", () => {
    const items = fc.array(
      hostile.filter((text) => text.isWellFormed()),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(items, fc.constantFrom("repeat", "comma", "bracket"), (tags, queryStyle) => {
        const request = renderRequest(template({ query: { tag: "{tags}" }, queryStyle }), args({ tags }));
        const { search, searchParams } = new URL(request.url);
        const comma = () => search.slice("?tag=".length).split(",").map(decodeURIComponent);
        const sent = { repeat: () => searchParams.getAll("tag"), bracket: () => searchParams.getAll("tag[]"), comma };
        expect(sent[queryStyle]()).toEqual(tags);
      }),
    );
  });

  test("a cursor decodes to what the provider gave, and touches nothing else", () => {
    const paging = { cursorIn: "query", cursorParam: "page" } as const;
    fc.assert(
      fc.property(hostile, hostile, (q, cursor) => {
        const first = outcome(() => renderRequest(template({ query: { q: "{q}", page: "1" } }), args({ q })));
        const next = first && outcome(() => withCursor(first, paging, cursor));
        if (next === undefined) return expect(q.isWellFormed() && cursor.isWellFormed()).toBe(false);
        expectSamePlace(next, "https://api.example.com/v1/items");
        expect([...new URL(next.url).searchParams]).toEqual([
          ["q", q],
          ["page", cursor],
        ]);
      }),
    );
  });
});

describe("a body", () => {
  test("holds the value that was given, whatever it is", () => {
    const write = template({ method: "POST", body: { it: "{it}", list: ["{it}"], text: "<{text}>" } });
    fc.assert(
      fc.property(fc.jsonValue(), anyText, (value, text) => {
        const it: unknown = JSON.parse(JSON.stringify(value));
        const { body } = renderRequest(write, args({ it: it as JsonValue, text }));
        expect(JSON.parse(String(body))).toEqual({ it, list: [it], text: `<${text}>` } as JsonObject);
      }),
    );
  });

  test("holds every digit of every number", () => {
    const digits = fc.stringMatching(/^-?(?:0|[1-9]\d{0,40})(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?$/);
    fc.assert(
      fc.property(digits, (number) => {
        const it = parseKeepingDigits(`{"n":[${number}]}`) as JsonObject;
        const { body } = renderRequest(template({ method: "PUT", body: "{it}" }), args({ it }));
        expect(body).toBe(`{"n":[${number}]}`);
      }),
    );
  });
});

describe("every template of the catalog, of the bundled plugins and in the published style", () => {
  const tools = [...catalogTemplates, ...foreignTemplates];

  /** Arguments of the declared types with hostile text wherever text is taken. */
  function hostileFor(tool: TemplateTool): fc.Arbitrary<JsonObject> {
    const values: Record<string, fc.Arbitrary<JsonValue>> = {};
    for (const [name, schema] of Object.entries(propertiesOf(tool))) {
      const byType: Readonly<Record<string, fc.Arbitrary<JsonValue>>> = {
        integer: fc.integer(),
        number: fc.double({ noNaN: true, noDefaultInfinity: true }),
        boolean: fc.boolean(),
        array: fc.array(hostile),
        object: fc.dictionary(hostile, hostile),
      };
      const allowed = schema["enum"] as readonly JsonValue[] | undefined;
      values[name] = allowed ? fc.constantFrom(...allowed) : (byType[String(schema["type"])] ?? hostile);
    }
    return fc.record(values, { requiredKeys: [] });
  }

  function addresses({ url, regionalUrls }: RequestTemplate): readonly string[] {
    return [url, ...Object.values(regionalUrls ?? {})];
  }

  for (const tool of tools) {
    test(`${tool.name} goes nowhere else, and its headers are its author's`, () => {
      fc.assert(
        fc.property(hostileFor(tool), fc.constantFrom(...addresses(tool.request)), (given, url) => {
          const request = outcome(() =>
            renderRequest(tool.request, readArguments(tool.name, tool.parameters, given), { url }),
          );
          if (request === undefined) return;
          expectSamePlace(request, url);
          const type = tool.request.body === undefined ? {} : { "content-type": "application/json" };
          expect(request.headers).toEqual({ ...type, ...tool.request.headers });
          for (const value of Object.values(request.headers)) expect(value).not.toMatch(/[\r\n]/);
          expect(request.method).toBe(tool.request.method);
        }),
        { numRuns: 40 },
      );
    });
  }
});
