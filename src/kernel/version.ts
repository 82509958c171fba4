/** The version of this Fermix, inlined from package.json when the binary is built. */
import { version } from "../../package.json";
import { asVersion, type Version } from "./names.ts";

/** Raises when package.json holds no plain x.y.z version, which is a mistake of the build and not of a user. */
function coreVersion(text: string): Version {
  const core = asVersion(text);
  if (core === undefined) throw new Error("package.json names no x.y.z version");
  return core;
}

export const CORE_VERSION: Version = coreVersion(version);
