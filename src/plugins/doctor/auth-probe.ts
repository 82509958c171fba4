/** Asks, for `--full`, whether the sign-ins with model providers still give a token, and xAI whether its plan has an API (COD-3). */
import { entryIn, readAuthFile } from "../../auth/auth-file.ts";
import { modelProviders, refreshedModels, XAI } from "../../auth/models/model-providers.ts";
import { mayUseXaiApi, planWithoutApi, saysForbidden } from "../../auth/models/xai-plan.ts";
import type { TokenPlugin } from "../../auth/signed-in.ts";
import { reconnections } from "../../auth/stale.ts";
import { openTokenSource } from "../../auth/token-source.ts";
import type { Config } from "../../config/config.ts";
import { isFermixError } from "../../kernel/error.ts";
import type { App } from "../app.ts";
import { attempt, type Check, fail, failure, ok, warn } from "./check.ts";

/** What a refresh says for a plugin and means here: only a new sign-in helps. */
const OVER = ["reauthorization_required", "sign_in_unusable", "not_connected"] as const;

/**
 * A row for each model provider that somebody is signed in to; a token that is ending is refreshed on the way. A setup
 * token and an auth.json that cannot be read have rows of their own elsewhere.
 */
export async function probeModels(app: App, config: Config): Promise<readonly Check[]> {
  const document = await attempt(async () => readAuthFile(app.home));
  if (isFermixError(document)) return [];
  const signedIn = refreshedModels.filter(({ profile }) => entryIn(document, profile) !== undefined);
  return await Promise.all(signedIn.map((model) => probe(app, config, model)));
}

async function probe(app: App, config: Config, model: TokenPlugin): Promise<Check> {
  const row = `sign-in ${modelProviders.find(({ profile }) => profile === model.profile)?.id ?? model.name}`;
  const grant = await attempt(() => openTokenSource(app, model).current());
  if (isFermixError(grant)) {
    const again = reconnections(model.profile, [])[0]?.command ?? "";
    if (OVER.some((code) => isFermixError(grant, code))) return fail(row, "it has ended and must be made anew", again);
    if (model.profile === XAI.profile && saysForbidden(grant)) return failure(row, planWithoutApi(grant));
    const reason = isFermixError(grant, "token_refresh_failed") ? grant.details.reason : grant.message;
    return fail(row, `it could not be refreshed: ${reason}`, `try again in a moment; if it goes on, ${again}`);
  }
  if (model.profile !== XAI.profile) return ok(row, "it gives a token");
  switch (await mayUseXaiApi(app.ports, config.network, grant.credential)) {
    case true:
      return ok(row, "it gives a token, and xAI's API takes it");
    case false:
      return failure(row, planWithoutApi());
    default:
      return warn(row, "it gives a token; whether xAI's API takes it could not be told", "");
  }
}
