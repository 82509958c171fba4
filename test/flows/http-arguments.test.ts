/** What hostile and unusual arguments become on the wire, and which ones never get there: the compiled binary, a plugin under dev_local. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HttpHome } from "../lab/http-home.ts";
import { type HttpLab, openHttpLab } from "../lab/http-lab.ts";
import { labMissing } from "../lab/network.ts";
import { sent } from "../lab/sent.ts";

const missing = labMissing();
if (missing !== undefined) console.warn(`not run: ${missing} is missing`);

const API = "https://api.mirror.example/v1";

function tool(name: string, properties: object, request: object, required: readonly string[] = []): object {
  return {
    name: `mirror_${name}`,
    description: "Shows what it is sent.",
    read_only: false,
    rail: "http",
    parameters: { type: "object", properties, required },
    request,
  };
}

const text = { type: "string" };
const list = { type: "array" };
const MIRROR = {
  schema_version: 2,
  name: "mirror",
  display_name: "Mirror",
  description: "Shows what it is sent.",
  category: "development",
  version: "1.0.0",
  min_core_version: "0.7.2",
  plugin_api: 2,
  auth: { type: "none" },
  tools: [
    tool(
      "get",
      {
        id: text,
        q: { ...text, default: "all" },
        state: { ...text, enum: ["open", "closed"] },
        limit: { type: "integer" },
      },
      { url: `${API}/items/{id}/parts`, query: { q: "{q}", state: "{state}", limit: "{limit}" } },
      ["id"],
    ),
    tool("inline", { id: text, kind: text }, { url: `${API}/{id}.json?kind={kind}#{id}` }),
    ...["repeat", "comma", "bracket"].map((style) =>
      tool(style, { tags: list }, { url: `${API}/list`, query: { tag: "{tags}" }, query_style: style }),
    ),
    tool("empty", { tags: list }, { url: `${API}/list`, query: { tag: "{tags}" }, query_empty: "send" }),
    tool(
      "post",
      { text, count: { type: "integer" }, more: { type: "object" }, tags: list },
      {
        method: "POST",
        url: `${API}/items`,
        body: { text: "{text}", count: "{count}", in: { tags: "{tags}" }, more: "{more}" },
      },
    ),
    tool("remove", { id: text, why: text }, { method: "DELETE", url: `${API}/items/{id}`, body: { why: "{why}" } }),
  ],
};

describe.if(missing === undefined)("in a network of its own", () => {
  let lab: HttpLab;
  let home: HttpHome;
  const folder = mkdtempSync(join(tmpdir(), "fermix-arguments-"));
  beforeAll(async () => {
    lab = await openHttpLab(["mirror"]);
    mkdirSync(join(folder, "mirror"));
    writeFileSync(join(folder, "mirror/plugin.json"), JSON.stringify(MIRROR));
    home = await lab.home({ plugins: ["mirror"], devLocal: folder });
  }, 60_000);
  afterAll(() => {
    home?.[Symbol.dispose]();
    lab?.[Symbol.dispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Calls by an agent, one after another; gives the text of those that were refused. */
  async function calls(...given: readonly (readonly [tool: string, args: Record<string, unknown>])[]) {
    return await home.agent(async (client) => {
      const refused: string[] = [];
      for (const [name, args] of given) {
        const { isError, content } = await client.callTool({ name: `mirror_${name}`, arguments: args });
        if (isError) refused.push((content as readonly { text: string }[])[0]?.text ?? "");
      }
      return refused;
    });
  }

  test("HTTP-7/path-encoded CASE-67 a value arrives inside its own path segment, whatever is in it", async () => {
    const values: Readonly<Record<string, string>> = {
      "a b": "a%20b",
      "a+b": "a%2Bb",
      "../../admin": "..%2F..%2Fadmin",
      "..\\..\\admin": "..%5C..%5Cadmin",
      "%2e%2e": "%252e%252e",
      "//evil.example/": "%2F%2Fevil.example%2F",
      "@evil.example:80": "%40evil.example%3A80",
      "?x=1#y": "%3Fx%3D1%23y",
      "\r\nx-evil: 1\r\n\r\nGET / HTTP/1.1": "%0D%0Ax-evil%3A%201%0D%0A%0D%0AGET%20%2F%20HTTP%2F1.1",
      "\u0000": "%00",
      "...": "...",
      "ünïcode \u{1f600}": "%C3%BCn%C3%AFcode%20%F0%9F%98%80",
    };
    expect(await calls(...Object.keys(values).map((id) => ["get", { id }] as const))).toEqual([]);
    expect(await lab.calls()).toEqual(
      Object.values(values).map((segment) => sent(`GET ${API}/items/${segment}/parts?q=all`, {})),
    );
  });

  test("HTTP-7/required HTTP-7/enum HTTP-7/types what cannot be sent safely is refused before anything is dialled", async () => {
    expect(
      await calls(
        ["get", { id: ".." }],
        ["get", { id: "." }],
        ["get", { id: "" }],
        ["get", { id: "\ud800" }],
        ["get", {}],
        ["get", { id: 5 }],
        ["get", { id: "x", state: "ajar" }],
        ["get", { id: "x", limit: "5" }],
        ["inline", { id: "x" }],
      ),
    ).toEqual([
      "invalid parameter: id\nFix: correct it and call again: a part of the address must not be `.` or `..`",
      "invalid parameter: id\nFix: correct it and call again: a part of the address must not be `.` or `..`",
      "invalid parameter: id\nFix: correct it and call again: it is a part of the address and must not be empty",
      "invalid parameter: id\nFix: correct it and call again: it holds half of a character (a lone surrogate), which an address cannot carry",
      "missing required parameter: id\nFix: call mirror_get again with `id`",
      "invalid parameter: id\nFix: correct it and call again: it must be text, not a number",
      'invalid parameter: state\nFix: correct it and call again: it must be one of "open", "closed"',
      "invalid parameter: limit\nFix: correct it and call again: it must be a whole number, not text",
      "could not build request: the address needs kind\nFix: call it again with `kind`",
    ]);
    expect(await lab.calls()).toEqual([]);
  });

  test("HTTP-7/defaults HTTP-7/undeclared HTTP-7/json-text arguments arrive as their template says", async () => {
    const refused = await calls(
      ["get", { id: "x", q: "a&b=c d", state: "open", limit: 5, evil: "1" }],
      ["inline", { id: "a/b", kind: "x y&z" }],
      ["post", { text: 'é"\n', count: 3, more: '{"deep":[1,{"a":null}]}', tags: '[1,"x"]' }],
      ["post", {}],
      ["remove", { id: "7", why: "old" }],
    );
    expect(refused).toEqual([]);
    expect(await lab.calls()).toEqual([
      sent(`GET ${API}/items/x/parts?q=a%26b%3Dc%20d&state=open&limit=5`, {}),
      sent(`GET ${API}/a%2Fb.json?kind=x%20y%26z`, {}),
      sent(
        `POST ${API}/items`,
        {},
        '{"text":"é\\"\\n","count":3,"in":{"tags":[1,"x"]},"more":{"deep":[1,{"a":null}]}}',
      ),
      sent(`POST ${API}/items`, {}, "{}"),
      sent(`DELETE ${API}/items/7`, {}, '{"why":"old"}'),
    ]);
  });

  test("CASE-64 CASE-66 lists arrive in the style of their template, empty ones as it says", async () => {
    const tags = ["a,b", "c d"];
    const refused = await calls(
      ...["repeat", "comma", "bracket", "empty"].map((style) => [style, { tags }] as const),
      ...["repeat", "comma", "bracket", "empty"].map((style) => [style, { tags: [] }] as const),
    );
    expect(refused).toEqual([]);
    expect(await lab.calls()).toEqual(
      [
        "?tag=a%2Cb&tag=c%20d",
        "?tag=a%2Cb,c%20d",
        "?tag%5B%5D=a%2Cb&tag%5B%5D=c%20d",
        "?tag=a%2Cb&tag=c%20d",
        "",
        "",
        "",
        "?tag=",
      ].map((query) => sent(`GET ${API}/list${query}`, {})),
    );
  });

  test("an id that a double cannot count is refused as a number and arrives whole as text", async () => {
    const big = ["call", "mirror_post", "--json", "--args"];
    const { code, stdout } = await home.inLab([...big, '{"count":12345678901234567890}']);
    expect([code, JSON.parse(stdout).error]).toEqual([
      2,
      {
        code: "argument_invalid",
        message: "invalid parameter: count",
        fix: "correct it and call again: count is beyond 2^53 - 1, send it as a string",
        details: {
          tool: "mirror_post",
          argument: "count",
          reason: "count is beyond 2^53 - 1, send it as a string",
        },
      },
    ]);
    expect((await home.inLab([...big, '{"count":"12345678901234567890","more":{"price":1.10}}'])).code).toBe(0);
    expect(await lab.calls()).toEqual([
      sent(`POST ${API}/items`, {}, '{"count":12345678901234567890,"more":{"price":1.10}}'),
    ]);
  });
});
