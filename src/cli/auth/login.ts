/** `fermix auth login`: sign in to a model provider with an account. */

import type { AnthropicWay } from "../../auth/models/login-anthropic.ts";
import type { BrowserSignedIn } from "../../auth/models/login-browser.ts";
import { ANTHROPIC, CODEX, type ModelProvider, modelProviderNamed } from "../../auth/models/model-providers.ts";
import type { LoginDeps } from "../../auth/oauth/login-flow.ts";
import { FermixError } from "../../kernel/error.ts";
import type { App } from "../../plugins/app.ts";
import { failureNotice } from "../failure-notice.ts";
import { readSecret } from "../secret-input.ts";
import { runSignIn, type SignInArgs, signInArgs } from "../sign-in.ts";
import { defineVerb } from "../verb.ts";
import { providerArg, restartNotices } from "./provider-words.ts";

const SETUP_TOKEN = "fermix auth login --provider anthropic --setup-token";

export const login = defineVerb({
  summary: "Sign in to a model provider with an account instead of an API key",
  examples: [
    "fermix auth login",
    "fermix auth login --provider xai --no-browser",
    "fermix auth login --provider anthropic --setup-token",
    "printf '%s' \"$TOKEN\" | fermix auth login --provider anthropic --setup-token --stdin",
    "fermix auth login --provider anthropic --import-claude-code",
  ],
  args: {
    provider: { ...providerArg, about: `${providerArg.about}; codex by default` },
    ...signInArgs,
    "setup-token": { kind: "flag", about: "anthropic: ask for the token of `claude setup-token`, not shown" },
    stdin: { kind: "flag", about: "anthropic: read that token from a pipe" },
    "import-claude-code": {
      kind: "flag",
      about: "anthropic: take over the sign-in that Claude Code has on this machine",
    },
    token: { kind: "never", instead: SETUP_TOKEN },
  },
  async run(app, args) {
    const provider = providerOf(args);
    const done = await signIn(app, provider, args);
    const { authMode, account, switched, apiAccess } = done;
    return {
      json: {
        provider: provider.id,
        auth_profile: provider.profile,
        auth_mode: authMode,
        account: account ?? null,
        status: "ready",
        restart_needed: provider.hasAuthMode,
        config_changed: switched,
        ...(apiAccess === undefined ? {} : { api_access: apiAccess }),
      },
      text: { lines: [`signed in to ${provider.name}`] },
      notices: [
        ...(account === undefined ? [] : [`signed in as ${account}`]),
        ...(apiAccess === false ? [await noApiNotice()] : []),
        ...restartNotices(provider, "oauth"),
      ],
    };
  },
});

interface LoginArgs extends SignInArgs {
  readonly provider: string | undefined;
  readonly "setup-token": boolean;
  readonly stdin: boolean;
  readonly "import-claude-code": boolean;
}

type SignedIn = Omit<BrowserSignedIn, "apiAccess"> & Partial<Pick<BrowserSignedIn, "apiAccess">>;

/** Anthropic's own flags name it; everybody's default is Codex (spec 7.2). */
function providerOf(args: LoginArgs): ModelProvider {
  const isAnthropic = args["setup-token"] || args["import-claude-code"] || args.stdin;
  if (args.provider === undefined) return isAnthropic ? ANTHROPIC : CODEX;
  const provider = modelProviderNamed(args.provider);
  if (isAnthropic && provider !== ANTHROPIC) {
    throw usage("--setup-token, --stdin and --import-claude-code are for --provider anthropic.");
  }
  return provider;
}

async function signIn(app: App, provider: ModelProvider, args: LoginArgs): Promise<SignedIn> {
  const { login: page } = provider;
  if (page !== undefined) return await inBrowser(app, { ...provider, login: page }, args);
  const way = anthropicWay(app, args);
  const { loginAnthropic } = await import("../../auth/models/login-anthropic.ts");
  return await loginAnthropic(app, way);
}

async function inBrowser(
  app: App,
  provider: Parameters<typeof import("../../auth/models/login-browser.ts").loginInBrowser>[1],
  args: LoginArgs,
): Promise<BrowserSignedIn> {
  const { loginInBrowser } = await import("../../auth/models/login-browser.ts");
  const command = `fermix auth login --provider ${provider.words[0]}`;
  const deps: LoginDeps = app;
  return await runSignIn(app.ports.terminal, { args, command }, (options) => loginInBrowser(deps, provider, options));
}

function anthropicWay(app: App, args: LoginArgs): AnthropicWay {
  if (args["no-browser"] || args.port !== undefined || args.timeout !== undefined) {
    throw usage("Anthropic has no browser sign-in, so --no-browser, --port and --timeout mean nothing for it.");
  }
  const byToken = args["setup-token"] || args.stdin;
  if (byToken && args["import-claude-code"])
    throw usage("--setup-token and --import-claude-code are two ways: name one.");
  if (args["import-claude-code"]) return { way: "claude_code" };
  if (!byToken) return { way: "variable" };
  const ask = () => readSecret(app, { stdin: args.stdin, prompt: "Setup token", command: SETUP_TOKEN });
  return { way: "setup_token", ask };
}

/** The sign-in is stored and good; only its plan is not (COD-3). */
async function noApiNotice(): Promise<string> {
  const { planWithoutApi } = await import("../../auth/models/xai-plan.ts");
  return failureNotice(planWithoutApi());
}

function usage(problem: string): FermixError<"usage"> {
  return new FermixError("usage", { problem, command: "fermix auth login" });
}
