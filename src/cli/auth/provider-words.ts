/** What the verbs of `fermix auth` say in the same words: which providers there are, and who learns of a change. */
import { type ModelProvider, modelProviders } from "../../auth/models/model-providers.ts";

const WORDS = modelProviders.map(({ words }) => words[0]);

export const providerArg = {
  kind: "option",
  label: "PROVIDER",
  about: WORDS.join(", "),
} as const;

/** Only a daemon that starts reads auth_mode (COD-4); openai_codex has none. */
export function restartNotices({ id, hasAuthMode }: ModelProvider, mode: "oauth" | "api_key"): readonly string[] {
  if (!hasAuthMode) return [];
  return [`config.toml has auth_mode = "${mode}" for ${id}; restart the daemon for it to take effect`];
}
