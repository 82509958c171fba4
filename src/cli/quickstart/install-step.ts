/** Installs the plugin from the catalog inside this binary and says each thing that was proved. */
import type { Artifact } from "../../catalog/catalog.ts";
import { findEntry, hostTarget, pickArtifact } from "../../catalog/find.ts";
import { openCatalog } from "../../catalog/open.ts";
import type { App } from "../../plugins/app.ts";
import { installPlugin } from "../../plugins/install.ts";
import { requireCosign } from "../../trust/cosign.ts";
import { withProgress } from "../plugins/install-progress.ts";
import { publisherText } from "../plugins/publisher-text.ts";
import type { Say } from "./step-lines.ts";

export interface Proof {
  readonly plugin: string;
  readonly version: string;
  readonly sha256: string;
  readonly publisher: string;
  /** Absolute path of the cosign that verified. */
  readonly cosign: string;
  readonly status: "installed" | "already_installed";
}

/** What the install proved, said once it is true. Throws what installing throws, or the signal's reason. */
export async function installStep(app: App, name: string, say: Say, signal: AbortSignal): Promise<Proof> {
  const catalog = openCatalog(app.ports.embedded);
  say(`the catalog of ${catalog.generatedAt} inside this binary is signed by this build's key`);
  const cosign = requireCosign(app.env).path;
  const outcome = await withProgress(app, (onProgress) => installPlugin(app, { name }, { onProgress, signal }));
  signal.throwIfAborted();
  const { version } = outcome;
  const listed = findEntry(catalog, name).versions.find((candidate) => candidate.version === version);
  const artifact: Artifact | undefined =
    listed === undefined ? undefined : pickArtifact(findEntry(catalog, name), listed, hostTarget());
  const sha256 = artifact?.sha256 ?? "unknown";
  const publisher = `publisher ${publisherText(outcome.publisher)}`;
  if (outcome.status === "already_installed") say(`${name} ${version} was installed and proved before`);
  else {
    say(`the artifact's sha256 is the catalog's: ${sha256}`);
    say(`cosign (${cosign}) and Fermix both accept the signature of ${publisher}`);
    say(`${name} ${version} unpacked, checked and made live`);
  }
  const status = outcome.status === "already_installed" ? "already_installed" : "installed";
  return { plugin: name, version, sha256, publisher, cosign, status };
}
