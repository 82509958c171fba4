/** A hosted plugin is proved again from its evidence alone, and anything that was edited refuses. */
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Catalog, Publisher } from "../../src/catalog/catalog.ts";
import { homeAt } from "../../src/files/home.ts";
import { type ProvenPlugin, proveHosted, retainEvidence } from "../../src/trust/receipt.ts";
import { unpackVerified } from "../../src/trust/unpack.ts";
import { expectRefusal, snapshotTree } from "../expect.ts";
import { keylessWorld } from "../forge/keyless.ts";
import { newPublisher } from "../forge/sign.ts";
import { file, tarball } from "../forge/tar.ts";
import {
  artifactOf,
  environment,
  type Offered,
  offer,
  offlinePorts,
  PLUGIN,
  sha256Of,
  VERSION,
  verified as verifiedArtifact,
  withFolder,
} from "./stages.ts";

/** Each case starts cosign or writes much; on a busy machine that takes a while. */
setDefaultTimeout(60_000);

const MANIFEST_TEXT = JSON.stringify({ name: PLUGIN, version: VERSION, runtime: { kind: "remote_mcp" } });
const HOSTED = tarball(file("plugin.json", MANIFEST_TEXT), file("skills/a/SKILL.md", "# a"));

function catalogOf(publishers: Catalog["publishers"], listed?: Publisher): Catalog {
  const artifact = listed && artifactOf(HOSTED, listed, {});
  const versions = artifact
    ? [{ version: VERSION, publishedAt: undefined, minCoreVersion: undefined, pluginApi: 3, artifacts: [artifact] }]
    : [];
  // Only names, versions and publishers of an entry matter here.
  return { generatedAt: "", entries: [{ name: PLUGIN, versions }], publishers } as unknown as Catalog;
}

const keysOf = (offered: Offered): Catalog["publishers"] =>
  new Map([[offered.publisher.keyId, offered.publisher.publicKey]]);

interface Installed {
  readonly home: ReturnType<typeof homeAt>;
  readonly evidence: string;
  readonly tree: string;
  /** Proves the plugin with this catalog; by default one that still lists its version. */
  prove(catalog?: Catalog): Promise<ProvenPlugin>;
}

/** Homes as installs left them, one for each offer: tests change copies of them. */
const templates = new Map<Offered, string>();
afterAll(() => {
  for (const folder of templates.values()) rmSync(folder, { recursive: true });
});
const usual = offer(HOSTED);

/** The plugin as an install leaves it: its tree live, its evidence kept. */
async function installed(work: (plugin: Installed) => Promise<void>, offered = usual): Promise<void> {
  const template = templates.get(offered) ?? (await install(offered));
  templates.set(offered, template);
  await withFolder(async (folder) => {
    cpSync(join(template, "home"), join(folder, "home"), { recursive: true });
    const home = homeAt(join(folder, "home"));
    const [evidence, tree] = [home.evidenceDir(PLUGIN, VERSION), home.versionDir(PLUGIN, VERSION)];
    const current = catalogOf(keysOf(offered), offered.artifact.publisher);
    const ports = offlinePorts(offered.files);
    const prove = (catalog = current): Promise<ProvenPlugin> =>
      proveHosted(ports, environment(), home, { plugin: PLUGIN, version: VERSION, catalog });
    await work({ home, evidence, tree, prove });
    expect(existsSync(home.plugins.run) ? readdirSync(home.plugins.run) : []).toEqual([]);
  });
}

async function install(offered: Offered): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "fermix-receipt-"));
  const home = homeAt(join(folder, "home"));
  mkdirSync(join(home.plugins.evidence, PLUGIN), { recursive: true });
  mkdirSync(home.pluginDir(PLUGIN), { recursive: true });
  const verified = await verifiedArtifact(offered, join(folder, "staging"));
  await retainEvidence(verified, home.evidenceDir(PLUGIN, VERSION));
  await unpackVerified(verified, home.versionDir(PLUGIN, VERSION));
  return folder;
}

/** The proof must fail, without changing evidence or tree. */
async function fails({ home, prove }: Installed, reason: string, catalog?: Catalog): Promise<void> {
  const [evidence, trees] = [snapshotTree(home.plugins.evidence), snapshotTree(home.plugins.installed)];
  await expectRefusal(prove(catalog), "provenance_failed", { plugin: PLUGIN, reason });
  expect([snapshotTree(home.plugins.evidence), snapshotTree(home.plugins.installed)]).toEqual([evidence, trees]);
}

describe("evidence", () => {
  test("is the package, its checksum, its signature and its publisher, for the user alone", () =>
    installed(async ({ evidence, prove }) => {
      expect(readdirSync(evidence).sort()).toEqual([
        ...["artifact.publisher.json", "artifact.sha256", "artifact.sig", "artifact.tgz"],
      ]);
      for (const name of readdirSync(evidence)) expect(statSync(join(evidence, name)).mode & 0o777).toBe(0o600);
      expect(statSync(evidence).mode & 0o777).toBe(0o700);
      expect(readFileSync(join(evidence, "artifact.sha256"), "utf8")).toBe(`${sha256Of(HOSTED)}\n`);
      const proven = await prove();
      expect(proven).toMatchObject({ manifestText: MANIFEST_TEXT, sha256: sha256Of(HOSTED) });
    }));

  test("of a keyless publisher is its bundle", async () => {
    const world = await keylessWorld();
    const signer = {
      identity: "https://github.com/acme/x/.github/workflows/r.yml@refs/tags/v1",
      issuer: "https://issuer.example",
    };
    const bundle = await world.sign(HOSTED, signer);
    await world.stop();
    const publisher = { kind: "keyless", ...signer } as const;
    const keyless: Offered = {
      publisher: newPublisher(),
      bytes: HOSTED,
      files: { "artifacts/notes-1.0.0.tar.gz": HOSTED, "trusted_root.json": world.trustedRoot, bundle },
      artifact: artifactOf(HOSTED, publisher, { bundleUrl: "embedded:bundle" }),
    };
    await installed(async (plugin) => {
      expect(readdirSync(plugin.evidence)).toContain("artifact.sigstore.json");
      expect((await plugin.prove()).sha256).toBe(sha256Of(HOSTED));
      await fails(
        plugin,
        "this Fermix does not know who signed it",
        catalogOf(new Map(), { ...publisher, issuer: "https://other.example" }),
      );
    }, keyless);
  });
});

describe("an installed plugin stays provable", () => {
  test("when the catalog of a newer Fermix lists its version no more, or by another key (INS-14/old-keys-kept)", () => {
    const offered = offer(HOSTED);
    const newer = newPublisher();
    const kept = new Map([...keysOf(offered), [newer.keyId, newer.publicKey]]);
    return installed(async ({ prove }) => {
      expect((await prove(catalogOf(kept))).sha256).toBe(sha256Of(HOSTED));
      expect((await prove(catalogOf(kept, { kind: "key", keyId: newer.keyId }))).sha256).toBe(sha256Of(HOSTED));
    }, offered);
  });

  test("not when its publisher's key is no longer known", () =>
    installed(async (plugin) => {
      await fails(plugin, "this Fermix does not know who signed it", catalogOf(new Map()));
    }));

  test("when another program installed it and recorded no publisher, by the catalog's word", () =>
    installed(async (plugin) => {
      rmSync(join(plugin.evidence, "artifact.publisher.json"));
      expect((await plugin.prove()).sha256).toBe(sha256Of(HOSTED));
      await fails(plugin, "nothing says who signed it", catalogOf(new Map()));
    }));
});

describe("what was touched refuses", () => {
  const touch = (what: string, reason: string, change: (plugin: Installed) => void): void =>
    test(what, () =>
      installed(async (plugin) => {
        change(plugin);
        await fails(plugin, reason);
      }),
    );
  const NOT_SIGNED = "its installed files are not the signed ones";

  touch("an edited manifest that points elsewhere", NOT_SIGNED, ({ tree }) => {
    writeFileSync(join(tree, "plugin.json"), MANIFEST_TEXT.replace("remote_mcp", "remote_mcp "));
  });
  touch("an edited skill", NOT_SIGNED, ({ tree }) => writeFileSync(join(tree, "skills/a/SKILL.md"), "# b"));
  touch("a file more", NOT_SIGNED, ({ tree }) => writeFileSync(join(tree, "extra"), ""));
  touch("a file less", NOT_SIGNED, ({ tree }) => rmSync(join(tree, "skills"), { recursive: true }));
  touch("a package without its checksum", "its evidence artifact.sha256 is missing or cannot be read", ({ evidence }) =>
    rmSync(join(evidence, "artifact.sha256")),
  );
  touch("another package", "its kept package does not have its recorded checksum", ({ evidence }) =>
    writeFileSync(join(evidence, "artifact.tgz"), tarball(file("plugin.json", "{}"))),
  );
  touch("a damaged signature", "its kept signature is damaged", ({ evidence }) =>
    writeFileSync(join(evidence, "artifact.sig"), "damaged!"),
  );
  touch("a damaged publisher", "the record of who signed it is damaged", ({ evidence }) =>
    writeFileSync(join(evidence, "artifact.publisher.json"), '{"kind":"anyone"}'),
  );
  touch("a publisher that is nobody's key", "this Fermix does not know who signed it", ({ evidence }) =>
    writeFileSync(join(evidence, "artifact.publisher.json"), '{"kind":"key","key_id":"0000"}'),
  );
  touch("no evidence at all", "its evidence artifact.tgz is missing or cannot be read", ({ evidence }) =>
    rmSync(evidence, { recursive: true }),
  );
  for (const name of ["artifact.tgz", "artifact.sha256", "artifact.sig", "artifact.publisher.json"]) {
    touch(
      `${name} as a link, although it leads to the right bytes`,
      `its evidence ${name} is not a file`,
      ({ evidence }) => {
        renameSync(join(evidence, name), join(evidence, "aside"));
        symlinkSync("aside", join(evidence, name));
      },
    );
  }
  touch("a checksum of 129 bytes", "its evidence artifact.sha256 is larger than 128 bytes", ({ evidence }) =>
    writeFileSync(join(evidence, "artifact.sha256"), `${sha256Of(HOSTED)}${" ".repeat(65)}`),
  );

  test("a link in the installed tree", () =>
    installed(async ({ tree, prove }) => {
      symlinkSync("plugin.json", join(tree, "link"));
      await expectRefusal(prove(), "tree_unsafe", { path: "link", reason: "is a link or a special file" });
    }));

  test("another package that its publisher signed, with its own checksum and signature", () =>
    installed(async (plugin) => {
      await installed(async (other) => {
        rmSync(plugin.evidence, { recursive: true });
        cpSync(other.evidence, plugin.evidence, { recursive: true });
      }, offer(HOSTED));
      await fails(plugin, "this Fermix does not know who signed it");
    }));

  test("a swapped package and checksum under the old signature", () =>
    installed(async ({ evidence, prove }) => {
      const swapped = tarball(file("plugin.json", MANIFEST_TEXT));
      writeFileSync(join(evidence, "artifact.tgz"), swapped);
      writeFileSync(join(evidence, "artifact.sha256"), `${sha256Of(swapped)}\n`);
      await expectRefusal(prove(), "signature_invalid");
    }));

  for (const [what, manifest, reason] of [
    ["another plugin", { name: "other", version: VERSION }, "its kept package is another plugin's"],
    ["another version", { name: PLUGIN, version: "2.0.0" }, "its kept package is of another version"],
    [
      "a local plugin",
      { name: PLUGIN, version: VERSION, runtime: { kind: "node" } },
      "its kept package is not of a hosted plugin",
    ],
    ["no JSON", undefined, "its kept package has no readable plugin.json"],
  ] as const) {
    test(`a signed package of ${what}`, () => {
      const text = manifest === undefined ? "{" : JSON.stringify(manifest);
      return installed((plugin) => fails(plugin, reason), offer(tarball(file("plugin.json", text))));
    });
  }
});
