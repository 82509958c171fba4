import { describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FermixCode } from "../../src/kernel/codes.ts";
import { loadPlugins } from "../../src/plugins/load.ts";
import { withPluginLock } from "../../src/store/store-lock.ts";
import { expectRefusal } from "../expect.ts";
import { entry, file, tarball } from "../forge/tar.ts";
import { InstallLab, type Release } from "./install-lab.ts";
import { hostedManifest, httpTool, localManifest, noteManifest, TRIO, write } from "./lab.ts";

/** A lab in which notes 1.0.0 is live and the given release is the catalog's latest; `change` may spoil the machine. */
interface Refusal {
  readonly title: string;
  readonly code: FermixCode;
  readonly release: (lab: InstallLab) => Release;
  readonly change?: (lab: InstallLab) => void;
}

const manifestFile = (more: Record<string, unknown> = {}) =>
  file("plugin.json", JSON.stringify(noteManifest("notes", { version: "1.1.0", ...more })));
const good = tarball(manifestFile());
const flipped = (bytes: Uint8Array): Uint8Array => {
  const copy = Uint8Array.from(bytes);
  const middle = copy.length >> 1;
  copy[middle] = (copy[middle] ?? 0) ^ 1;
  return copy;
};

const REFUSALS: readonly Refusal[] = [
  {
    title: "INS-1/mismatch-refused INS-1/nothing-left CASE-1: a swapped tarball",
    code: "artifact_digest_mismatch",
    release: () => ({ archive: good, served: flipped(good) }),
  },
  {
    title: "a package that is not there",
    code: "artifact_unavailable",
    release: () => ({ listed: { artifacts: [] } }),
    change: (lab) =>
      lab.publish("notes", {
        version: "1.1.0",
        listed: {
          artifacts: [
            {
              target: "any",
              url: "embedded:artifacts/nothing.tar.gz",
              sha256: "0".repeat(64),
              sig_url: "embedded:artifacts/nothing.tar.gz.sig",
              publisher: { kind: "key", key_id: lab.publisher.keyId },
            },
          ],
        },
      }),
  },
  {
    title: "INS-2/signature-required CASE-1: a package without its signature",
    code: "signature_missing",
    release: () => ({ signature: undefined }),
  },
  {
    title: "CASE-1: a signature over other bytes",
    code: "signature_invalid",
    release: (lab) => ({ signature: lab.publisher.sign(Buffer.from("other bytes")) }),
  },
  {
    title: "INS-2/wrong-signer-differs CASE-1: a valid signature of another publisher",
    code: "publisher_mismatch",
    release: (lab) => ({ signer: lab.otherPublisher }),
    change: (lab) => lab.publish("slack", { publisher: lab.otherPublisher }),
  },
  {
    title: "INS-3/missing-cosign-hint CASE-1: no cosign on this machine",
    code: "cosign_missing",
    release: () => ({}),
    change: (lab) => rmSync(lab.cosign),
  },
  {
    title: "INS-12/yes-sayer-refused: a cosign that says yes to everything",
    code: "cosign_untrusted",
    release: () => ({}),
    change: (lab) => {
      writeFileSync(lab.cosign, "another program, so that its self-test is not remembered");
      lab.processes.allowRun(lab.cosign, () => ({ exitCode: 0 }));
    },
  },
  {
    title: "INS-6/links: an archive with a link",
    code: "archive_unsafe",
    release: () => ({
      archive: tarball(manifestFile(), entry({ name: "skills/x", type: "2", linkname: "/etc/passwd" })),
    }),
  },
  {
    title: "INS-6/traversal: an archive that climbs out",
    code: "archive_unsafe",
    release: () => ({ archive: tarball(manifestFile(), file("../../../escaped", "x")) }),
  },
  {
    title: "an archive without a manifest",
    code: "archive_unsafe",
    release: () => ({ archive: tarball(file("README.md", "x")) }),
  },
  { title: "an empty archive", code: "archive_unsafe", release: () => ({ archive: Buffer.alloc(0) }) },
  {
    title: "an archive that breaks off",
    code: "archive_unsafe",
    release: () => ({ archive: good.subarray(0, good.length - 20) }),
  },
  {
    title: "the package of another plugin",
    code: "package_mismatch",
    release: () => ({ whole: noteManifest("other", { version: "1.1.0" }) }),
  },
  {
    title: "the package of another version",
    code: "package_mismatch",
    release: () => ({ whole: noteManifest("notes", { version: "6.6.6" }) }),
  },
  {
    title: "INS-4/same-code: a manifest that the loader refuses",
    code: "manifest_invalid",
    release: () => ({ manifest: { tools: [httpTool("other_look")] } }),
  },
  {
    title: "a manifest that is no JSON",
    code: "manifest_invalid",
    release: () => ({ archive: tarball(file("plugin.json", "{")) }),
  },
  {
    title: "CAT-6/at-install CAT-6/plugin-api: a plugin_api from the future, in the catalog",
    code: "incompatible",
    release: () => ({ listed: { plugin_api: 4 } }),
  },
  {
    title: "CAT-6/at-install CAT-6/min-core-version: a version for a newer Fermix, in the catalog",
    code: "incompatible",
    release: () => ({ listed: { min_core_version: "99.0.0" } }),
  },
  {
    title: "CAT-6/at-install: a version for a newer Fermix, known only to its manifest",
    code: "incompatible",
    release: () => ({ manifest: { min_core_version: "99.0.0" } }),
  },
  {
    title: "CAT-5/no-new-install: a yanked version",
    code: "yanked",
    release: () => ({}),
    change: (lab) => lab.yank("notes", "1.1.0"),
  },
  {
    title: "no build for this machine",
    code: "no_build_for_target",
    release: (lab) => ({
      listed: {
        artifacts: [
          {
            target: "amiga-m68k",
            url: "embedded:artifacts/x",
            sha256: "0".repeat(64),
            sig_url: "embedded:artifacts/x.sig",
            publisher: { kind: "key", key_id: lab.publisher.keyId },
          },
        ],
      },
    }),
  },
  {
    title: "an entry that its kind may not have",
    code: "content_not_allowed",
    release: () => ({ files: { Makefile: "all:" } }),
  },
  {
    title: "INS-7/no-code: a hosted plugin with code",
    code: "content_not_allowed",
    release: () => ({ whole: { ...hostedManifest("notes"), version: "1.1.0" }, files: { "src/index.js": "" } }),
  },
  {
    title: "a local server whose runtime is not there",
    code: "missing_host_runtime",
    release: () => ({ whole: { ...localManifest("notes"), version: "1.1.0" }, files: { "src/index.js": "" } }),
  },
  {
    title: "BUN-5/never-two-owners: a skill whose name another plugin owns",
    code: "name_taken",
    release: () => ({ manifest: { skills: [{ name: "gmail", path: "skills/a.md" }] }, files: { "skills/a.md": "" } }),
  },
  {
    title: "a config that can't be read",
    code: "config_invalid",
    release: () => ({}),
    change: (lab) => write(lab.home.configFile, "[fermix_core\n"),
  },
  {
    title: "INS-10/corrupt-record: a damaged record",
    code: "installed_record_corrupt",
    release: () => ({}),
    change: (lab) => write(lab.home.plugins.record, '{"notes": '),
  },
  {
    title: "INS-10/corrupt-lock: a damaged lock",
    code: "lock_corrupt",
    release: () => ({}),
    change: (lab) => write(join(lab.home.plugins.root, ".lock-notes"), "garbage"),
  },
];

describe("a refusal leaves the old version live and the disk as it was", () => {
  for (const { title, code, release, change } of REFUSALS) {
    test(`${title}: ${code}`, async () => {
      using lab = new InstallLab();
      lab.bundled = TRIO;
      lab.publish("notes", { files: { "skills/a.md": "old" } });
      await lab.install("notes");
      lab.publish("notes", { version: "1.1.0", ...release(lab) });
      change?.(lab);
      const before = lab.disk();
      await expectRefusal(lab.install("notes"), code);
      expect(lab.disk()).toEqual(before);
      expect(await lab.live("notes")).toBe("1.0.0");
      expect(lab.liveFile("notes", "skills/a.md")).toBe("old");
    });

    test(`${title}: a dry run refuses alike`, async () => {
      using lab = new InstallLab();
      lab.bundled = TRIO;
      lab.publish("notes", { version: "1.1.0", ...release(lab) });
      change?.(lab);
      mkdirSync(lab.home.plugins.root, { recursive: true });
      const before = lab.disk();
      await expectRefusal(lab.install("notes", { dryRun: true }), code);
      expect(lab.disk()).toEqual(before);
    });
  }
});

describe("names", () => {
  for (const name of ["../../x", "/etc", "a/b", "..", ".", "", "Notes", "no tes", "mcp_x", "notes\n", "a".repeat(65)]) {
    test(`CASE-10: ${JSON.stringify(name)} is a usage error and touches nothing`, async () => {
      using lab = new InstallLab();
      lab.publish("notes");
      await expectRefusal(lab.install(name), "usage");
      expect(lab.disk()).toEqual({});
    });
  }

  test("one that the catalog does not have is named with the nearest", async () => {
    using lab = new InstallLab();
    lab.publish("notes");
    await expectRefusal(lab.install("nots"), "not_in_catalog", { plugin: "nots", suggestion: "notes" });
    await expectRefusal(lab.install("notes", { version: "../1.0.0" }), "usage");
    expect(lab.disk()).toEqual({});
  });

  test("a bundled plugin is there already", async () => {
    using lab = new InstallLab();
    lab.bundled = TRIO;
    lab.publish("gmail");
    await expectRefusal(lab.install("gmail"), "bundled_plugin", { plugin: "gmail", verb: "install" });
    expect(lab.disk()).toEqual({});
  });
});

test("CAT-2/tampered-refuses-install: a catalog that does not verify installs nothing and says so", async () => {
  using lab = new InstallLab();
  lab.publish("notes");
  const app = lab.app();
  const read = app.ports.embedded.read.bind(app.ports.embedded);
  const embedded = {
    ...app.ports.embedded,
    read: (name: string) =>
      name === "index.json" ? Buffer.concat([read(name) ?? Buffer.alloc(0), Buffer.from(" ")]) : read(name),
  };
  const { installPlugin } = await import("../../src/plugins/install.ts");
  await expectRefusal(
    installPlugin({ ...app, ports: { ...app.ports, embedded } }, { name: "notes" }),
    "catalog_untrusted",
  );
  expect(lab.disk()).toEqual({});
});

test("BUN-5/never-two-owners: a plugin of dev_local keeps its name, and everything else keeps loading", async () => {
  using lab = new InstallLab();
  lab.publish("notes");
  const author = join(lab.folder, "author");
  write(join(author, "notes", "plugin.json"), JSON.stringify(noteManifest("notes")));
  write(lab.home.configFile, `[fermix_core.plugins]\ndev_local = ${JSON.stringify(author)}\n`);
  const before = lab.disk();
  await expectRefusal(lab.install("notes"), "name_taken", {
    plugin: "notes",
    kind: "plugin",
    name: "notes",
    owners: ["notes (dev_local)"],
  });
  expect(lab.disk()).toEqual(before);
  expect((await loadPlugins(lab.app())).plugins.map(({ origin }) => origin)).toEqual(["dev_local"]);
});

test("INS-9/two-processes: a second install of the plugin waits, then gets a named busy error", async () => {
  using lab = new InstallLab();
  lab.publish("notes");
  const app = lab.app();
  await withPluginLock(app.ports, lab.home, "notes" as never, async () => {
    const before = lab.disk();
    const second = expectRefusal(lab.install("notes"), "plugin_busy", { plugin: "notes" });
    let ended = false;
    const watched = second.finally(() => {
      ended = true;
    });
    while (!ended) await lab.clock.advance(100);
    await watched;
    expect(lab.disk()).toEqual(before);
  });
  expect(lab.clock.slept.filter((ms) => ms === 100).length).toBe(49);
  expect(lab.processes.ran).toEqual([]);
});

test("a cancelled install leaves nothing", async () => {
  using lab = new InstallLab();
  lab.publish("notes", { files: { "skills/a.md": "x".repeat(100_000) } });
  const abort = new AbortController();
  const onProgress = () => abort.abort(new Error("cancelled by the test"));
  await expect(lab.install("notes", { signal: abort.signal, onProgress })).rejects.toThrow("cancelled by the test");
  expect(lab.disk()).toEqual({});
});
