/** Installing 60 MB: Fermix against `sha256sum` + `cosign verify-blob` + `tar xzf` in a shell, on a memory disk. */
import { createCipheriv, generateKeyPairSync } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { buildFermix } from "../../build.ts";
import { buildCatalog } from "../../scripts/catalog/build.ts";
import { openSigner } from "../../scripts/catalog/sign.ts";
import { folderOf } from "../lab/binary.ts";
import { median, type Row, takeTurns, timeRun } from "./measure.ts";

const TOTAL_BYTES = 60 * 1000 * 1000;
const SMALL_FILES = 2000;
const OWN_MEMORY_MB = 110;

/** Text that compresses to about three quarters, the same in every run. */
function fill(bytes: number, seed: number): string {
  const cipher = createCipheriv("aes-128-ctr", Buffer.alloc(16, seed % 251), Buffer.alloc(16));
  return cipher
    .update(Buffer.alloc(Math.ceil((bytes * 3) / 4)))
    .toString("base64")
    .slice(0, bytes);
}

function source(folder: string, name: string, count: number): void {
  const plugin = join(folder, "plugins", name);
  mkdirSync(join(plugin, "assets"), { recursive: true });
  const size = Math.floor(TOTAL_BYTES / count);
  for (let n = 0; n < count; n += 1) writeFileSync(join(plugin, `assets/file-${n}.txt`), fill(size, n));
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

/** A binary whose catalog names both plugins at an https address, so that their bytes come from the mirror folder. */
async function benchBinary(folder: string): Promise<{ binary: string; mirror: string; key: string }> {
  const catalog = join(folder, "catalog");
  const mirror = join(folder, "mirror");
  mkdirSync(mirror);
  source(folder, "bench_large", 1);
  source(folder, "bench_small", SMALL_FILES);
  const pair = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const key = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  await buildCatalog({ sources: folder, out: catalog, key, lint: false });
  const index = readFileSync(join(catalog, "index.json"), "utf8").replaceAll(
    /"url": "embedded:artifacts\//g,
    '"url": "https://bench.example/',
  );
  writeFileSync(join(catalog, "index.json"), index);
  writeFileSync(join(catalog, "index.json.sig"), `${openSigner(key).sign(Buffer.from(index))}\n`);
  for (const name of ["bench_large", "bench_small"]) {
    const archive = `${name}-1.0.0.tar.gz`;
    renameSync(join(catalog, `artifacts/${archive}`), join(mirror, archive));
    copyFileSync(join(catalog, `artifacts/${archive}.sig`), join(mirror, `${archive}.sig`));
  }
  const binary = await buildFermix({ catalog, outfile: join(folder, "fermix-bench") });
  const pub = join(folder, "bench.pub");
  writeFileSync(pub, pair.publicKey.export({ type: "spki", format: "pem" }));
  return { binary, mirror, key: pub };
}

/** Measures both shapes of 60 MB: the ratio to the shell, and Fermix's own peak memory. */
export async function benchInstall(rounds: number, scratch: string): Promise<Row[]> {
  const folder = mkdtempSync(join(scratch, "install-"));
  try {
    const { binary, mirror, key } = await benchBinary(folder);
    const home = join(folder, "home");
    const path = [folderOf("cosign"), "/usr/bin", "/bin"].join(delimiter);
    const env = { PATH: path, HOME: folder, FERMIX_HOME: home };
    const rows: Row[] = [];
    for (const name of ["bench_large", "bench_small"]) {
      const fresh = (): void => {
        rmSync(home, { recursive: true, force: true });
        rmSync(join(folder, "shell"), { recursive: true, force: true });
        mkdirSync(join(folder, "shell"));
        mkdirSync(home);
        writeFileSync(join(home, "config.toml"), `[fermix_core.plugins]\nartifact_mirror = "file://${mirror}"\n`);
      };
      const artifact = join(mirror, `${name}-1.0.0.tar.gz`);
      const signature = join(folder, `catalog/artifacts/${name}-1.0.0.tar.gz.sig`);
      const shell = `sha256sum ${artifact} && cosign verify-blob --key ${key} --signature ${signature} --insecure-ignore-tlog=true ${artifact} && tar xzf ${artifact} -C ${folder}/shell`;
      let peak = 0;
      const taken = await takeTurns(rounds, {
        shell: () => {
          fresh();
          return timeRun(["/bin/sh", "-c", shell], env, folder);
        },
        fermix: () => {
          fresh();
          return timeRun([binary, "plugins", "install", name], env, folder);
        },
        memory: async () => {
          fresh();
          peak = Math.max(peak, await peakMemory([binary, "plugins", "install", name], env, folder));
          return peak;
        },
      });
      const shape = name === "bench_large" ? "one file" : `${SMALL_FILES} files`;
      rows.push(
        {
          what: `install 60 MB, ${shape}, over sha256sum + cosign + tar`,
          measured: median(taken.fermix) / median(taken.shell),
          unit: "x",
          target: 0.9,
          bound: "most",
          note: `${median(taken.fermix).toFixed(0)} / ${median(taken.shell).toFixed(0)} ms`,
        },
        {
          what: `install 60 MB, ${shape}, own peak memory`,
          measured: peak,
          unit: "MB",
          target: OWN_MEMORY_MB,
          bound: "most",
          note: "VmHWM, cosign not counted",
        },
      );
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Peak resident memory of one process alone, in MB: the kernel's high-water mark, read until it ends. */
async function peakMemory(command: readonly string[], env: Record<string, string>, cwd: string): Promise<number> {
  const child = Bun.spawn([...command], { env, cwd, stdout: "ignore", stderr: "pipe" });
  let peak = 0;
  while (child.exitCode === null && child.signalCode === null) {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024);
    } catch {
      break;
    }
    await Bun.sleep(1);
  }
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")} failed: ${await child.stderr.text()}`);
  return peak;
}
