/** One binary whose catalog offers everything that must be refused, and the good plugins beside it. */

import { tarball } from "../../forge/tar.ts";
import { once, sharedFolder } from "../shared-folder.ts";
import { fermixOffering, manifestFile, packageOf } from "../test-catalog.ts";
import { hostileArchives, linkOut } from "./archives.ts";
import { manifestPackages } from "./manifests.ts";
import { signedPackages } from "./signatures.ts";

/** Its path; built once a run. `victim` has a good 1.0.0 and a hostile 1.1.0. */
export const hostileBinary = once(async () => {
  const { releases, others, files } = await signedPackages();
  const victims = [
    { name: "victim", archive: packageOf("victim") },
    { name: "victim", version: "1.1.0", archive: tarball(manifestFile("victim", { version: "1.1.0" }), linkOut) },
  ];
  const all = [...victims, ...hostileArchives, ...manifestPackages, ...releases];
  return await fermixOffering(sharedFolder(), all, { others, files });
});
