/** `fermix plugins gc`: remove old versions and what crashes left. */
import { collectGarbage } from "../../plugins/gc.ts";
import { defineVerb } from "../verb.ts";

export const gc = defineVerb({
  summary: "Remove left-over files, and all versions but the live one and one to go back to",
  examples: ["fermix plugins gc"],
  args: {},
  async run(app) {
    const { removed, held, busy } = await collectGarbage(app);
    return {
      json: { gc: "ok", removed, held, busy },
      text: { lines: ["gc complete"] },
      notices: [
        ...removed.map(({ name, version }) => `removed ${name} ${version}`),
        ...held.map(({ name, version }) => `kept ${name} ${version}: a running Fermix is using it`),
        ...busy.map((name) => `skipped ${name}: another Fermix process is changing it`),
      ],
    };
  },
});
