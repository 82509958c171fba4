/** The one way that `login` and `reauthorize` sign a plugin in; they differ in whether the plugin is enabled too. */
import type { App } from "../../../plugins/app.ts";
import type { InstallByName } from "../../../plugins/enable.ts";
import { loginPlugin } from "../../../plugins/login.ts";
import { fixFor } from "../../../plugins/readiness.ts";
import { runSignIn, type SignInArgs, signInArgs } from "../../sign-in.ts";
import type { ArgSpecs, View } from "../../verb.ts";
import { PICKED_UP, standingNotices } from "../notices.ts";

export const pluginSignInArgs = {
  name: { kind: "positional", label: "NAME", required: true, about: "the plugin" },
  account: {
    kind: "option",
    label: "ACCOUNT",
    about: "sign in with this account and no other, such as a mail address",
  },
  ...signInArgs,
} as const satisfies ArgSpecs;

interface Args extends SignInArgs {
  readonly name: string;
  readonly account: string | undefined;
}

/** Signs in and shows where the plugin stands then. */
export async function signPluginIn(
  app: App,
  verb: "login" | "reauthorize",
  args: Args,
  enable?: InstallByName,
): Promise<View> {
  const command = `fermix plugins auth ${verb} ${args.name}`;
  const done = await runSignIn(
    app.ports.terminal,
    { args, command },
    async (options) =>
      await loginPlugin(app, args.name, {
        ...options,
        account: args.account,
        ...(enable === undefined ? {} : { enable }),
      }),
  );
  const { plugin, provider, account, readiness } = done;
  return {
    json: {
      plugin,
      account: account ?? null,
      status: readiness.status,
      provider,
      fix: fixFor(plugin, readiness) || null,
    },
    text: { lines: [`connected ${plugin}`] },
    notices: [
      account === undefined
        ? `${provider} did not say whose account it is`
        : `signed in with ${provider} as ${account}`,
      ...standingNotices(plugin, readiness),
      PICKED_UP,
    ],
  };
}
