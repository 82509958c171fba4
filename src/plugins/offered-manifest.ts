/** The manifest of a plugin that is not installed, out of the catalog's archive inside this binary. */
import type { Artifact, CatalogVersion } from "../catalog/catalog.ts";
import { hostTarget } from "../catalog/find.ts";
import { openCatalog } from "../catalog/open.ts";
import { isFermixError } from "../kernel/error.ts";
import { CORE_VERSION } from "../kernel/version.ts";
import type { Manifest } from "../manifest/manifest.ts";
import type { App } from "./app.ts";
import { assertLoadable } from "./load.ts";

/** The manifest of the latest version offered; undefined when there is none that this Fermix can read and use. */
export async function offeredManifest({ ports }: Pick<App, "ports">, name: string): Promise<Manifest | undefined> {
  try {
    const entry = openCatalog(ports.embedded).entries.find((candidate) => candidate.name === name);
    const version = entry?.versions.find((candidate) => candidate.version === entry.latest);
    const artifact = version === undefined ? undefined : artifactFor(version);
    if (artifact === undefined) return undefined;
    const { peekManifest } = await import("./peek-manifest.ts");
    const text = await peekManifest(ports.embedded, artifact);
    return text === undefined ? undefined : assertLoadable(text, { directory: name, core: CORE_VERSION });
  } catch (error) {
    if (isFermixError(error)) return undefined;
    throw error;
  }
}

/** The artifact of a version for this machine, else the first there is. */
export function artifactFor({ artifacts }: CatalogVersion): Artifact | undefined {
  const target = hostTarget();
  return artifacts.find((artifact) => artifact.target === "any" || artifact.target === target) ?? artifacts[0];
}
