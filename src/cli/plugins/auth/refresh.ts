/** `fermix plugins auth refresh NAME`: get a plugin's sign-in a new access token now. */
import { refreshPlugin } from "../../../plugins/refresh.ts";
import { defineVerb } from "../../verb.ts";

export const refresh = defineVerb({
  summary: "Get a plugin's sign-in a new access token now; Fermix does so by itself when one is about to end",
  examples: ["fermix plugins auth refresh gmail"],
  args: { name: { kind: "positional", label: "NAME", required: true, about: "the plugin" } },
  async run(app, args) {
    const { plugin, expiresAt } = await refreshPlugin(app, args.name);
    const ends = expiresAt === undefined ? null : new Date(expiresAt).toISOString();
    return {
      json: { plugin, refreshed: true, expires_at: ends },
      text: { lines: [`refreshed ${plugin}`] },
      notices: [ends === null ? "the new token does not end by itself" : `the new token is good until ${ends}`],
    };
  },
});
