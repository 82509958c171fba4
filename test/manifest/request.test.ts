/** Request templates: everything that can be judged before a call (spec 1.6, 3.4, 3.5). */
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../src/kernel/json.ts";
import { parseManifest } from "../../src/manifest/parse.ts";
import { long, problemsOf, problemsOfRow, type Row } from "./parse-cases.ts";
import { httpSample, withChange } from "./samples.ts";

const R = "tools.0.request";
const P = "tools[0].request";

/** The rule an address breaks, undefined when it is sound. */
function ruleOf(url: string): string | undefined {
  return problemsOf(withChange(httpSample(), `${R}.url`, url))[0]?.replace(`${P}.url `, "");
}

describe("addresses", () => {
  test("HTTP-1/https-only", () => {
    for (const url of [
      "http://api.example.com/",
      "ftp://x",
      "//x/y",
      "/y",
      "",
      "HTTPS://api.example.com",
      " https://x.com",
    ]) {
      expect({ url, rule: ruleOf(url) }).toEqual({ url, rule: "non_https_url" });
    }
  });

  test("HTTP-1/no-userinfo", () => {
    for (const url of [
      "https://user:pass@api.example.com/",
      "https://api.example.com@evil.com/",
      "https://@x.com",
      "https://{u}@x.com",
    ]) {
      expect({ url, rule: ruleOf(url) }).toEqual({ url, rule: "userinfo_in_url" });
    }
    expect(ruleOf("https://api.example.com/u/me@example.com?m=a@b")).toBeUndefined();
  });

  test("HTTP-1/no-placeholder-host", () => {
    for (const url of [
      "https://{folder}.example.com/",
      "https://api.{folder}/",
      "https://x.com:{limit}/",
      "https://{folder}",
      "https://a{.com/",
    ]) {
      expect({ url, rule: ruleOf(url) }).toEqual({ url, rule: "placeholder_in_host" });
    }
  });

  test("need a host", () => {
    for (const url of [
      "https://",
      "https:///path",
      "https://?q",
      "https://:443/",
      "https://a..b/",
      "https://[::1/",
      "https://a%/",
    ]) {
      expect({ url, rule: ruleOf(url) }).toEqual({ url, rule: "invalid_url_host" });
    }
    for (const url of [
      "https://x.com:8443/",
      "https://x.com",
      "https://münchen.example/",
      "https://X.Example.COM/",
      "https://localhost/",
    ]) {
      expect({ url, rule: ruleOf(url) }).toEqual({ url, rule: undefined });
    }
  });

  test("hold no space, control character or backslash", () => {
    for (const url of ["https://x.com/a b", "https://x.com/\n", "https://x.com\\@evil.com/", "https://x.com/a\\b"]) {
      expect({ url, rule: ruleOf(url) }).toEqual({ url, rule: "invalid_url" });
    }
  });

  const regional: readonly Row[] = [
    [
      "a region whose address is not https",
      `${R}.regional_urls`,
      { na: "http://x.com" },
      [`${P}.regional_urls.na non_https_url`],
    ],
    ["no region at all", `${R}.regional_urls`, {}, [`${P}.regional_urls invalid_regional_urls`]],
    ["a list", `${R}.regional_urls`, [], [`${P}.regional_urls invalid_regional_urls`]],
    [
      "a region with an odd name",
      `${R}.regional_urls`,
      { "N A": "https://x.com" },
      [`${P}.regional_urls["N A"] invalid_regional_urls`],
    ],
    [
      "a placeholder no one declares",
      `${R}.regional_urls`,
      { na: "https://x.com/{vin}" },
      [`${P}.regional_urls.na undeclared_placeholder`],
    ],
    ["no address at all", `${R}.url`, undefined, [`${P}.url missing_required`]],
  ];
  for (const row of regional)
    test(`by region: ${row[0]}`, () => expect(problemsOfRow(httpSample, row)).toEqual(row[3]));

  test("by region instead of one", () => {
    const urls = { na: "https://na.example.com/{folder}", eu: "https://eu.example.com/{folder}" };
    const changed = withChange(withChange(httpSample(), `${R}.regional_urls`, urls), `${R}.url`, undefined);
    expect(parseManifest(JSON.stringify(changed)).tools[0]).toMatchObject({
      request: { url: urls.eu, regionalUrls: urls },
    } as never);
  });
});

describe("placeholders", () => {
  test("HTTP-1/declared-placeholders", () => {
    const put = (path: string, value: string) => problemsOf(withChange(httpSample(), `${R}.${path}`, value));
    expect(put("url", "https://x.com/{folder}/{other}/{more}")).toEqual([
      `${P}.url undeclared_placeholder`,
      `${P}.url undeclared_placeholder`,
    ]);
    expect(put("query.limit", "{other}")).toEqual([`${P}.query.limit undeclared_placeholder`]);
    expect(put("body.filter.tags", "before {other} after")).toEqual([`${P}.body.filter.tags undeclared_placeholder`]);
    expect(put("body.list.0", "{other}")).toEqual([`${P}.body.list[0] undeclared_placeholder`]);
    for (const name of ["constructor", "__proto__", "toString"]) {
      expect(put("query.limit", `{${name}}`)).toEqual([`${P}.query.limit undeclared_placeholder`]);
    }
    expect(put("body.filter.text", "{ folder } {1a} {a-b} {} {{folder}}")).toEqual([]);
  });

  test("HTTP-1/no-placeholder-header", () => {
    const put = (value: string) => problemsOf(withChange(httpSample(), `${R}.headers.X-Folder`, value));
    expect(put("{folder}")).toEqual([`${P}.headers.X-Folder placeholder_in_header`]);
    expect(put("v1 {anything}")).toEqual([`${P}.headers.X-Folder placeholder_in_header`]);
    expect(put('{"a":1}')).toEqual([]);
  });

  test("CASE-13 a reference that another program would fill in is refused", () => {
    const put = (path: string) =>
      problemsOf(withChange(httpSample(), `${R}.${path}`, "https://x.com/\u0024{user_config.key}"));
    for (const path of ["url", "query.limit", "body.filter.text", "headers.X-Key"]) {
      expect(put(path)).toEqual([`${P}.${path} unsubstituted_placeholder`]);
    }
  });
});

describe("the rest of a template", () => {
  const rows: readonly Row[] = [
    ["an unknown key", `${R}.timeout`, 5, [`${P}.timeout unknown_fields`]],
    ["an unknown method", `${R}.method`, "HEAD", [`${P}.method invalid_method`]],
    ["a method in lower case", `${R}.method`, "patch", []],
    ["a query value that is a list", `${R}.query.limit`, [1], [`${P}.query.limit invalid_query_value`]],
    ["a query value that is an object", `${R}.query.limit`, {}, [`${P}.query.limit invalid_query_value`]],
    ["a query that is a text", `${R}.query`, "a=b", [`${P}.query not_an_object`]],
    ["headers as list", `${R}.headers`, [], [`${P}.headers not_an_object`]],
    ["a header value that is a number", `${R}.headers.X-Depth`, 1, [`${P}.headers.X-Depth wrong_type`]],
    ["a header name with a space", `${R}.headers`, { "X Y": "1" }, [`${P}.headers["X Y"] invalid_header`]],
    ["a header value that starts another", `${R}.headers`, { X: "1\r\nHost: y" }, [`${P}.headers.X invalid_header`]],
    ["a header value that no byte can be", `${R}.headers`, { X: "5 \u20ac" }, [`${P}.headers.X invalid_header`]],
    ["a header value of the last byte", `${R}.headers`, { X: "\u00ff" }, []],
    ["the same header twice", `${R}.headers`, { Accept: "a", accept: "b" }, [`${P}.headers.accept duplicate_header`]],
    ["the credential's header", `${R}.headers`, { AUTHORIZATION: "x" }, [`${P}.headers.AUTHORIZATION reserved_header`]],
    ["the host", `${R}.headers`, { Host: "x" }, [`${P}.headers.Host reserved_header`]],
    ["a body that is a list", `${R}.body`, ["{folder}"], []],
    ["a body that is one placeholder", `${R}.body`, "{folder}", []],
    ["a body that is null", `${R}.body`, null, [`${P}.body wrong_type`]],
    ["no statuses", `${R}.success`, [], [`${P}.success invalid_success`]],
    ["one status", `${R}.success`, 200, [`${P}.success invalid_success`]],
    ["the smallest and largest status", `${R}.success`, [100, 599], []],
    [
      "one past them",
      `${R}.success`,
      [99, 600],
      [`${P}.success[0] invalid_success`, `${P}.success[1] invalid_success`],
    ],
    ["an unknown extract key", `${R}.extract.where`, "x", [`${P}.extract.where unknown_fields`]],
    ["an empty extract", `${R}.extract`, {}, []],
    ["extract that is a text", `${R}.extract`, "items", [`${P}.extract not_an_object`]],
    ["extract fields that are a text", `${R}.extract.fields`, "id", [`${P}.extract.fields not_a_list`]],
    ["an unknown query style", `${R}.query_style`, "csv", [`${P}.query_style wrong_type`]],
    ["an unknown rule for empty values", `${R}.query_empty`, "drop", [`${P}.query_empty wrong_type`]],
    ["an ok_field that is no path", `${R}.ok_field`, "", [`${P}.ok_field invalid_path_expression`]],
  ];
  for (const row of rows) test(row[0], () => expect(problemsOfRow(httpSample, row)).toEqual(row[3]));

  test("a header that the plugin's own auth uses", () => {
    const own = withChange(withChange(httpSample(), "auth.header", "X-Key"), `${R}.headers`, { "x-key": "1" });
    expect(problemsOf(own)).toEqual([`${P}.headers.x-key reserved_header`]);
  });

  test("paths are keys joined by dots, with [*] behind a key or alone", () => {
    const put = (path: string) => problemsOf(withChange(httpSample(), `${R}.extract.path`, path));
    for (const path of ["a", "a.b", "a[*]", "[*]", "a[*].b[*]", "[*].id", "a-b c"]) expect(put(path)).toEqual([]);
    for (const path of ["", ".", "a.", ".a", "a..b", "a[0]", "a[*", "a[*][*]", "[*]a", "$.a]"]) {
      expect({ path, problems: put(path) }).toEqual({ path, problems: [`${P}.extract.path invalid_path_expression`] });
    }
  });
});

describe("paginate", () => {
  const G = "tools.1.request.paginate";
  const Q = "tools[1].request.paginate";
  const rows: readonly Row[] = [
    ["no object", G, "cursor", [`${Q} not_an_object`]],
    ["an unknown key", `${G}.page_size`, 5, [`${Q}.page_size unknown_fields`]],
    ["an unknown mode", `${G}.mode`, "offset", [`${Q}.mode invalid_paginate`]],
    ["no parameter for the cursor", `${G}.cursor_param`, undefined, [`${Q}.cursor_param missing_required`]],
    ["a blank parameter", `${G}.cursor_param`, "", [`${Q}.cursor_param blank_value`]],
    ["no place to read the cursor from", `${G}.cursor_path`, undefined, [`${Q}.cursor_path missing_required`]],
    ["256 fields", `${G}.fields`, Array(256).fill("a"), []],
    ["257 fields", `${G}.fields`, Array(257).fill("a"), [`${Q}.fields too_many_fields`]],
    ["a cursor path of 32 keys", `${G}.cursor_path`, Array(32).fill("a").join("."), []],
    [
      "a cursor path of 33 keys",
      `${G}.cursor_path`,
      Array(33).fill("a").join("."),
      [`${Q}.cursor_path invalid_path_expression`],
    ],
    ["a cursor path that is none", `${G}.cursor_path`, "a[1]", [`${Q}.cursor_path invalid_path_expression`]],
    ["an items path that is none", `${G}.items_path`, "", [`${Q}.items_path invalid_path_expression`]],
    ["a cursor in the headers", `${G}.cursor_in`, "header", [`${Q}.cursor_in invalid_paginate`]],
    ["no pages", `${G}.max_pages`, 0, [`${Q}.max_pages invalid_paginate`]],
    ["half a page", `${G}.max_pages`, 1.5, [`${Q}.max_pages invalid_paginate`]],
    ["fields that are a text", `${G}.fields`, "id", [`${Q}.fields not_a_list`]],
    ["an id window without cursor path", G, { mode: "id_window", cursor_param: "before" }, []],
    ["a cursor in the body, without one", `${G}.cursor_in`, "body", []],
  ];
  for (const row of rows) test(row[0], () => expect(problemsOfRow(httpSample, row)).toEqual(row[3]));

  test("a cursor in a body that is no object", () => {
    const listed = withChange(withChange(httpSample(), `${G}.cursor_in`, "body"), "tools.1.request.body", []);
    expect(problemsOf(listed)).toEqual([`${Q}.cursor_in invalid_paginate`]);
  });

  test("50 pages are the most; more is cut to them with a warning", () => {
    const pages = (count: number | undefined) => {
      const manifest = parseManifest(JSON.stringify(withChange(httpSample(), `${G}.max_pages`, count)));
      const tool = manifest.tools[1];
      const paginate = tool && "request" in tool ? tool.request?.paginate : undefined;
      return [paginate?.maxPages, manifest.warnings.length];
    };
    expect([undefined, 1, 50, 51, 1000].map(pages)).toEqual([
      [10, 0],
      [1, 0],
      [50, 0],
      [50, 1],
      [50, 1],
    ]);
  });
});

test("a header name of 128 characters is allowed, of 129 not", () => {
  expect(problemsOf(withChange(httpSample(), `${R}.headers`, { [long(128)]: "1" }))).toEqual([]);
  expect(problemsOf(withChange(httpSample(), `${R}.headers`, { [long(129)]: "1" }))).toEqual([
    `${P}.headers.${long(129)} invalid_header`,
  ]);
});

describe("what loads and no call can send is warned of", () => {
  const warningsOf = (request: JsonObject): readonly string[] =>
    parseManifest(JSON.stringify(withChange(httpSample(), R, request)), {}).warnings;
  const url = "https://api.example.com/a";

  test("braces_in_url: braces in an address that are no placeholder", () => {
    const says = "is never sent: it has braces that are no placeholder, whose names are letters, digits and _";
    for (const address of [`${url}/{folder-id}`, `${url}/{}`, `${url}/{1}`, `${url}/{{folder}}`, `${url}?a={b.c}`]) {
      expect(warningsOf({ url: address })).toEqual([`${P}.url: ${says}`]);
    }
    expect(warningsOf({ regional_urls: { eu: `${url}/{folder-id}`, na: url } })).toEqual([
      `${P}.regional_urls.eu: ${says}`,
    ]);
    expect(warningsOf({ url: `${url}/{folder}?q={limit}` })).toEqual([]);
  });

  test("body_of_get: a body of a GET, unless it is empty and so loses nothing", () => {
    const says = "is never sent: a GET has no body";
    expect(warningsOf({ url, body: { a: 1 } })).toEqual([`${P}.body: ${says}`]);
    expect(warningsOf({ url, body: [] })).toEqual([`${P}.body: ${says}`]);
    expect(warningsOf({ url, body: {} })).toEqual([]);
    expect(warningsOf({ url, method: "DELETE", body: { a: 1 } })).toEqual([]);
    const paginate = { cursor_path: "next", cursor_param: "cursor", cursor_in: "body" };
    expect(warningsOf({ url, paginate })).toEqual([`${P}.paginate.cursor_in: ${says}`]);
    expect(warningsOf({ url, paginate, method: "POST" })).toEqual([]);
  });
});
