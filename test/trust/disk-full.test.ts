/** A full disk is named, and nothing half-written stays: on a real file system that is too small. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { smallDiskMissing } from "../lab/mounts.ts";

const missing = smallDiskMissing();
if (missing !== undefined) setDefaultTimeout(60_000);

/** What runs inside: `work` of one stage on a file system of 1 MiB; prints its code and what is left. */
const SCRIPT = `
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
const [stage, small] = process.argv.slice(2);
const stages = await import(${JSON.stringify(join(import.meta.dir, "stages.ts"))});
const { file, MANIFEST, tarball } = await import(${JSON.stringify(join(import.meta.dir, "../forge/tar.ts"))});
const noise = crypto.getRandomValues(new Uint8Array(65536));
const big = tarball(MANIFEST, ...Array.from({ length: 40 }, (_, at) => file("assets/" + at, noise.map((byte) => byte ^ at))));
const offered = stages.offer(stage === "unpack" ? tarball(MANIFEST, file("zeros", new Uint8Array(3_000_000))) : big);
const { unpackVerified } = await import(${JSON.stringify(join(import.meta.dir, "../../src/trust/unpack.ts"))});
const { retainEvidence } = await import(${JSON.stringify(join(import.meta.dir, "../../src/trust/receipt.ts"))});
const elsewhere = small + "-elsewhere";
const work = {
  download: () => stages.download(offered, small),
  unpack: async () => unpackVerified(await stages.verified(offered, elsewhere), join(small, "tree")),
  evidence: async () => retainEvidence(await stages.verified(offered, elsewhere), join(small, "evidence")),
}[stage];
const code = await work().then(() => "ok", (error) => error.code ?? String(error));
console.log(JSON.stringify({ code, left: readdirSync(small) }));
`;

for (const stage of missing === undefined ? ["download", "unpack", "evidence"] : []) {
  test(`${stage} on a full disk`, async () => {
    const folder = (await Bun.$`mktemp -d`.text()).trim();
    try {
      await Bun.write(join(folder, "script.ts"), SCRIPT);
      const mount = `mkdir small && mount -t tmpfs -o size=1m tmpfs small && exec "$0" script.ts ${stage} "$PWD/small"`;
      const run = Bun.spawnSync(["unshare", "-m", "sh", "-c", mount, process.execPath], { cwd: folder });
      const said = run.stdout.toString();
      if (said === "") throw new Error(run.stderr.toString());
      expect(JSON.parse(said)).toEqual({ code: "disk_full", left: [] });
    } finally {
      await Bun.$`rm -rf ${folder}`;
    }
  });
}
