/** Asks a model provider whether a sign-in may use its API (`--full`): xAI has plans without it, and says so by a 403 alone. */
import { entryIn, readAuthFile } from "../../auth/auth-file.ts";
import { Credential } from "../../auth/credential.ts";
import { XAI } from "../../auth/models/model-providers.ts";
import { mayUseXaiApi, planWithoutApi } from "../../auth/models/xai-plan.ts";
import { readEntry } from "../../auth/sign-in-entry.ts";
import { reconnections } from "../../auth/stale.ts";
import type { Config } from "../../config/config.ts";
import { isFermixError } from "../../kernel/error.ts";
import type { App } from "../app.ts";
import { attempt, type Check, failure, ok, warn } from "./check.ts";

const NAME = `provider ${XAI.id} plan`;

/** A row where xAI is used by a sign-in; without one, the provider's own row has told already (COD-3). */
export async function xaiHealth(app: App, config: Config): Promise<readonly Check[]> {
  if (config.providers.get(XAI.id)?.authMode !== "oauth") return [];
  const document = await attempt(() => readAuthFile(app.home));
  const read = isFermixError(document) ? undefined : readEntry(entryIn(document, XAI.profile));
  if (read?.ok !== true) return [];
  const token = new Credential(read.entry.accessToken);
  switch (await mayUseXaiApi(app.ports, config.network, token)) {
    case true:
      return [ok(NAME, "its API takes the sign-in")];
    case false:
      return [failure(NAME, planWithoutApi())];
    default: {
      const again = reconnections(XAI.profile, []).map(({ command }) => command);
      return [warn(NAME, "its API gave no clear answer", `try again later; if it stays so, ${again.join("; ")}`)];
    }
  }
}
