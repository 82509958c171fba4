/** How one installed version is written down (spec 2.6): the same JSON object in installed.json and in a version's receipt. */
import * as v from "valibot";
import { asSha256, asVersion, type Sha256, type Version } from "../kernel/names.ts";

/** What was proven about an installed version when it was installed. */
export interface InstalledEntry {
  readonly version: Version;
  /** Of the artifact. */
  readonly sha256: Sha256;
  /** The ecosystem's first tree hash: kept for its readers, never trusted (spec 2.3). */
  readonly h1: string | undefined;
  /** undefined in entries that predate it. */
  readonly treeDigestV2: Sha256 | undefined;
  readonly pluginApi: number | undefined;
  readonly minCoreVersion: Version | undefined;
  /** ISO 8601, UTC. */
  readonly verifiedAt: string | undefined;
  /** `upgrade` leaves a pinned plugin alone (DECISIONS 38). */
  readonly pinned: boolean;
  /** Keys a later version wrote; they survive a rewrite. */
  readonly others: Readonly<Record<string, unknown>>;
}

const branded = <T>(make: (value: unknown) => T | undefined, expected: string) =>
  v.custom<T>((value) => make(value) !== undefined, `must be ${expected}`);

const entrySchema = v.objectWithRest(
  {
    version: branded<Version>(asVersion, "a version x.y.z"),
    sha256: branded<Sha256>(asSha256, "64 lower-case hex digits"),
    h1: v.nullish(v.string()),
    tree_digest_v2: v.nullish(branded<Sha256>(asSha256, "64 lower-case hex digits")),
    plugin_api: v.nullish(v.pipe(v.number(), v.integer())),
    min_core_version: v.nullish(branded<Version>(asVersion, "a version x.y.z")),
    verified_at: v.nullish(v.string()),
    pinned: v.optional(v.boolean(), false),
  },
  v.unknown(),
);

/** The entry, or the path and rule of the first thing wrong with it. */
export function parseEntry(raw: unknown): { ok: true; entry: InstalledEntry } | { ok: false; reason: string } {
  const parsed = v.safeParse(entrySchema, raw);
  if (!parsed.success) {
    const issue = parsed.issues[0];
    const path = v.getDotPath(issue);
    return { ok: false, reason: path === null ? issue.message : `${path}: ${issue.message}` };
  }
  const { version, sha256, h1, tree_digest_v2, plugin_api, min_core_version, verified_at, pinned, ...others } =
    parsed.output;
  return {
    ok: true,
    entry: {
      version,
      sha256,
      h1: h1 ?? undefined,
      treeDigestV2: tree_digest_v2 ?? undefined,
      pluginApi: plugin_api ?? undefined,
      minCoreVersion: min_core_version ?? undefined,
      verifiedAt: verified_at ?? undefined,
      pinned,
      others,
    },
  };
}

/** The entry as the JSON object of spec 2.6; `pinned` is additive and written only when true. */
export function formatEntry(entry: InstalledEntry): Readonly<Record<string, unknown>> {
  return {
    version: entry.version,
    sha256: entry.sha256,
    h1: entry.h1,
    tree_digest_v2: entry.treeDigestV2,
    plugin_api: entry.pluginApi,
    min_core_version: entry.minCoreVersion ?? null,
    verified_at: entry.verifiedAt,
    ...(entry.pinned ? { pinned: true } : {}),
    ...entry.others,
  };
}
