/** `fermix plugins reload`: tell a running daemon to read the plugins again. */
import { FermixError } from "../../kernel/error.ts";
import { loadPlugins } from "../../plugins/load.ts";
import { defineVerb } from "../verb.ts";

export const reload = defineVerb({
  summary: "Make a running daemon read all plugins again",
  examples: ["fermix plugins reload"],
  args: {},
  async run(app) {
    // What would stop a reload is worth saying also while nothing runs that could be reloaded.
    await loadPlugins(app);
    throw new FermixError("no_daemon", { doing: "reload" });
  },
});
