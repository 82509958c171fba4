/** The catalog of this project: current, whole, small, and every manifest as the loader wants it. */
import { describe, expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundleServers } from "../../scripts/catalog/bundle.ts";
import { checkCatalog } from "../../scripts/catalog/check.ts";
import { embeddedModuleFor } from "../../scripts/catalog/embedded-module.ts";
import { readSources } from "../../scripts/catalog/sources.ts";
import { bundledManifests } from "../../src/catalog/bundled.ts";
import { openCatalog } from "../../src/catalog/open.ts";
import { parseManifest } from "../../src/manifest/parse.ts";
import { embeddedFiles } from "../../src/system/embedded.ts";
import { expectGolden } from "../golden.ts";

const ROOT = join(import.meta.dirname, "../..");
const CATALOG = join(ROOT, "catalog");
const MODULE = join(ROOT, "src/system/embedded-catalog.ts");
/** Reading the index is part of every list, so it stays small. */
const MAX_INDEX_BYTES = 40 * 1024;

describe("`bun run catalog --check`", () => {
  test("finds nothing: artifacts, signatures, keys and index are what the sources make", async () => {
    expect(await checkCatalog({ sources: CATALOG, out: CATALOG })).toEqual([]);
  });

  test("finds the bundled servers and the embedded module current", async () => {
    for (const [name, text] of await bundleServers(CATALOG))
      expect(readFileSync(join(CATALOG, name), "utf8")).toBe(text);
    expect(readFileSync(MODULE, "utf8")).toBe(embeddedModuleFor(CATALOG, dirname(MODULE)));
  });
});

test("CAT-1/embedded CAT-3/entries: the binary lists these plugins, and nothing in it points elsewhere", () => {
  const { entries } = openCatalog(embeddedFiles);
  const lines = entries.map((entry) =>
    [
      entry.name,
      entry.latest ?? "-",
      entry.runtimeKind ?? entry.rails.join("+") ?? "-",
      entry.authType,
      entry.authProvider ?? "-",
      `api ${entry.versions.at(-1)?.pluginApi ?? "-"}`,
      entry.displayName,
    ].join("\t"),
  );
  expectGolden("catalog.txt", `${lines.join("\n")}\n`);
  for (const { versions } of entries) {
    for (const { artifacts } of versions) {
      for (const { url, sigUrl } of artifacts) {
        for (const source of [url, sigUrl ?? ""]) {
          expect(source).toStartWith("embedded:");
          expect(embeddedFiles.read(source.replace("embedded:", ""))).toBeDefined();
        }
      }
    }
  }
});

test("every tool of every plugin, as the loader reads it", () => {
  const texts = [
    ...readSources(CATALOG).flatMap(({ kind, folder, files }) =>
      kind === "card" ? [] : [[folder, Buffer.from(files.get("plugin.json") ?? []).toString("utf8")] as const],
    ),
    ...bundledManifests(embeddedFiles),
  ];
  const lines = texts.flatMap(([name, text]) => {
    const { tools, warnings } = parseManifest(text, { directory: name, publishing: true });
    expect(warnings).toEqual([]);
    return tools.map((tool) => `${tool.name}\t${tool.readOnly ? "read" : "write"}\t${tool.description}`);
  });
  expectGolden("catalog-tools.txt", `${lines.join("\n")}\n`);
});

test("HTTP templates of the catalog declare all they use and read what they say", () => {
  for (const { folder, files, kind } of readSources(CATALOG)) {
    if (kind === "card") continue;
    const manifest = parseManifest(Buffer.from(files.get("plugin.json") ?? []).toString("utf8"), { directory: folder });
    for (const tool of manifest.tools) {
      if (tool.rail !== "http") continue;
      const request = tool.request;
      const declared = Object.keys((tool.parameters?.["properties"] ?? {}) as object);
      const used = JSON.stringify([request?.url, request?.query, request?.body]).matchAll(/\{([a-z_]+)\}/g);
      expect({ tool: String(tool.name), names: [...new Set([...used].map((match) => match[1] ?? ""))].sort() }).toEqual(
        {
          tool: String(tool.name),
          names: declared.sort(),
        },
      );
      expect(tool.readOnly).toBe(
        request?.method === "GET" || tool.name.includes("search") || tool.name.includes("query"),
      );
    }
  }
});

test("EDEN-6: no Eden tool deletes, and each carries a contract hash", () => {
  const eden = readSources(CATALOG).find(({ folder }) => folder === "eden");
  const manifest = parseManifest(Buffer.from(eden?.files.get("plugin.json") ?? []).toString("utf8"));
  if (manifest.rail !== "hosted-mcp") throw new Error("eden is not hosted");
  expect(manifest.tools).toHaveLength(16);
  for (const tool of manifest.tools) {
    expect(tool.name).not.toMatch(/delete|remove|trash/);
    expect(tool.parameters).toBeUndefined();
    expect(tool.descriptorSha256).toMatch(/^[0-9a-f]{64}$/);
  }
  expect(manifest.toolProfiles.map(({ name, tools }) => [name, tools.length])).toEqual([
    ["retrieval", 9],
    ["capture", 15],
  ]);
});

test("the index stays small, and no private key is anywhere in the catalog", () => {
  expect(statSync(join(CATALOG, "index.json")).size).toBeLessThan(MAX_INDEX_BYTES);
  for (const name of new Bun.Glob("**/*").scanSync({ cwd: CATALOG, dot: true })) {
    expect(readFileSync(join(CATALOG, name), "latin1")).not.toContain("PRIVATE KEY-----");
  }
});
