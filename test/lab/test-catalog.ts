/** Makes a fermix binary whose catalog a test wrote: any archive, any signature, any listing (DECISIONS 2). */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildFermix } from "../../build.ts";
import { openSigner } from "../../scripts/catalog/sign.ts";
import { indexOf } from "../forge/catalog.ts";
import { newPublisher, type TestPublisher } from "../forge/sign.ts";
import { file, tarball } from "../forge/tar.ts";

type Json = Readonly<Record<string, unknown>>;

/** One version of one plugin, as its publisher, or somebody worse, would release it. */
export interface Release {
  readonly name: string;
  /** Default 1.0.0. */
  readonly version?: string;
  /** The bytes whose sha256 the index lists. */
  readonly archive: Uint8Array;
  /** The bytes that are in the binary instead; null: none. */
  readonly served?: Uint8Array | null;
  /** Whom the index names; default one publisher for all releases. */
  readonly publisher?: TestPublisher;
  /** The content of the signature file instead of the named publisher's; null: no file. */
  readonly signature?: string | Uint8Array | null;
  /** More members of the index artifact, or other ones. */
  readonly artifact?: Json;
  /** More members of the index version, or other ones. */
  readonly listed?: Json;
  readonly yanked?: boolean;
}

export interface CatalogExtras {
  /** Publishers that sign something else in this catalog, so that their keys are embedded. */
  readonly others?: readonly TestPublisher[];
  /** More embedded files by name, for example `trusted_root.json` and bundles below `artifacts/`. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

const publisher = newPublisher();

/** plugin.json of the least that loads, as an archive's first entry; `more` replaces members. */
export function manifestFile(name: string, more: Json = {}): Buffer {
  const least = {
    schema_version: 2,
    plugin_api: 2,
    name,
    display_name: "Notes",
    description: "Keeps notes.",
    category: "knowledge",
    version: "1.0.0",
    auth: { type: "none" },
    tools: [],
  };
  return file("plugin.json", JSON.stringify({ ...least, ...more }));
}

/** The package of a sound plugin with these assets. */
export function packageOf(
  name: string,
  more: Json = {},
  assets: Readonly<Record<string, string>> = { a: "1" },
): Buffer {
  const files = Object.entries(assets).map(([path, text]) => file(`assets/${path}`, text));
  return tarball(manifestFile(name, more), ...files);
}

/** Compiles `<folder>/fermix` around a signed catalog of these releases; about five seconds. */
export async function fermixOffering(
  folder: string,
  releases: readonly Release[],
  { others = [], files = {} }: CatalogExtras = {},
): Promise<string> {
  const catalog = join(folder, "catalog");
  const put = (name: string, data: string | Uint8Array): void => {
    mkdirSync(dirname(join(catalog, name)), { recursive: true });
    writeFileSync(join(catalog, name), data);
  };
  const names = [...new Set(releases.map(({ name }) => name))];
  for (const release of releases) putRelease(put, release);
  for (const other of others) put(`publishers/${other.keyId}.pub`, other.publicKey);
  for (const [name, data] of Object.entries(files)) put(name, data);
  const index = indexOf([
    ...names.map((name) => entryOf(releases.filter((release) => release.name === name))),
    ...others.map((other, at) => keyHolder(other, at)),
  ]);
  const signer = openSigner(undefined);
  put("index.json", index);
  put("index.json.sig", `${signer.sign(Buffer.from(index))}\n`);
  put("index.pub", signer.publicPem);
  return await buildFermix({ catalog, outfile: join(folder, "fermix") });
}

const artifactName = ({ name, version = "1.0.0" }: Release): string => `artifacts/${name}-${version}.tar.gz`;

function putRelease(put: (name: string, data: string | Uint8Array) => void, release: Release): void {
  const { archive, served = archive, publisher: named = publisher, signature = named.sign(archive) } = release;
  const name = artifactName(release);
  if (served !== null) put(name, served);
  if (signature !== null) put(`${name}.sig`, signature);
  put(`publishers/${named.keyId}.pub`, named.publicKey);
}

function entryOf(releases: readonly Release[]): Json {
  const [first] = releases;
  const usable = releases.filter(({ yanked }) => yanked !== true);
  return {
    name: first?.name,
    auth_type: "none",
    rails: [],
    latest: usable.at(-1)?.version ?? (usable.length > 0 ? "1.0.0" : null),
    yanked: releases.filter(({ yanked }) => yanked === true).map(({ version = "1.0.0" }) => version),
    versions: releases.map((release) => ({
      version: release.version ?? "1.0.0",
      published_at: "2026-11-30T00:00:00Z",
      min_core_version: null,
      plugin_api: null,
      artifacts: [
        {
          target: "any",
          url: `embedded:${artifactName(release)}`,
          sha256: createHash("sha256").update(release.archive).digest("hex"),
          sig_url: `embedded:${artifactName(release)}.sig`,
          publisher: { kind: "key", key_id: (release.publisher ?? publisher).keyId },
          ...release.artifact,
        },
      ],
      ...release.listed,
    })),
  };
}

/** A key is embedded when an artifact names it. */
function keyHolder({ keyId }: TestPublisher, at: number): Json {
  const name = `other_${at}`;
  return entryOf([{ name, archive: Buffer.from(name), artifact: { publisher: { kind: "key", key_id: keyId } } }]);
}
