/** Signed packages of given sizes, and a binary whose catalog names them. */
import { createCipheriv, generateKeyPairSync } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildFermix } from "../../build.ts";
import { buildCatalog } from "../../scripts/catalog/build.ts";
import { openSigner } from "../../scripts/catalog/sign.ts";

export interface BenchPlugin {
  readonly name: string;
  /** Of all its files together. */
  readonly bytes: number;
  readonly files: number;
}

export interface BenchPackages {
  readonly binary: string;
  /** The folder with the artifacts and their signatures, to be the operator's `artifact_mirror`. */
  readonly mirror: string;
  /** The publisher's public key. */
  readonly key: string;
}

/** A binary whose catalog names the plugins at an https address, so that their bytes come from the mirror folder. */
export async function packBenchPlugins(folder: string, plugins: readonly BenchPlugin[]): Promise<BenchPackages> {
  const catalog = join(folder, "catalog");
  const mirror = join(folder, "mirror");
  mkdirSync(mirror);
  for (const plugin of plugins) writeSource(folder, plugin);
  const pair = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const signingKey = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  await buildCatalog({ sources: folder, out: catalog, key: signingKey, lint: false });
  const index = readFileSync(join(catalog, "index.json"), "utf8").replaceAll(
    /"((?:sig_)?url)": "embedded:artifacts\//g,
    '"$1": "https://bench.example/',
  );
  writeFileSync(join(catalog, "index.json"), index);
  writeFileSync(join(catalog, "index.json.sig"), `${openSigner(signingKey).sign(Buffer.from(index))}\n`);
  for (const { name } of plugins) {
    for (const file of [`${name}-1.0.0.tar.gz`, `${name}-1.0.0.tar.gz.sig`]) {
      renameSync(join(catalog, "artifacts", file), join(mirror, file));
    }
  }
  const binary = await buildFermix({ catalog, outfile: join(folder, "fermix-bench") });
  const key = join(folder, "bench.pub");
  writeFileSync(key, pair.publicKey.export({ type: "spki", format: "pem" }));
  return { binary, mirror, key };
}

function writeSource(folder: string, { name, bytes, files }: BenchPlugin): void {
  const plugin = join(folder, "plugins", name);
  mkdirSync(join(plugin, "assets"), { recursive: true });
  const size = Math.floor(bytes / files);
  for (let n = 0; n < files; n += 1) writeFileSync(join(plugin, `assets/file-${n}.txt`), fill(size, n));
  const manifest = {
    schema_version: 2,
    plugin_api: 2,
    name,
    display_name: name,
    description: "A large plugin for the bench.",
    category: "bench",
    version: "1.0.0",
    min_core_version: "0.1.0",
    auth: { type: "none" },
    tools: [
      {
        name: `${name}_ping`,
        description: "Nothing is ever sent.",
        read_only: true,
        parameters: { type: "object", properties: {} },
        request: { method: "GET", url: "https://bench.example/ping" },
      },
    ],
  };
  writeFileSync(join(plugin, "plugin.json"), JSON.stringify(manifest, null, 2));
  writeFileSync(join(plugin, "CHANGELOG.md"), "# Changelog\n\n## 1.0.0 (2026-01-01)\n\n- First.\n");
}

/** Text that compresses to about three quarters, the same in every run. */
function fill(bytes: number, seed: number): string {
  const cipher = createCipheriv("aes-128-ctr", Buffer.alloc(16, seed % 251), Buffer.alloc(16));
  return cipher
    .update(Buffer.alloc(Math.ceil((bytes * 3) / 4)))
    .toString("base64")
    .slice(0, bytes);
}
