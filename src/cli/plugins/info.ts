/** `fermix plugins info NAME`: what a plugin can do, where its work happens, and who vouches for it. */
import type { Publisher } from "../../catalog/catalog.ts";
import { quote } from "../../kernel/codes/row.ts";
import { type PluginInfo, pluginInfo } from "../../plugins/info.ts";
import { defineVerb } from "../verb.ts";

export const info = defineVerb({
  summary: "Show a plugin's tools, scopes, endpoints, publisher and what it does with your data",
  examples: ["fermix plugins info obsidian", "fermix plugins info github --json"],
  args: { name: { kind: "positional", label: "NAME", required: true, about: "the plugin, installed or not" } },
  async run(app, args) {
    const about = await pluginInfo(app, args.name);
    return { json: { plugin: infoJson(about) }, text: { lines: infoLines(about) } };
  },
});

function infoJson(about: PluginInfo): Readonly<Record<string, unknown>> {
  return {
    name: about.name,
    display_name: about.displayName,
    description: about.description ?? null,
    category: about.category ?? null,
    version: about.version ?? null,
    source: about.source,
    status: about.status,
    account: about.account ?? null,
    stale: about.stale,
    detail: about.detail || null,
    fix: about.fix || null,
    rail: about.rail ?? null,
    auth: about.auth,
    provider: about.provider ?? null,
    scopes: about.scopes,
    tools: about.tools ?? null,
    skills: about.skills,
    config: about.config,
    endpoints: about.endpoints,
    publisher: publisherJson(about.publisher),
    consent: about.consent,
  };
}

function publisherJson(publisher: Publisher | undefined): Readonly<Record<string, string>> | null {
  if (publisher?.kind === "key") return { kind: publisher.kind, key_id: publisher.keyId };
  return publisher === undefined ? null : { ...publisher };
}

function infoLines(about: PluginInfo): readonly string[] {
  const { name, displayName, version, source, description, status, fix } = about;
  const facts: readonly (readonly [string, string])[] = [
    ["status", fix === "" ? status : `${status}${about.stale ? ` (${about.detail})` : ""}: ${fix}`],
    ["account", oneLine(about.account ?? "")],
    ["left out", about.excludedBecause ?? ""],
    ["rail", about.rail ?? "none"],
    ["auth", about.provider === undefined ? about.auth : `${about.auth} (${about.provider})`],
    ["scopes", about.scopes.join(", ")],
    ["endpoints", about.endpoints.join(", ")],
    ["publisher", publisherText(about.publisher)],
    ["skills", about.skills.join(", ")],
    ["config", about.config.map(({ key, required }) => (required ? `${key} (required)` : key)).join(", ")],
    ["consent", about.consent],
  ];
  return [
    `${oneLine(displayName)} (${name}) ${version ?? "no version"}, ${source}`,
    ...(description === undefined ? [] : [oneLine(description)]),
    "",
    ...facts.filter(([, text]) => text !== "").map(([label, text]) => `${label.padEnd(10)} ${text}`),
    "",
    ...toolLines(about),
  ];
}

function toolLines({ tools, name, rail }: PluginInfo): readonly string[] {
  if (rail === undefined) return ["no tools"];
  if (tools === undefined) return [`tools: run \`fermix plugins install ${name}\` to see them`];
  if (tools.length === 0) return ["no tools"];
  const width = Math.max(...tools.map((tool) => tool.name.length));
  return tools.map((tool) => {
    const scopes = tool.scopes.length === 0 ? "" : ` [${tool.scopes.join(", ")}]`;
    return `${tool.name.padEnd(width)}  ${tool.access.padEnd(5)}  ${oneLine(tool.description)}${scopes}`;
  });
}

function publisherText(publisher: Publisher | undefined): string {
  if (publisher === undefined) return "";
  return publisher.kind === "key" ? `key ${publisher.keyId}` : `${publisher.identity}, issued by ${publisher.issuer}`;
}

/** A manifest's text stays on its line. */
function oneLine(text: string): string {
  return /[\u0000-\u001f\u007f]/.test(text) ? quote(text) : text;
}
