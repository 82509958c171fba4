/** Reads index.json (spec 2.5, DECISIONS 3) into catalog entries; keys it does not know are ignored, as new ones are additive. */
import * as v from "valibot";
import { FermixError } from "../kernel/error.ts";
import { asPluginName, asSha256, asVersion, type PluginName, type Version } from "../kernel/names.ts";
import type { Artifact, CatalogEntry, CatalogVersion, Publisher } from "./catalog.ts";

const INDEX_SCHEMA = 1;
/** The index's author controls its length; more problems than this help nobody. */
const MAX_PROBLEMS_SHOWN = 8;

/** Who signs a foreign entry that names no publisher (spec 2.4): the ecosystem's release workflow, keyless. */
const FOREIGN_IDENTITY = "https://github.com/tezra-io/fermix-plugins/.github/workflows/release-plugin.yml@refs/tags";
const FOREIGN_ISSUER = "https://token.actions.githubusercontent.com";

const made = <T>(make: (value: unknown) => T | undefined, expected: string) =>
  v.pipe(
    v.unknown(),
    v.rawTransform<unknown, T>(({ dataset, addIssue, NEVER }) => {
      const value = make(dataset.value);
      if (value !== undefined) return value;
      addIssue({ message: `must be ${expected}` });
      return NEVER;
    }),
  );
const pluginName = made(asPluginName, "a plugin name");
const version = made(asVersion, "a version x.y.z");
const sha256 = made(asSha256, "64 lower-case hex digits");
const source = v.pipe(
  v.string(),
  v.regex(/^(embedded:[A-Za-z0-9][A-Za-z0-9._/-]*|https:\/\/\S+)$/, "must be embedded:NAME or https"),
);
const text = v.nullish(v.string());
const list = <Item extends v.GenericSchema>(item: Item) => v.optional(v.array(item), []);

const publisherSchema = v.variant("kind", [
  v.object({ kind: v.literal("key"), key_id: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/, "must be a key id")) }),
  v.object({
    kind: v.literal("keyless"),
    identity: v.pipe(v.string(), v.nonEmpty()),
    issuer: v.pipe(v.string(), v.nonEmpty()),
  }),
]);

const artifactSchema = v.object({
  target: v.pipe(v.string(), v.nonEmpty()),
  url: source,
  sha256,
  sig_url: v.nullish(source),
  cert_url: v.nullish(source),
  bundle_url: v.nullish(source),
  publisher: v.optional(publisherSchema),
});

const versionSchema = v.object({
  version,
  published_at: text,
  min_core_version: v.nullish(version),
  plugin_api: v.nullish(v.pipe(v.number(), v.integer())),
  artifacts: v.array(artifactSchema),
});

const entrySchema = v.object({
  name: pluginName,
  display_name: text,
  category: text,
  description: text,
  short_description: text,
  developer_name: text,
  brand_color: text,
  auth_type: v.optional(v.picklist(["none", "oauth2", "api_key"]), "none"),
  auth_provider: text,
  runtime_kind: v.nullish(v.picklist(["local_stdio", "remote_mcp"])),
  rails: list(v.picklist(["http", "mcp"])),
  latest: v.nullish(version),
  yanked: list(version),
  versions: list(versionSchema),
});

const indexSchema = v.object({ generated_at: v.string(), plugins: v.array(entrySchema) });

/**
 * The entries of an index, sorted by name. Throws unsupported_index_schema for a schema other than 1 (an unknown one
 * is refused, never read as the newest) and catalog_invalid with each problem's path.
 */
export function readIndex(json: string): { generatedAt: string; entries: readonly CatalogEntry[] } {
  const raw = parseJson(json);
  const schema = typeof raw === "object" && raw !== null && "schema_version" in raw ? raw.schema_version : undefined;
  if (schema !== INDEX_SCHEMA)
    throw new FermixError("unsupported_index_schema", { found: JSON.stringify(schema ?? null) });
  const parsed = v.safeParse(indexSchema, raw);
  if (!parsed.success) {
    throw invalid(parsed.issues.map((issue) => ({ path: v.getDotPath(issue) ?? "$", says: issue.message })));
  }
  const entries = parsed.output.plugins.map(toEntry).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const twice = entries.find((entry, at) => entries[at + 1]?.name === entry.name);
  if (twice !== undefined) throw invalid([{ path: "plugins", says: `${twice.name} is listed twice` }]);
  return { generatedAt: parsed.output.generated_at, entries };
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw invalid([{ path: "$", says: cause instanceof Error ? cause.message : "not JSON" }]);
  }
}

function invalid(problems: readonly { path: string; says: string }[]): FermixError {
  return new FermixError("catalog_invalid", { problems: problems.slice(0, MAX_PROBLEMS_SHOWN) });
}

function toEntry(raw: v.InferOutput<typeof entrySchema>): CatalogEntry {
  return {
    name: raw.name,
    displayName: raw.display_name ?? raw.name,
    category: raw.category ?? undefined,
    description: raw.description ?? undefined,
    shortDescription: raw.short_description ?? undefined,
    developerName: raw.developer_name ?? undefined,
    brandColor: raw.brand_color ?? undefined,
    authType: raw.auth_type,
    authProvider: raw.auth_provider ?? undefined,
    runtimeKind: raw.runtime_kind ?? undefined,
    rails: raw.rails,
    latest: raw.latest ?? undefined,
    yanked: raw.yanked,
    versions: raw.versions.map((listed) => toVersion(raw.name, listed)),
  };
}

function toVersion(plugin: PluginName, raw: v.InferOutput<typeof versionSchema>): CatalogVersion {
  return {
    version: raw.version,
    publishedAt: raw.published_at ?? undefined,
    minCoreVersion: raw.min_core_version ?? undefined,
    pluginApi: raw.plugin_api ?? undefined,
    artifacts: raw.artifacts.map((artifact) => toArtifact(plugin, raw.version, artifact)),
  };
}

function toArtifact(plugin: PluginName, of: Version, raw: v.InferOutput<typeof artifactSchema>): Artifact {
  return {
    target: raw.target,
    url: raw.url,
    sha256: raw.sha256,
    publisher: toPublisher(plugin, of, raw.publisher),
    sigUrl: raw.sig_url ?? undefined,
    certUrl: raw.cert_url ?? undefined,
    bundleUrl: raw.bundle_url ?? undefined,
  };
}

function toPublisher(
  plugin: PluginName,
  of: Version,
  raw: v.InferOutput<typeof publisherSchema> | undefined,
): Publisher {
  if (raw === undefined) {
    return { kind: "keyless", identity: `${FOREIGN_IDENTITY}/${plugin}/v${of}`, issuer: FOREIGN_ISSUER };
  }
  return raw.kind === "key" ? { kind: "key", keyId: raw.key_id } : raw;
}
