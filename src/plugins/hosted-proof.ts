/** Whether an installed hosted plugin is still exactly what its publisher signed, asked at every load (DECISIONS 7). */
import { openCatalog } from "../catalog/open.ts";
import type { Sha256 } from "../kernel/names.ts";
import type { LoadedPlugin } from "../manifest/manifest.ts";
import { proveHosted } from "../trust/receipt.ts";
import { treeDigestV2 } from "../trust/tree-digest.ts";
import type { App } from "./app.ts";

/** By version folder: the digest of the tree that was proved. Memory of this process only, so nobody can forge it. */
const proved = new Map<string, { readonly digest: Sha256; readonly manifestText: string }>();

/**
 * The signed manifest's text: this is what may be loaded. The files are hashed at every call; the evidence and cosign
 * are asked again only when they are not the files proved before (spec 2.11). Throws what proveHosted throws.
 */
export async function proveInstalledHosted(app: App, { name, version }: LoadedPlugin): Promise<string> {
  const dir = app.home.versionDir(name, version);
  const known = proved.get(dir);
  if (known !== undefined && known.digest === (await treeDigestV2(dir))) return known.manifestText;
  const catalog = openCatalog(app.ports.embedded);
  const proof = await proveHosted(app.ports, app.env, app.home, { plugin: name, version, catalog });
  proved.set(dir, { digest: proof.treeDigestV2, manifestText: proof.manifestText });
  return proof.manifestText;
}
