/** The index reader: the ecosystem's format as it is published, our additions, and what is refused with its path. */
import { describe, expect, test } from "bun:test";
import { readIndex } from "../../src/catalog/read-index.ts";
import { expectRefusal } from "../expect.ts";
import { artifactOf, indexOf } from "../forge/catalog.ts";

const HTTPS = "https://plugins.example/notes-1.0.0.tar.gz";
const notes = (artifact: object, more: object = {}) => ({
  name: "notes",
  versions: [{ version: "1.0.0", artifacts: [artifact] }],
  ...more,
});
const problemsOf = async (index: string) => (await expectRefusal(() => readIndex(index), "catalog_invalid")).problems;

describe("an index of the ecosystem", () => {
  test("is read whole; an entry without publisher is signed keyless by the release workflow of its tag", () => {
    const foreign = notes(
      { target: "linux-x86_64", url: HTTPS, sha256: "b".repeat(64), sig_url: `${HTTPS}.sig`, cert_url: `${HTTPS}.pem` },
      {
        display_name: "Notes",
        category: "knowledge",
        description: "d",
        short_description: "s",
        developer_name: "dev",
        brand_color: "#112233",
        logo: { data: "…" },
        auth_type: "oauth2",
        auth_provider: "google",
        runtime_kind: "remote_mcp",
        rails: ["mcp"],
        latest: "1.0.0",
        yanked: ["0.9.0"],
        homepage: "a key of a later writer",
      },
    );
    const { entries, generatedAt } = readIndex(indexOf([foreign]));
    expect(generatedAt).toBe("2026-11-30T00:00:00Z");
    expect(JSON.parse(JSON.stringify(entries))).toEqual([
      {
        name: "notes",
        displayName: "Notes",
        category: "knowledge",
        description: "d",
        shortDescription: "s",
        developerName: "dev",
        brandColor: "#112233",
        authType: "oauth2",
        authProvider: "google",
        runtimeKind: "remote_mcp",
        rails: ["mcp"],
        latest: "1.0.0",
        yanked: ["0.9.0"],
        versions: [
          {
            version: "1.0.0",
            artifacts: [
              {
                target: "linux-x86_64",
                url: HTTPS,
                sha256: "b".repeat(64),
                publisher: {
                  kind: "keyless",
                  identity:
                    "https://github.com/tezra-io/fermix-plugins/.github/workflows/release-plugin.yml@refs/tags/notes/v1.0.0",
                  issuer: "https://token.actions.githubusercontent.com",
                },
                sigUrl: `${HTTPS}.sig`,
                certUrl: `${HTTPS}.pem`,
              },
            ],
          },
        ],
      },
    ]);
  });

  test("may leave out everything but names, versions and artifacts", () => {
    const [entry] = readIndex(indexOf([{ name: "card" }])).entries;
    expect(JSON.parse(JSON.stringify(entry))).toEqual({
      name: "card",
      displayName: "card",
      authType: "none",
      rails: [],
      yanked: [],
      versions: [],
    });
  });
});

test("signature addresses are optional, and a bundle or a named publisher is kept as written", () => {
  const publisher = { kind: "keyless", identity: "https://ci.example/release@v1", issuer: "https://issuer.example" };
  const { entries } = readIndex(
    indexOf([notes({ target: "any", url: HTTPS, sha256: "c".repeat(64), bundle_url: HTTPS, publisher })]),
  );
  const [artifact] = entries[0]?.versions[0]?.artifacts ?? [];
  expect(artifact?.publisher).toEqual({ kind: "keyless", identity: publisher.identity, issuer: publisher.issuer });
  expect([artifact?.sigUrl, artifact?.certUrl, artifact?.bundleUrl]).toEqual([undefined, undefined, HTTPS]);
});

test("entries come sorted by name", () => {
  const { entries } = readIndex(indexOf([{ name: "zeta" }, { name: "alpha" }, { name: "mid" }]));
  expect(entries.map(({ name }) => String(name))).toEqual(["alpha", "mid", "zeta"]);
});

describe("an index is refused", () => {
  test("when its schema is not 1, before anything else of it is judged", async () => {
    for (const [schema, found] of [
      [2, "2"],
      [0, "0"],
      ["1", '"1"'],
      [null, "null"],
      [undefined, "null"],
    ] as const) {
      const index = indexOf([{ nonsense: true }], { schema_version: schema });
      await expectRefusal(() => readIndex(index), "unsupported_index_schema", { found });
    }
    await expectRefusal(() => readIndex("[]"), "unsupported_index_schema", { found: "null" });
  });

  test("when it is not JSON", async () => {
    expect((await problemsOf("{")).map(({ path }) => path)).toEqual(["$"]);
  });

  test("with the path of each member that is wrong", async () => {
    const cases: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
      [{ name: "Notes" }, "plugins.0.name"],
      [{ name: "mcp_notes" }, "plugins.0.name"],
      [{ name: "notes", runtime_kind: "wasm" }, "plugins.0.runtime_kind"],
      [{ name: "notes", auth_type: "oauth" }, "plugins.0.auth_type"],
      [{ name: "notes", rails: ["grpc"] }, "plugins.0.rails.0"],
      [{ name: "notes", latest: "1.0" }, "plugins.0.latest"],
      [{ name: "notes", yanked: "1.0.0" }, "plugins.0.yanked"],
      [{ name: "notes", versions: [{ version: "v1" }] }, "plugins.0.versions.0.version"],
      [{ name: "notes", versions: [{ version: "1.0.0" }] }, "plugins.0.versions.0.artifacts"],
    ];
    for (const [entry, path] of cases) expect((await problemsOf(indexOf([entry]))).map((p) => p.path)).toContain(path);
  });

  test("with the path of each artifact member that is wrong", async () => {
    const at = "plugins.0.versions.0.artifacts.0";
    const cases: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
      [{ target: "" }, `${at}.target`],
      [{ sha256: "A".repeat(64) }, `${at}.sha256`],
      [{ sha256: "a".repeat(63) }, `${at}.sha256`],
      [{ url: "http://plugins.example/a" }, `${at}.url`],
      [{ url: "file:///etc/passwd" }, `${at}.url`],
      [{ url: "embedded:/etc/passwd" }, `${at}.url`],
      [{ sig_url: "http://plugins.example/a.sig" }, `${at}.sig_url`],
      [{ publisher: { kind: "key", key_id: "../x" } }, `${at}.publisher.key_id`],
      [{ publisher: { kind: "keyless", identity: "", issuer: "i" } }, `${at}.publisher.identity`],
      [{ publisher: { kind: "trust-me" } }, `${at}.publisher.kind`],
    ];
    for (const [more, path] of cases) {
      expect((await problemsOf(indexOf([notes(artifactOf(more))]))).map((p) => p.path)).toEqual([path]);
    }
  });

  test("when a name is listed twice, and shows eight problems at most", async () => {
    expect(await problemsOf(indexOf([{ name: "notes" }, { name: "notes" }]))).toEqual([
      { path: "plugins", says: "notes is listed twice" },
    ]);
    expect(await problemsOf(indexOf(Array.from({ length: 9 }, () => ({ name: "?" }))))).toHaveLength(8);
  });
});
