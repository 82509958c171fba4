/** One session out of two, for a plugin whose tools run partly here and partly in a process of its own (spec 1.4). */
import type { RailSession } from "./rail.ts";

/** The plugin stands as `main` does; the tools of `beside`, which is always ready, can be called all the while. */
export function joinSessions(main: RailSession, beside: RailSession): RailSession {
  const besides = new Set(beside.tools().map(({ name }) => name));
  return {
    plugin: main.plugin,
    state: () => main.state(),
    tools: () =>
      [...main.tools().filter(({ name }) => !besides.has(name)), ...beside.tools()].sort((a, b) =>
        a.name < b.name ? -1 : 1,
      ),
    onChange: (listener) => main.onChange(listener),
    settled: () => main.settled(),
    call: (tool, args, options) => (besides.has(tool.name) ? beside : main).call(tool, args, options),
    close: async () => {
      await Promise.all([main.close(), beside.close()]);
    },
  };
}
