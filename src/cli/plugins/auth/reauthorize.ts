/** `fermix plugins auth reauthorize NAME`: sign a plugin in anew, whatever became of its old sign-in. */
import { defineVerb } from "../../verb.ts";
import { pluginSignInArgs, signPluginIn } from "./sign-in-verb.ts";

export const reauthorize = defineVerb({
  summary: "Sign in anew for a plugin whose sign-in has ended or lacks a scope",
  examples: ["fermix plugins auth reauthorize gmail"],
  args: pluginSignInArgs,
  run: async (app, args) => await signPluginIn(app, "reauthorize", args),
});
