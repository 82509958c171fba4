/** The `## Plugins` text that tells an agent which plugins it has, and which are one step away (spec 6.2, AGT-1, AGT-13). */
import type { Host } from "../host/host.ts";
import { type HostedPlugin, isDisabled, standingOf } from "../host/standing.ts";
import { type FermixError, never } from "../kernel/error.ts";
import { fixFor } from "../plugins/readiness.ts";
import type { RailTool } from "../rails/rail.ts";

/** One line on purpose: readers of this shape take the second line as the whole introduction. */
const INTRODUCTION =
  "Each plugin below owns the service or place it connects: for anything there, use its tools before a browser, a web search or fetch, or the shell. Open a plugin's skill only when you need its workflow or argument rules, not before every call. A plugin with a status is not connected: offer to connect it, on the setup page or with the command shown, instead of scraping the same thing another way.";

/**
 * The section, or "" when no plugin is enabled. Ready plugins carry their sorted tool names, the others their status
 * and what to do about it; a ready plugin without a tool and a disabled one are not listed. Why no plugin could be
 * loaded at all comes first.
 */
export function promptSection(host: Pick<Host, "plugins" | "registry" | "fault">): string {
  const { tools } = host.registry();
  const fault = host.fault();
  const entries = host
    .plugins()
    .map((hosted) => entryOf(hosted, tools))
    .filter((entry) => entry !== undefined);
  if (fault !== undefined) entries.unshift(`  <problem>${escapeXml(sentences(fault))}</problem>`);
  if (entries.length === 0) return "";
  return ["## Plugins", INTRODUCTION, "<plugins>", ...entries, "</plugins>"].join("\n");
}

function entryOf(hosted: HostedPlugin, live: readonly RailTool[]): string | undefined {
  const { name, plugin } = hosted;
  const standing = standingOf(hosted);
  switch (standing.kind) {
    case "serving": {
      const tools = live.filter((tool) => tool.plugin === name).map((tool) => tool.name);
      if (tools.length === 0) return undefined;
      return element(name, skillsOf(plugin?.manifest.skills ?? []), tools.join(", "));
    }
    case "starting":
      return element(
        name,
        { status: "connecting" },
        "It is starting; its tools appear in the tool list by themselves.",
      );
    case "failed":
      return element(name, { status: standing.status }, sentences(standing.error));
    case "not_ready":
      if (isDisabled(hosted)) return undefined;
      return element(name, { status: standing.readiness.status }, fixFor(name, standing.readiness));
    case "left_out":
      return undefined;
    default:
      return never(standing);
  }
}

function skillsOf(skills: readonly { readonly name: string }[]): Readonly<Record<string, string>> {
  return skills.length === 0 ? {} : { skill: skills.map((skill) => skill.name).join(", ") };
}

function element(name: string, attributes: Readonly<Record<string, string>>, text: string): string {
  const rest = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  return `  <plugin name="${escapeXml(name)}"${rest.join("")}>${escapeXml(text)}</plugin>`;
}

/** What happened and what to do, on one line. */
function sentences(error: FermixError): string {
  return `${error.message} Fix: ${error.fix}`.replaceAll(/\s+/g, " ");
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => ESCAPES[char] ?? char);
}
