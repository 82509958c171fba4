/** `fermix plugins auth login NAME`: sign a plugin in and let agents use it. */
import { defineVerb } from "../../verb.ts";
import { withProgress } from "../install-progress.ts";
import { pluginSignInArgs, signPluginIn } from "./sign-in-verb.ts";

export const login = defineVerb({
  summary: "Sign in for a plugin in the browser, and enable the plugin",
  examples: [
    "fermix plugins auth login gmail",
    "fermix plugins auth login github --no-browser",
    "fermix plugins auth login gmail --account ada@example.org --timeout 600",
  ],
  args: pluginSignInArgs,
  run: async (app, args) =>
    await signPluginIn(app, "login", args, async (to, name) => {
      const { installPlugin } = await import("../../../plugins/install.ts");
      return await withProgress(to, (onProgress) => installPlugin(to, { name }, { onProgress }));
    }),
});
