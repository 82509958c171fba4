/** The sentence that says, before an install, where a plugin's work happens and what leaves this machine (HOST-9, HOST-13). */
import type { Manifest, RequestTemplate } from "../manifest/manifest.ts";

/** The hosts a plugin's own requests go to, sorted; empty for a local process, which may reach anything. */
export function endpointHosts(manifest: Manifest): readonly string[] {
  if (manifest.rail === "hosted-mcp") return [new URL(manifest.runtime.baseUrl).host];
  const hosts = new Set<string>();
  for (const tool of manifest.tools) {
    if (tool.rail === "http" && tool.request !== undefined)
      for (const host of templateHosts(tool.request)) hosts.add(host);
  }
  return [...hosts].sort();
}

function templateHosts({ url, regionalUrls }: RequestTemplate): readonly string[] {
  const urls = regionalUrls === undefined ? [url] : Object.values(regionalUrls);
  return urls.filter((candidate) => URL.canParse(candidate)).map((candidate) => new URL(candidate).host);
}

/** One sentence or two, derived from the manifest alone. */
export function consentLine(manifest: Manifest): string {
  switch (manifest.rail) {
    case "http":
      return httpConsent(manifest, endpointHosts(manifest));
    case "local-mcp": {
      const { kind, command, args, vendored } = manifest.runtime;
      const program = vendored ? "a program shipped with the plugin" : `this machine's ${kind}`;
      return `Starts a process on this machine, \`${[command, ...args].join(" ")}\` (${program}), with your user's rights.`;
    }
    case "hosted-mcp":
      return hostedConsent(manifest.displayName, new URL(manifest.runtime.mcpPath, manifest.runtime.baseUrl).href);
  }
}

function httpConsent({ displayName, auth }: Manifest, hosts: readonly string[]): string {
  const to = hosts.length === 0 ? `${displayName}'s own service` : hosts.join(", ");
  const bearing = auth.type === "none" ? "" : ", with your credential,";
  return `Runs no code of its own: Fermix sends your agent's requests${bearing} over HTTPS to ${to}.`;
}

/** For a hosted plugin, named vendor and endpoint included. */
export function hostedConsent(vendor: string, endpoint: string): string {
  return (
    `Runs on ${vendor}'s servers (${endpoint}): queries and the content chosen for them leave this machine, ` +
    "and results reach your model provider, this machine's history and, with content tracing on, local traces."
  );
}
