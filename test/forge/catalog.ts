/** Makes catalogs: a signed index of any content, and plugin sources on disk that buildCatalog packs. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openSigner, type Signer } from "../../scripts/catalog/sign.ts";

type Json = Readonly<Record<string, unknown>>;

/** The files of a binary whose index is this text, signed with a fresh key. `publishers` are listed beside it. */
export function signedIndex(index: string, publishers: readonly Signer[] = []): Record<string, string> {
  const signer = openSigner(undefined);
  return {
    "index.json": index,
    "index.json.sig": `${signer.sign(Buffer.from(index))}\n`,
    "index.pub": signer.publicPem,
    ...Object.fromEntries(publishers.map(({ keyId, publicPem }) => [`publishers/${keyId}.pub`, publicPem])),
  };
}

/** index.json text with these entries. */
export function indexOf(plugins: readonly Json[], more: Json = {}): string {
  return JSON.stringify({ schema_version: 1, generated_at: "2026-11-30T00:00:00Z", plugins, ...more });
}

/** An index artifact; `more` replaces members. */
export function artifactOf(more: Json = {}): Json {
  return {
    target: "any",
    url: "embedded:artifacts/notes-1.0.0.tar.gz",
    sha256: "a".repeat(64),
    sig_url: "embedded:artifacts/notes-1.0.0.tar.gz.sig",
    ...more,
  };
}

/** Writes the source of a small valid plugin `notes`-style below `<sources>/plugins/<name>`. */
export function writePlugin(
  sources: string,
  name: string,
  {
    version = "1.0.0",
    manifest = {},
    files = {},
  }: { version?: string; manifest?: Json; files?: Record<string, string> } = {},
): void {
  const plugin = {
    schema_version: 2,
    name,
    display_name: "Notes",
    description: "Keeps notes.",
    category: "knowledge",
    version,
    min_core_version: "0.9.0",
    plugin_api: 2,
    interface: { logo: "assets/logo.svg" },
    auth: { type: "none" },
    tools: [
      {
        name: `${name}_list`,
        description: "List notes.",
        policy_class: "external_api",
        read_only: true,
        parameters: { type: "object", properties: {} },
        request: { method: "GET", url: "https://notes.example/v1/notes" },
      },
    ],
    ...manifest,
  };
  const all = {
    "plugin.json": JSON.stringify(plugin),
    "CHANGELOG.md": `# Notes\n\n## ${version} (2026-10-05)\n\n- New.\n`,
    "assets/logo.svg": '<svg xmlns="http://www.w3.org/2000/svg"><title>Notes</title></svg>',
    ...files,
  };
  for (const [path, text] of Object.entries(all)) {
    const file = join(sources, "plugins", name, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
