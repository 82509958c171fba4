/** Every request template that ships in this binary or is written in the published style, each with its parameters. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../../src/kernel/json.ts";
import type { Manifest, RequestTemplate } from "../../../src/manifest/manifest.ts";
import { parseManifest } from "../../../src/manifest/parse.ts";
import { foreignManifests } from "../../manifest/foreign.ts";

export interface TemplateTool {
  readonly name: string;
  readonly parameters: JsonObject;
  readonly request: RequestTemplate;
}

const CATALOG = join(import.meta.dirname, "../../../catalog");

/** Those of the catalog's plugins and of the bundled ones, in the order of their names. */
export const catalogTemplates: readonly TemplateTool[] = [
  ...new Bun.Glob("{plugins,bundled}/*/plugin.json").scanSync({ cwd: CATALOG }),
]
  .flatMap((path) => templatesOf(parseManifest(readFileSync(join(CATALOG, path)))))
  .sort((a, b) => (a.name < b.name ? -1 : 1));

export const foreignTemplates: readonly TemplateTool[] = foreignManifests.flatMap(({ manifest }) =>
  templatesOf(parseManifest(JSON.stringify(manifest))),
);

function templatesOf(manifest: Manifest): readonly TemplateTool[] {
  if (manifest.rail === "hosted-mcp") return [];
  return manifest.tools.flatMap((tool) => {
    if (tool.rail !== "http" || tool.request === undefined) return [];
    return [{ name: tool.name, parameters: tool.parameters ?? {}, request: tool.request }];
  });
}

/** The declared properties of a tool's parameters. */
export function propertiesOf({ parameters }: TemplateTool): Readonly<Record<string, JsonObject>> {
  return (parameters["properties"] ?? {}) as Readonly<Record<string, JsonObject>>;
}
