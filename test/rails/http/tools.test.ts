/** How an http plugin's tools look to an agent: schema, cursor and hints, all from the manifest. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { HttpTool, LoadedPlugin } from "../../../src/manifest/manifest.ts";
import { parseManifest } from "../../../src/manifest/parse.ts";
import { cursorFrom, PAGE_CURSOR, servedTools } from "../../../src/rails/http/tools.ts";
import { plugin, tool } from "./laboratory.ts";

const PAGES = { cursor_path: "next", cursor_param: "cursor", items_path: "items" };

describe("HTTP-6/page-cursor the schema of a listing", () => {
  test("it is the declared one and an optional page_cursor", () => {
    const declared = {
      type: "object",
      properties: { q: { anyOf: [{ type: "string" }, { type: "null" }] } },
      required: ["q"],
    };
    const [listed, single] = servedTools(
      plugin([tool("all", { parameters: declared }, { paginate: PAGES }), tool("one", { parameters: declared })]),
    ).map((served) => served.tool.inputSchema);
    expect(single).toEqual(declared);
    expect(listed).toEqual({
      ...declared,
      properties: {
        ...declared.properties,
        page_cursor: { type: "string", description: "`next_cursor` of an earlier answer, to go on from there." },
      },
    });
  });

  test("a parameter of that name stays the manifest's own, and no cursor is read from it", () => {
    const parameters = { type: "object", properties: { page_cursor: { type: "integer" } } };
    const [served] = servedTools(plugin([tool("all", { parameters }, { paginate: PAGES })]));
    expect(served?.tool.inputSchema).toEqual(parameters);
    expect(cursorFrom(served?.source as HttpTool, { page_cursor: "abc" })).toBeUndefined();
  });

  test("the cursor is text; null and nothing mean the beginning; anything else is refused", () => {
    const source = servedTools(plugin([tool("all", {}, { paginate: PAGES })]))[0]?.source as HttpTool;
    expect(cursorFrom(source, { [PAGE_CURSOR]: "abc" })).toBe("abc");
    for (const none of [{}, { page_cursor: null }, { page_cursor: "" }])
      expect(cursorFrom(source, none)).toBeUndefined();
    for (const wrong of [7, true, ["abc"], { at: 1 }]) {
      expect(() => cursorFrom(source, { page_cursor: wrong })).toThrow("invalid parameter: page_cursor");
    }
  });
});

describe("the hints of a tool come from the manifest", () => {
  const hints = (more: object, request: object = {}) =>
    servedTools(plugin([tool("it", { ...more }, { ...request })]))[0]?.tool.annotations;

  test("a tool that only reads says so, whatever its method", () => {
    const reads = { readOnlyHint: true, destructiveHint: false, openWorldHint: true };
    expect(hints({ read_only: true })).toEqual(reads);
    expect(hints({ read_only: true }, { method: "POST" })).toEqual(reads);
  });

  test("of the writes only a POST that answers 201 is known to destroy nothing", () => {
    const write = (destructiveHint: boolean) => ({ readOnlyHint: false, destructiveHint, openWorldHint: true });
    expect(hints({ read_only: false }, { method: "POST", success: [200, 201] })).toEqual(write(false));
    expect(hints({ read_only: false }, { method: "POST" })).toEqual(write(true));
    expect(hints({ read_only: false }, { method: "POST", success: [200, 201, 204] })).toEqual(write(true));
    for (const method of ["PUT", "PATCH", "DELETE", "GET"]) {
      expect(hints({ read_only: false }, { method, success: [201] })).toEqual(write(true));
    }
  });
});

test("a tool without a template, of a plugin that is not bundled, is not listed", () => {
  const bare = { name: "web_bare", description: "Has nothing to send.", read_only: true };
  const loaded = plugin([bare, tool("look")]);
  expect(servedTools(loaded).map((served) => String(served.tool.name))).toEqual(["web_look"]);
});

test("BUN-2/all-tools a bundled plugin lists every tool of its manifest; its name alone gives no built-in request", () => {
  for (const [name, builtIn] of Object.entries({ gmail: 5, google_calendar: 1, google_drive: 2 })) {
    const text = readFileSync(join(import.meta.dirname, "../../../catalog/bundled", name, "plugin.json"), "utf8");
    const manifest = parseManifest(text, {});
    const listed = (origin: LoadedPlugin["origin"]) => servedTools({ origin, manifest }).map(({ source }) => source);
    expect(listed("bundled").map((tool) => tool.name)).toEqual(manifest.tools.map((tool) => tool.name).sort());
    expect(listed("bundled").filter(({ request }) => request === undefined)).toHaveLength(builtIn);
    expect(listed("installed").some(({ request }) => request === undefined)).toBe(false);
  }
});
