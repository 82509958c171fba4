/** Signs in to Anthropic without a browser: a setup token, Claude Code's own sign-in, or the variable (COD-2, spec 7.2). */
import type { Environment } from "../../config/env.ts";
import { CLAUDE_TOKEN_VARIABLE } from "../../config/variables.ts";
import type { Home } from "../../files/home.ts";
import { FermixError } from "../../kernel/error.ts";
import type { Ports } from "../../kernel/ports.ts";
import { unsendable } from "../credential.ts";
import { standIn } from "../stand-in.ts";
import { readClaudeCode } from "./claude-code.ts";
import { keepSignIn, type ModelSignedIn, prepareToKeep } from "./keep-sign-in.ts";
import { ANTHROPIC } from "./model-providers.ts";

export interface AnthropicDeps {
  readonly ports: Pick<Ports, "clock" | "processes">;
  readonly home: Home;
  readonly env: Pick<Environment, "get" | "userHome">;
}

/** How the token comes: asked for, out of Claude Code's own store, or out of the variable when nothing is said. */
export type AnthropicWay =
  | { readonly way: "setup_token"; readonly ask: () => Promise<string> }
  | { readonly way: "claude_code" }
  | { readonly way: "variable" };

/** What `claude setup-token` gives begins like this; an API key and a refresh token begin like the others. */
const SETUP_TOKEN_PREFIX = "sk-ant-oat";
const ANTHROPIC_PREFIX = "sk-ant-";

/**
 * Stores the token and sets `auth_mode = "oauth"`. A setup token is good for a year from when it was made, which it does
 * not say, so it has no end here. Throws anthropic_way_missing, claude_token_unusable, claude_code_missing,
 * claude_code_unusable, what `ask` throws, and what keeping it throws.
 */
export async function loginAnthropic(
  deps: AnthropicDeps,
  way: AnthropicWay,
  platform: NodeJS.Platform = process.platform,
): Promise<ModelSignedIn> {
  const { ports, home, env } = deps;
  if (way.way === "claude_code") {
    const signIn = await readClaudeCode({ ports, env, platform });
    await prepareToKeep(ports, home, ANTHROPIC);
    return await keepSignIn(ports, home, ANTHROPIC, { ...signIn, authMode: "claude_code_import", account: undefined });
  }
  const accessToken = way.way === "variable" ? tokenInVariable(env) : await askedToken(deps, way.ask);
  if (way.way === "variable") await prepareToKeep(ports, home, ANTHROPIC);
  const rest = { refreshToken: undefined, expiresAt: undefined, scopes: [], account: undefined };
  return await keepSignIn(ports, home, ANTHROPIC, { authMode: "setup_token", accessToken, ...rest });
}

function tokenInVariable(env: Pick<Environment, "get">): string {
  const given = env.get(CLAUDE_TOKEN_VARIABLE) ?? "";
  if (given.trim() === "") throw new FermixError("anthropic_way_missing", { variable: CLAUDE_TOKEN_VARIABLE });
  return setupToken(given, `in ${CLAUDE_TOKEN_VARIABLE}`);
}

/** Whoever is asked for a token that could not be stored has been asked in vain. */
async function askedToken({ ports, home }: AnthropicDeps, ask: () => Promise<string>): Promise<string> {
  await prepareToKeep(ports, home, ANTHROPIC);
  return setupToken(await ask(), "that was given");
}

function setupToken(text: string, from: string): string {
  const token = text.trim();
  const reason = standIn(token) ?? unsendable(token) ?? (token.includes(" ") ? "it holds a space" : misplaced(token));
  if (reason !== undefined) throw new FermixError("claude_token_unusable", { from, reason });
  return token;
}

/** What belongs elsewhere. Anything that Anthropic may one day give under another name is taken as it is. */
function misplaced(token: string): string | undefined {
  if (token.startsWith(SETUP_TOKEN_PREFIX) || !token.startsWith(ANTHROPIC_PREFIX)) return undefined;
  return `it is not of the kind that \`claude setup-token\` gives (${SETUP_TOKEN_PREFIX}…)`;
}
