/** `fermix plugins auth logout NAME`: forget a plugin's sign-in on this machine. */
import { type LoggedOut, logoutPlugin } from "../../../plugins/logout.ts";
import { defineVerb } from "../../verb.ts";
import { PICKED_UP } from "../notices.ts";

export const logout = defineVerb({
  summary: "Forget a plugin's sign-in on this machine; the provider is not told, so the access stays listed there",
  examples: ["fermix plugins auth logout gmail"],
  args: { name: { kind: "positional", label: "NAME", required: true, about: "the plugin" } },
  async run(app, args) {
    const done = await logoutPlugin(app, args.name);
    const { plugin, removed } = done;
    return {
      json: { plugin, logged_out: true, changed: removed, revoked: false },
      text: { lines: [removed ? `logged out ${plugin}` : `${plugin} was not signed in`] },
      notices: [...(removed ? logoutNotices(done) : []), PICKED_UP],
    };
  },
});

/** What logging out was, and what it was not (AUTH-10). */
function logoutNotices({ plugin, enabled, provider, revokeAt, sharedWith }: LoggedOut): readonly string[] {
  const where = revokeAt ?? `the settings of ${provider ?? "the provider"}`;
  return [
    `this removed the sign-in from this machine and revoked nothing: take the access back at ${where}`,
    ...(enabled ? [`${plugin} is as enabled as before; \`fermix plugins disable ${plugin}\` switches it off`] : []),
    ...(sharedWith.length === 0 ? [] : [`${sharedWith.join(", ")} used the same sign-in and lost it too`]),
  ];
}
