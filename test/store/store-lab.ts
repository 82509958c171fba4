/** A store in a temp folder, with trees that are taken for verified: the trust room has its own tests. */
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Home, homeAt } from "../../src/files/home.ts";
import { asPluginName, asVersion, type PluginName, type Sha256, type Version } from "../../src/kernel/names.ts";
import { activate } from "../../src/store/activate.ts";
import type { InstalledEntry } from "../../src/store/entry-json.ts";
import { currentVersion } from "../../src/store/installed.ts";
import { stagingPath, withStaging } from "../../src/store/staging.ts";
import { withPluginLock } from "../../src/store/store-lock.ts";
import type { VerifiedTree } from "../../src/trust/proof.ts";
import { treeDigestV2 } from "../../src/trust/tree-digest.ts";
import { FakeClock } from "../fakes/clock.ts";
import { FakeRandom } from "../fakes/random.ts";

export function pluginName(text: string): PluginName {
  const name = asPluginName(text);
  if (name === undefined) throw new Error(`${text} is not a plugin name`);
  return name;
}

function versionOf(text: string): Version {
  const version = asVersion(text);
  if (version === undefined) throw new Error(`${text} is not a version`);
  return version;
}

export const NOTES = pluginName("notes");
export const V1 = versionOf("1.0.0");
export const V2 = versionOf("1.1.0");

export function entryOf(version: Version, content: string, digest: Sha256 | undefined): InstalledEntry {
  return {
    version,
    sha256: sha256(content),
    h1: undefined,
    treeDigestV2: digest,
    pluginApi: 2,
    minCoreVersion: undefined,
    verifiedAt: "2026-01-02T03:04:05.000Z",
    pinned: false,
    others: {},
  };
}

export function sha256(text: string): Sha256 {
  return createHash("sha256").update(text).digest("hex") as Sha256;
}

export class StoreLab {
  readonly ports = { clock: new FakeClock(), random: new FakeRandom() };
  readonly home: Home;

  constructor(root = mkdtempSync(join(tmpdir(), "fermix store é "))) {
    this.home = homeAt(root);
  }

  [Symbol.dispose](): void {
    rmSync(this.home.root, { recursive: true, force: true });
  }

  /** Puts a version in place as install does; `content` makes its one file, and its evidence when that is wanted. */
  async put(version: Version, content: string, options: { evidence?: boolean; name?: PluginName } = {}): Promise<void> {
    const { ports, home } = this;
    const name = options.name ?? NOTES;
    await withPluginLock(ports, home, name, async () => {
      await withStaging(ports, home, name, version, async (dir) => {
        const root = join(dir, "tree");
        write(join(root, "plugin.json"), content);
        const evidence = options.evidence === true ? join(dir, "evidence") : undefined;
        if (evidence !== undefined) write(join(evidence, "artifact.tgz"), content);
        const entry = entryOf(version, content, await treeDigestV2(root));
        await activate(ports, home, { name, tree: { root } as VerifiedTree, entry, evidence });
      });
    });
  }

  async live(name = NOTES): Promise<string | undefined> {
    return await currentVersion(this.home, name);
  }

  /** What the live version's file says. */
  liveContent(name = NOTES): string {
    return readFileSync(join(this.home.pluginDir(name), "current", "plugin.json"), "utf8");
  }

  debrisPath(name = NOTES): string {
    return stagingPath(this.ports, this.home, name, "trash");
  }
}

export function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
