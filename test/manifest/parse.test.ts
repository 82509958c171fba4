/** The top level of a manifest, and that all its problems are told at once, in order. */
import { describe, expect, test } from "bun:test";
import type { FermixError } from "../../src/kernel/error.ts";
import type { JsonValue } from "../../src/kernel/json.ts";
import { MAX_MANIFEST_BYTES, parseManifest } from "../../src/manifest/parse.ts";
import { MAX_REPORTED_PROBLEMS } from "../../src/manifest/problems.ts";
import { rules } from "../../src/manifest/rules.ts";
import { expectRefusal } from "../expect.ts";
import { long, problemsOf, problemsOfRow, type Row } from "./parse-cases.ts";
import { hostedSample, httpSample, legacySample, localSample, withChange } from "./samples.ts";

describe("every sample loads", () => {
  test("an http plugin, whole", () => {
    expect(parseManifest(JSON.stringify(httpSample()))).toEqual({
      rail: "http",
      name: "notes",
      displayName: "Notes",
      description: "Keeps notes.",
      category: "productivity",
      version: "1.2.3",
      minCoreVersion: "0.5.0",
      pluginApi: 2,
      defaultEnabled: false,
      interface: { short_description: "Notes", icon: "assets/icon.svg", logo: "./assets/logo.png", free: [1] },
      auth: {
        type: "oauth2",
        provider: "notesapp",
        scopes: ["read", "write"],
        profileKey: "notes",
        header: "authorization",
        scheme: "Bearer",
      },
      config: [{ key: "REGION", prompt: "Which region?", required: true, kind: "text" }],
      skills: [{ name: "notes-plugin", path: "skills/notes/SKILL.md" }],
      healthCheck: { url: "https://api.example.com/me", method: "GET", success: [200] },
      warnings: [],
      tools: [
        {
          rail: "http",
          name: "notes_list",
          description: "List notes.",
          readOnly: true,
          requiresScopes: ["read"],
          parameters: {
            type: "object",
            properties: {
              folder: { type: "string" },
              limit: { type: "integer", default: 10 },
              tags: { type: "array" },
            },
            required: ["folder"],
          },
          request: {
            method: "POST",
            url: "https://api.example.com/v1/folders/{folder}/notes?kind=note",
            regionalUrls: undefined,
            query: { limit: "{limit}", flat: true, depth: 2 },
            headers: { "X-Api-Version": "2026-01-01" },
            body: { filter: { tags: "{tags}", text: "in {folder}" }, list: ["{limit}", null, 1] },
            success: [200, 201],
            extract: { path: "data.items[*]", fields: ["id", "title"] },
            paginate: undefined,
            queryStyle: "comma",
            queryEmpty: "send",
            okField: "ok",
          },
        },
        {
          rail: "http",
          name: "notes_page",
          description: "Page through notes.",
          readOnly: false,
          requiresScopes: ["read", "write"],
          parameters: { type: "object", properties: {} },
          request: {
            method: "GET",
            url: "https://api.example.com/v1/notes",
            regionalUrls: undefined,
            query: {},
            headers: {},
            body: undefined,
            success: [200],
            extract: undefined,
            paginate: {
              mode: "cursor",
              itemsPath: "items",
              cursorPath: "meta.next",
              idField: "id",
              cursorParam: "cursor",
              cursorIn: "query",
              maxPages: 5,
              fields: ["id"],
            },
            queryStyle: "repeat",
            queryEmpty: "omit",
            okField: undefined,
          },
        },
      ],
    } as never);
  });

  test("a local server", () => {
    const manifest = parseManifest(JSON.stringify(localSample()));
    expect(manifest).toMatchObject({
      rail: "local-mcp",
      auth: { type: "none" },
      config: [
        { key: "VAULT_PATH", required: true, kind: "text" },
        { key: "ALLOW_WRITES", required: false, kind: "boolean" },
      ],
      runtime: {
        kind: "node",
        command: "node",
        args: ["src/index.js"],
        vendored: false,
        minVersion: "20",
        env: { MODE: "stdio" },
        passEnv: ["TZ"],
        cwd: ".",
        requiresSetting: "ALLOW_WRITES",
      },
      tools: [
        { rail: "mcp", name: "vault_search", readOnly: true },
        { rail: "http", name: "vault_native", readOnly: false, request: undefined, parameters: undefined },
      ],
      warnings: [],
    } as never);
  });

  test("a legacy built-in, whose templates are never read", () => {
    const manifest = parseManifest(JSON.stringify(withChange(legacySample(), "tools.0.request", { url: "ftp://x" })));
    expect(manifest).toMatchObject({
      rail: "http",
      pluginApi: undefined,
      tools: [{ rail: "http", request: undefined }],
    });
    expect(manifest.warnings).toEqual([`tools[0].request: ${rules.legacy_ignored}`]);
    expect(problemsOf(withChange(legacySample(), "runtime", "anything"))).toEqual([]);
    expect(problemsOf(withChange(legacySample(), "tools.0.rail", 7))).toEqual([]);
  });

  test("from bytes as from text, with a folder of the same name", () => {
    const text = JSON.stringify(httpSample());
    expect(parseManifest(new TextEncoder().encode(text), { directory: "notes" })).toEqual(parseManifest(text));
  });
});

describe("the top level", () => {
  const rows: readonly Row[] = [
    ["an unknown key", "colour", "red", ["colour unknown_fields"]],
    ["an unknown key named like a prototype's", "constructor", 1, ["constructor unknown_fields"]],
    ["an own __proto__", "__proto__", { name: "x" }, ["__proto__ unknown_fields"]],
    ["schema_version 3", "schema_version", 3, ["schema_version unsupported_schema_version"]],
    ["schema_version true", "schema_version", true, ["schema_version unsupported_schema_version"]],
    ["plugin_api 0", "plugin_api", 0, ["plugin_api invalid_plugin_api"]],
    ["plugin_api 1, which compat.ts judges", "plugin_api", 1, []],
    ["a future plugin_api, which compat.ts judges", "plugin_api", 4, []],
    ["plugin_api as text", "plugin_api", "2", ["plugin_api invalid_plugin_api"]],
    ["half a plugin_api", "plugin_api", 2.5, ["plugin_api invalid_plugin_api"]],
    ["no plugin_api", "plugin_api", undefined, []],
    ["plugin_api 3 with the legacy form", "schema_version", 1, []],
    ["a version of two parts", "version", "1.2", ["version invalid_version"]],
    ["a prerelease version", "version", "1.2.3-rc.1", ["version invalid_version"]],
    ["a version as number", "version", 1, ["version wrong_type"]],
    ["a minimum that is no version", "min_core_version", "new", ["min_core_version invalid_version"]],
    ["no minimum", "min_core_version", undefined, []],
    ["default_enabled as text", "default_enabled", "yes", ["default_enabled wrong_type"]],
    ["a blank display name", "display_name", " \t", ["display_name blank_value"]],
    ["no category", "category", undefined, ["category missing_required"]],
    ["tools as an object", "tools", {}, ["tools not_a_list"]],
    ["no tools, only a skill", "tools", [], []],
    ["no tools key", "tools", undefined, []],
    ["a tool that is a text", "tools.0", "notes_list", ["tools[0] invalid_tool"]],
    ["interface as list", "interface", [], ["interface not_an_object"]],
    ["no health check for oauth2", "health_check", undefined, ["health_check missing_health_check"]],
    ["a health check that is no object", "health_check", "ok", ["health_check not_an_object"]],
    ["any keys in health_check and interface", "health_check", { a: { b: [] } }, []],
  ];
  for (const row of rows) test(row[0], () => expect(problemsOfRow(httpSample, row)).toEqual(row[3]));

  test("plugin_api 3 needs schema_version 2", () => {
    const problems = problemsOf(withChange(withChange(httpSample(), "plugin_api", 3), "schema_version", 1));
    expect(problems).toEqual(["schema_version invalid_plugin_api_3_schema_version"]);
  });

  test("the name: 64 characters at most, its own alphabet, none of the reserved words", () => {
    const rename = (name: string) =>
      problemsOf({ ...withChange(httpSample(), "tools", []), name, skills: [] }, { directory: name });
    expect(rename("a")).toEqual([]);
    expect(rename(long(64))).toEqual([]);
    expect(rename(long(65))).toEqual(["name invalid_name"]);
    for (const bad of ["", "A", "1a", "_a", "a-b", "a.b", "é", "a\n"])
      expect(rename(bad)).toEqual(["name invalid_name"]);
    for (const word of ["dev_local", "enabled", "artifact_mirror", "mcp_notes"]) {
      expect(rename(word)).toEqual(["name reserved_name"]);
    }
    expect(rename("mcp")).toEqual([]);
    expect(problemsOf(httpSample(), { directory: "other" })).toEqual(["name directory_name_mismatch"]);
  });
});

describe("null and values of another kind", () => {
  /** Where a manifest is free, or null means something. */
  const FREE =
    /^(interface\.(?!icon|logo)|health_check\.|tools\.\d+\.(parameters|output_schema|upstream_annotations)\.|tools\.\d+\.request\.body\.|tools\.\d+\.collection_policy$)/;
  const samples = { http: httpSample, local: localSample, hosted: hostedSample };

  for (const [kind, sample] of Object.entries(samples)) {
    test(`null is refused at every place of the ${kind} sample`, () => {
      const places = everyPlace(sample()).filter((place) => !FREE.test(place) && at(sample(), place) !== null);
      expect(places.length).toBeGreaterThan(40);
      expect(places.filter((place) => problemsOf(withChange(sample(), place, null)).length === 0)).toEqual([]);
    });

    test(`each scalar of the ${kind} sample refuses a list, an object and every other scalar`, () => {
      const accepted: string[] = [];
      for (const place of everyPlace(sample()).filter((path) => !FREE.test(path))) {
        const now = at(sample(), place);
        for (const other of [[], {}, [["x"]], "\u0000", -1.5, "x", true]) {
          if (typeof now === "object" || typeof other === typeof now) continue;
          if (problemsOf(withChange(sample(), place, other as JsonValue)).length === 0)
            accepted.push(`${place}=${other}`);
        }
      }
      // A query value may be any scalar; everything else has one kind.
      expect(accepted.filter((place) => !/^tools\.0\.request\.query\.\w+=(x|-1\.5|true|\u0000)$/.test(place))).toEqual(
        [],
      );
    });
  }
});

function everyPlace(value: unknown, prefix = ""): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    `${prefix}${key}`,
    ...(key.includes(".") ? [] : everyPlace(member, `${prefix}${key}.`)),
  ]);
}

function at(sample: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((here, part) => (here as Record<string, unknown>)[part], sample);
}

describe("reports", () => {
  test("all problems at once, in document order, each with its path", async () => {
    const broken = {
      nonsense: 1,
      ...httpSample(),
      version: "one",
      auth: { type: "oauth2", provider: "X", scopes: [""], extra: true },
      tools: [{ name: "other_tool", description: long(101), rail: "carrier", odd: 1 }, 5],
      zebra: 2,
    };
    expect(problemsOf(broken)).toEqual([
      "nonsense unknown_fields",
      "version invalid_version",
      "auth.provider invalid_provider",
      "auth.scopes[0] invalid_scopes",
      "auth.extra unknown_fields",
      "tools[0].name tool_name_not_namespaced",
      "tools[0].description invalid_tool_description",
      "tools[0].rail invalid_tool_rail",
      "tools[1] invalid_tool",
      "zebra unknown_fields",
    ]);
    const details = await expectRefusal(() => parseManifest(JSON.stringify(broken)), "manifest_invalid");
    expect(details.plugin).toBe("notes");
    expect(details.problems[1]).toEqual({
      path: "version",
      rule: "invalid_version",
      says: 'must be a version such as 1.2.3; it is "one"',
    });
  });

  test("untrusted names and values quoted, whatever they hold", () => {
    const evil = "\u001b[31m\u202e";
    const text = JSON.stringify({ ...withChange(httpSample(), "version", evil), name: evil, [evil]: 1 });
    try {
      parseManifest(text);
    } catch (error) {
      const message = (error as FermixError).message;
      expect(message).not.toMatch(/[\u001b\u202e]/);
      expect(message).toContain('["\\u001b[31m\\u202e"]');
      return;
    }
    throw new Error("it loaded");
  });

  test("at most a hundred problems, and how many more", () => {
    const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));
    expect(problemsOf({ ...httpSample(), ...keys(MAX_REPORTED_PROBLEMS) })).toHaveLength(MAX_REPORTED_PROBLEMS);
    const many = problemsOf({ ...keys(60_000), ...httpSample() });
    expect(many).toHaveLength(MAX_REPORTED_PROBLEMS + 1);
    expect(many.slice(0, 2)).toEqual(["k0 unknown_fields", "k1 unknown_fields"]);
    expect(many.at(-1)).toBe("$ too_many_problems");
  });
});

describe("the text itself", () => {
  test("must be strict JSON, with line and column", async () => {
    const twice = '{\n  "name": "notes",\n  "name": "other"\n}';
    await expectRefusal(() => parseManifest(twice, { directory: "notes" }), "manifest_invalid", {
      plugin: "notes",
      problems: [
        {
          path: "name",
          rule: "invalid_json",
          says: 'must be strict JSON; it has the key "name" twice in one object (line 3, column 3)',
        },
      ],
    });
    expect(problemsOf("")).toEqual(["$ invalid_json"]);
    expect(problemsOf("\ufeff{}")).toEqual(["$ invalid_json"]);
    expect(problemsOf(`${JSON.stringify(httpSample())} {}`)).toEqual(["$ invalid_json"]);
    expect(problemsOf(Uint8Array.of(0xff))).toEqual(["$ invalid_json"]);
    for (const text of ["[]", "null", "7", '"text"']) expect(problemsOf(text)).toEqual(["$ not_an_object"]);
  });

  test("is bounded in length and depth", () => {
    const text = JSON.stringify(httpSample());
    const padded = (length: number) => text + " ".repeat(length - Buffer.byteLength(text));
    expect(problemsOf(padded(MAX_MANIFEST_BYTES))).toEqual([]);
    expect(problemsOf(padded(MAX_MANIFEST_BYTES + 1))).toEqual(["$ invalid_json"]);
    const deep = (levels: number) => JSON.parse("[".repeat(levels) + "]".repeat(levels)) as never;
    expect(problemsOf(withChange(httpSample(), "interface.free", deep(62)))).toEqual([]);
    expect(problemsOf(withChange(httpSample(), "interface.free", deep(63)))[0]).toEndWith(" invalid_json");
  });
});
