/** `fermix auth logout`: forget a model provider's sign-in on this machine. */
import { logoutOf } from "../../auth/models/logout.ts";
import { CODEX, modelProviderNamed } from "../../auth/models/model-providers.ts";
import { defineVerb } from "../verb.ts";
import { providerArg, restartNotices } from "./provider-words.ts";

export const logout = defineVerb({
  summary: "Forget a model provider's sign-in on this machine, and use an API key again",
  examples: ["fermix auth logout", "fermix auth logout --provider xai"],
  args: { provider: { ...providerArg, about: `${providerArg.about}; codex by default` } },
  async run({ ports, home }, args) {
    const provider = args.provider === undefined ? CODEX : modelProviderNamed(args.provider);
    const { removed, reverted } = await logoutOf(ports, home, provider);
    return {
      json: {
        provider: provider.id,
        logged_out: true,
        changed: removed || reverted,
        revoked: false,
        restart_needed: reverted,
      },
      text: { lines: [removed ? `logged out of ${provider.name}` : `already logged out of ${provider.name}`] },
      notices: [
        ...(removed
          ? [`this removed the sign-in from this machine and revoked nothing: take the access back at ${provider.name}`]
          : []),
        ...(removed || reverted ? restartNotices(provider, "api_key") : []),
      ],
    };
  },
});
