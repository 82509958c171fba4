/** `fermix capabilities`: what agents get, by kind (spec 7.3). */
import { CAPABILITY_KINDS, type Capability, listCapabilities } from "../host/capabilities.ts";
import { withHost } from "../host/with-host.ts";
import { FermixError } from "../kernel/error.ts";
import type { App } from "../plugins/app.ts";
import { troubles } from "./troubles.ts";
import { defineVerb } from "./verb.ts";

export const capabilities = defineVerb({
  summary: "Show the tools and skills that agents get",
  examples: ["fermix capabilities", "fermix capabilities --kind mcp", "fermix capabilities --json"],
  args: {
    kind: { kind: "option", label: "KIND", about: "only this kind: builtin, skill, mcp, or all (the default)" },
  },
  async run(app: App, { kind = "all" }) {
    const shows = kindFilter(kind);
    return withHost(app, {}, (host) => {
      const all = listCapabilities(host);
      const counts = Object.fromEntries(
        CAPABILITY_KINDS.map((one) => [one, all.filter(({ kind }) => kind === one).length]),
      );
      const shown = all.filter(shows);
      const summary = CAPABILITY_KINDS.map((one) => `${one} ${counts[one]}`).join(", ");
      return {
        json: { total: all.length, counts, capabilities: shown },
        text: {
          lines: [`capabilities: ${all.length} (${summary})`, ...shown.map(line)],
        },
        notices: troubles(host),
      };
    });
  },
});

function kindFilter(kind: string): (capability: Capability) => boolean {
  if (kind === "all") return () => true;
  const known = CAPABILITY_KINDS.find((one) => one === kind);
  if (known !== undefined) return (capability) => capability.kind === known;
  throw new FermixError("usage", {
    problem: `--kind is one of ${CAPABILITY_KINDS.join(", ")} or all.`,
    command: "fermix capabilities",
  });
}

/** One capability, one line, whatever its description holds. */
function line({ name, kind, description }: Capability): string {
  return `- ${name} [${kind}] ${description.replaceAll(/\s+/g, " ")}`;
}
