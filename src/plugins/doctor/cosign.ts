/** Which cosign is used, and whether it tells a good signature from a bad one (INS-3, INS-13, DECISIONS 5 and 6). */
import { isFermixError } from "../../kernel/error.ts";
import { describeCosign } from "../../trust/cosign.ts";
import { tryCosign } from "../../trust/cosign-trial.ts";
import type { App } from "../app.ts";
import { attempt, type Check, failure, ok, warn } from "./check.ts";

/** Without cosign everything works but install, upgrade and hosted proof (INS-13), so it is no failure. */
export async function checkCosign(app: App): Promise<Check> {
  const report = await attempt(() => describeCosign(app.ports, app.env));
  if (isFermixError(report)) return failure("cosign", report);
  if (!report.found) {
    return warn("cosign", `cosign not found (looked in: ${report.lookedIn.join(", ")})`, report.install);
  }
  const version = report.version === undefined ? "" : `, ${report.version}`;
  const tried = await attempt(() => tryCosign(app.ports, report.path));
  if (isFermixError(tried)) return failure("cosign", tried);
  if (report.generation !== "too_old") return ok("cosign", `${report.path}, generation ${report.generation}${version}`);
  const detail = `${report.path}${version} is too old for signature bundles`;
  return warn("cosign", detail, "install cosign 2.4 or newer");
}
