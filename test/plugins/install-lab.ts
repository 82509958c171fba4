/** A home, a binary whose catalog holds what the test published, and an app that installs from it: real bytes, real signatures. */
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSigner, type Signer } from "../../scripts/catalog/sign.ts";
import { homeAt } from "../../src/files/home.ts";
import type { EmbeddedFiles } from "../../src/kernel/ports.ts";
import type { App } from "../../src/plugins/app.ts";
import { type InstallOptions, type InstallOutcome, installPlugin } from "../../src/plugins/install.ts";
import { currentVersion } from "../../src/store/installed.ts";
import { snapshotTree } from "../expect.ts";

import { fakeCosign } from "../fakes/cosign.ts";
import { embeddedOf } from "../fakes/embedded.ts";
import { FakeLog } from "../fakes/log.ts";
import { ManualClock } from "../fakes/manual-clock.ts";
import { FakeProcesses } from "../fakes/processes.ts";
import { FakeRandom } from "../fakes/random.ts";
import { refusing } from "../fakes/refusing.ts";
import { FakeTerminal } from "../fakes/terminal.ts";
import { indexOf, signedIndex } from "../forge/catalog.ts";
import { file, tarball } from "../forge/tar.ts";
import { type Json, noteManifest } from "./lab.ts";

export interface Release {
  readonly version?: string;
  /** Members of plugin.json to replace. */
  readonly manifest?: Json;
  /** A whole manifest in the place of a note plugin's. */
  readonly whole?: Json;
  readonly files?: Readonly<Record<string, string>>;
  /** The raw archive, when it is not one of a manifest and files. */
  readonly archive?: Uint8Array;
  /** The archive that is served, when it is not the one that was signed and listed. */
  readonly served?: Uint8Array;
  /** Who signs; the lab's publisher by default. */
  readonly signer?: Signer;
  /** Who the catalog says must sign; the lab's publisher by default. */
  readonly publisher?: Signer;
  /** The signature file's content, when it is not the signer's. */
  readonly signature?: string | undefined;
  /** Members of the catalog's version entry to replace. */
  readonly listed?: Json;
}

interface Published {
  latest: string;
  yanked: string[];
  readonly versions: Map<string, Json>;
}

export class InstallLab implements Disposable {
  readonly folder: string;
  readonly home;
  readonly publisher = openSigner(undefined);
  readonly otherPublisher = openSigner(undefined);
  readonly processes = new FakeProcesses();
  readonly clock = new ManualClock();
  readonly random = new FakeRandom();
  readonly terminal = new FakeTerminal();
  readonly cosign: string;
  bundled: readonly Json[] = [];
  readonly #plugins = new Map<string, Published>();
  readonly #files: Record<string, Uint8Array | string> = {};

  constructor(home = "home with spaces, é and 日本") {
    this.folder = mkdtempSync(join(tmpdir(), "fermix-install-"));
    this.home = homeAt(join(this.folder, home));
    this.cosign = fakeCosign(join(this.folder, "bin"), this.processes);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Lists a release in the catalog and makes its version the latest; the same version again replaces it. */
  publish(name: string, release: Release = {}): void {
    const version = release.version ?? "1.0.0";
    const manifest = release.whole ?? noteManifest(name, { version, ...release.manifest });
    const archive =
      release.archive ??
      tarball(
        file("plugin.json", JSON.stringify(manifest)),
        ...Object.entries(release.files ?? {}).map(([path, text]) => file(path, text)),
      );
    const artifact = `artifacts/${name}-${version}.tar.gz`;
    const signature =
      "signature" in release
        ? release.signature
        : (release.signer ?? release.publisher ?? this.publisher).sign(archive);
    this.#files[artifact] = release.served ?? archive;
    if (signature !== undefined) this.#files[`${artifact}.sig`] = signature;
    const published = this.#plugins.get(name) ?? { latest: version, yanked: [], versions: new Map<string, Json>() };
    published.latest = version;
    published.versions.set(version, {
      version,
      plugin_api: 2,
      min_core_version: "0.9.0",
      artifacts: [
        {
          target: "any",
          url: `embedded:${artifact}`,
          sha256: createHash("sha256").update(archive).digest("hex"),
          sig_url: `embedded:${artifact}.sig`,
          publisher: { kind: "key", key_id: (release.publisher ?? this.publisher).keyId },
        },
      ],
      ...release.listed,
    });
    this.#plugins.set(name, published);
  }

  yank(name: string, version: string): void {
    this.#plugins.get(name)?.yanked.push(version);
  }

  /** The next binary no longer lists the plugin. */
  unlist(name: string): void {
    this.#plugins.delete(name);
  }

  /** A binary with the catalog as published so far: a later `publish` is in the next binary. */
  app(): App {
    return {
      home: this.home,
      env: {
        fermixHome: this.home.root,
        noColor: true,
        path: [join(this.folder, "bin")],
        userHome: join(this.folder, "nobody"),
        get: () => undefined,
      },
      ports: {
        clock: this.clock,
        random: this.random,
        dns: refusing("dns"),
        http: refusing("http"),
        processes: this.processes,
        keychain: refusing("keychain"),
        terminal: this.terminal,
        stdio: refusing("stdio"),
        browser: refusing("browser"),
        loopback: refusing("loopback"),
        embedded: this.embedded(),
        log: new FakeLog(),
      },
    };
  }

  embedded(): EmbeddedFiles {
    return embeddedOf(this.embeddedFiles());
  }

  embeddedFiles(): Record<string, Uint8Array | string> {
    const entries = [...this.#plugins].map(([name, { latest, yanked, versions }]) => ({
      name,
      auth_type: "none",
      rails: ["http"],
      latest,
      yanked,
      versions: [...versions.values()],
    }));
    const trio = this.bundled.map((manifest) => [`bundled/${manifest["name"]}/plugin.json`, JSON.stringify(manifest)]);
    return {
      ...this.#files,
      ...Object.fromEntries(trio),
      ...signedIndex(indexOf(entries), [this.publisher, this.otherPublisher]),
    };
  }

  async install(name: string, options: InstallOptions & { version?: string } = {}): Promise<InstallOutcome> {
    const { version, ...rest } = options;
    return await installPlugin(this.app(), version === undefined ? { name } : { name, version }, rest);
  }

  async live(name: string): Promise<string | undefined> {
    return await currentVersion(this.home, name as Parameters<typeof currentVersion>[1]);
  }

  /** A file of the live version. */
  liveFile(name: string, path: string): string {
    return readFileSync(join(this.home.plugins.installed, name, "current", path), "utf8");
  }

  /** Every file, link and folder with something in it below the home, but for the caches. */
  disk(): Record<string, string> {
    if (!existsSync(this.home.root)) return {};
    const seen = Object.entries(snapshotTree(this.home.root)).filter(([path]) => !path.startsWith("cache/"));
    return Object.fromEntries(seen.filter(([, kind]) => kind !== "folder"));
  }
}
