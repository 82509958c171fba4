/** Whether a packed catalog still is what its sources make and its keys signed. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { keyIdOf } from "../../src/catalog/verify-index.ts";
import { indexHolds } from "./build.ts";
import { artifactName, type IndexArtifact, type IndexFile, listedIn } from "./index-file.ts";
import { lintSources } from "./lint.ts";
import { packTar } from "./pack.ts";
import { signedBy } from "./sign.ts";
import { readSources } from "./sources.ts";

/** Every difference, one sentence each; none means the catalog is current. Writes nothing. */
export async function checkCatalog({ sources, out }: { sources: string; out: string }): Promise<readonly string[]> {
  const index = listedIn(out);
  if (index === undefined) return ["there is no index.json: run `bun run catalog`"];
  const problems: string[] = [];
  if (!indexHolds(out, readFileSync(join(out, "index.json"))))
    problems.push("the signature of index.json does not hold");
  problems.push(...(await sourceProblems(sources, out, index)), ...artifactProblems(out, index));
  return problems;
}

async function sourceProblems(folder: string, out: string, index: IndexFile): Promise<string[]> {
  const problems: string[] = [];
  const sources = readSources(folder);
  await lintSources(sources);
  for (const { kind, manifest, files, yanked } of sources) {
    const entry = index.plugins.find(({ name }) => name === manifest.name);
    if (entry === undefined) problems.push(`${manifest.name} is not listed`);
    if (kind === "card" || entry === undefined) continue;
    if (entry.yanked.join() !== yanked.toSorted().join()) problems.push(`${manifest.name}: the yanked list differs`);
    if (!entry.versions.some(({ version }) => version === manifest.version)) {
      problems.push(`${manifest.name}@${manifest.version} is not packed`);
    } else if (
      !(await packTar(files)).equals(
        gunzipSync(readFileSync(join(out, artifactName(manifest.name, manifest.version ?? "")))),
      )
    ) {
      problems.push(`${manifest.name}@${manifest.version} packs to other bytes than its artifact`);
    }
  }
  return problems;
}

function artifactProblems(out: string, index: IndexFile): string[] {
  const problems: string[] = [];
  const named = new Set<string>();
  for (const { name, versions } of index.plugins) {
    for (const { version, artifacts } of versions) {
      for (const artifact of artifacts) {
        named.add(artifact.publisher.key_id);
        problems.push(...artifactFaults(out, artifact).map((fault) => `${name}@${version}: ${fault}`));
      }
    }
  }
  for (const file of readdirSync(join(out, "publishers"))) {
    if (!named.has(file.replace(/\.pub$/, ""))) problems.push(`publishers/${file} signed no listed version`);
  }
  return problems;
}

function artifactFaults(out: string, { url, sha256, sig_url, publisher }: IndexArtifact): string[] {
  const [path, signature] = [url, sig_url].map((source) => join(out, source.replace("embedded:", "")));
  const key = join(out, `publishers/${publisher.key_id}.pub`);
  if (path === undefined || !existsSync(path)) return [`${url} is missing`];
  if (signature === undefined || !existsSync(signature)) return [`${sig_url} is missing`];
  if (!existsSync(key)) return [`the key ${publisher.key_id} is missing`];
  const [bytes, pem] = [readFileSync(path), readFileSync(key, "utf8")];
  if (createHash("sha256").update(bytes).digest("hex") !== sha256) return ["the archive's digest differs"];
  if (keyIdOf(pem) !== publisher.key_id) return [`the key ${publisher.key_id} is another key`];
  return signedBy(pem, bytes, readFileSync(signature, "utf8")) ? [] : ["the signature does not hold"];
}
