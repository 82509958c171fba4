/** Failures of signing in to model providers: OpenAI Codex, Anthropic and xAI. */
import { quote, row } from "./row.ts";

const SETUP_TOKEN = "`fermix auth login --provider anthropic --setup-token`";

export const modelCodes = {
  model_provider_unknown: row<{ word: string; known: readonly string[] }>({
    says: ({ word }) => `There is no model provider ${quote(word)} to sign in to.`,
    fix: ({ known }) => `name one of: ${known.join(", ")}`,
    exit: "usage",
  }),
  anthropic_way_missing: row<{ variable: string }>({
    says: ({ variable }) =>
      `Anthropic has no browser sign-in for Fermix, no other way was named, and ${variable} is not set.`,
    fix: () => `${SETUP_TOKEN} (it asks for the token of \`claude setup-token\`), or \`--import-claude-code\``,
    exit: "usage",
  }),
  claude_token_unusable: row<{ from: string; reason: string }>({
    says: ({ from, reason }) => `The token ${from} cannot be used: ${reason}; nothing was stored.`,
    fix: () => `run \`claude setup-token\`, then ${SETUP_TOKEN}`,
    exit: "failed",
  }),
  claude_code_missing: row<{ places: readonly string[] }>({
    says: ({ places }) => `Claude Code has no sign-in here; looked in: ${places.map(quote).join(", ")}.`,
    fix: () => `sign in with \`claude\`, then run this again; or ${SETUP_TOKEN}`,
    exit: "needs_connecting",
  }),
  claude_code_unusable: row<{ place: string; reason: string }>({
    says: ({ place, reason }) => `The sign-in of Claude Code in ${quote(place)} cannot be used: ${reason}.`,
    fix: () => `sign in anew with \`claude\`, then run this again; or ${SETUP_TOKEN}`,
    exit: "needs_connecting",
  }),
  xai_plan_without_api: row<{ variable: string }>({
    says: () => "xAI answered 403: this Grok plan has no API access. The sign-in itself is not stale.",
    fix: ({ variable }) =>
      `use a plan with API access, or an API key: \`fermix auth logout --provider xai\`, then set ${variable}`,
    exit: "needs_connecting",
  }),
} as const;
