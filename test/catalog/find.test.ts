/** Finding what to install: names with suggestions, versions with yanks, builds for this machine. */
import { describe, expect, test } from "bun:test";
import { chooseVersion, findEntry, hostTarget, pickArtifact } from "../../src/catalog/find.ts";
import { readIndex } from "../../src/catalog/read-index.ts";
import { expectRefusal } from "../expect.ts";
import { artifactOf, indexOf } from "../forge/catalog.ts";

const versions = ["1.0.0", "1.1.0", "1.2.0"].map((version) => ({
  version,
  artifacts: [artifactOf({ target: "macos-aarch64" }), artifactOf({ target: "linux-x86_64" })],
}));
const { entries } = readIndex(
  indexOf([
    { name: "obsidian", latest: "1.1.0", yanked: ["1.2.0"], versions },
    { name: "gone", latest: null, yanked: ["1.0.0", "1.1.0", "1.2.0"], versions },
    { name: "stale", latest: "1.2.0", yanked: ["1.2.0"], versions },
    { name: "github", latest: "1.0.0", versions: [{ version: "1.0.0", artifacts: [artifactOf()] }] },
    { name: "computer_use_sidecar" },
    { name: "x" },
  ]),
);
const catalog = { generatedAt: "", entries, publishers: new Map() };
const obsidian = findEntry(catalog, "obsidian");

describe("a name", () => {
  test("that is there is found", () => {
    expect(String(obsidian.name)).toBe("obsidian");
  });

  test("that is near one gets it suggested; one that is far or tiny gets none", async () => {
    for (const [plugin, suggestion] of [
      ["obsidain", "obsidian"],
      ["Github", "github"],
      ["githb", "github"],
      ["obsidia", "obsidian"],
    ] as const) {
      await expectRefusal(() => findEntry(catalog, plugin), "not_in_catalog", { plugin, suggestion });
    }
    for (const plugin of ["dropbox", "y", "", "obsi", "../../x", "a".repeat(10_000)]) {
      await expectRefusal(() => findEntry(catalog, plugin), "not_in_catalog", { plugin });
    }
  });
});

describe("a version", () => {
  test("is the latest unless one is asked for", () => {
    expect(String(chooseVersion(obsidian, undefined).version)).toBe("1.1.0");
    expect(String(chooseVersion(obsidian, "1.0.0").version)).toBe("1.0.0");
  });

  test("that is not listed is refused with those that can be installed", async () => {
    for (const version of ["2.0.0", "1.0", "latest", "../1.0.0"]) {
      await expectRefusal(() => chooseVersion(obsidian, version), "version_not_found", {
        plugin: "obsidian",
        version,
        available: ["1.0.0", "1.1.0"],
      });
    }
  });

  test("CAT-5/no-new-install CAT-5/no-upgrade: that was yanked is refused, asked for or latest", async () => {
    await expectRefusal(() => chooseVersion(obsidian, "1.2.0"), "yanked", {
      plugin: "obsidian",
      version: "1.2.0",
      latest: "1.1.0",
    });
    await expectRefusal(() => chooseVersion(findEntry(catalog, "stale"), undefined), "yanked", {
      plugin: "stale",
      version: "1.2.0",
    });
    await expectRefusal(() => chooseVersion(findEntry(catalog, "gone"), "1.0.0"), "yanked", {
      plugin: "gone",
      version: "1.0.0",
    });
    await expectRefusal(() => chooseVersion(findEntry(catalog, "gone"), undefined), "yanked", {
      plugin: "gone",
      version: "1.2.0",
    });
  });

  test("of a card does not exist: there is nothing to install", async () => {
    const card = findEntry(catalog, "computer_use_sidecar");
    await expectRefusal(() => chooseVersion(card, undefined), "not_installable", { plugin: "computer_use_sidecar" });
    await expectRefusal(() => chooseVersion(card, "1.0.0"), "not_installable", { plugin: "computer_use_sidecar" });
  });
});

describe("a build", () => {
  const version = chooseVersion(obsidian, undefined);

  test("is the first for this machine or for any", () => {
    expect(pickArtifact(obsidian, version, "linux-x86_64").target).toBe("linux-x86_64");
    const github = findEntry(catalog, "github");
    expect(pickArtifact(github, chooseVersion(github, undefined), "plan9-mips").target).toBe("any");
  });

  test("that is missing for this machine is refused with those that exist", async () => {
    await expectRefusal(() => pickArtifact(obsidian, version, "linux-aarch64"), "no_build_for_target", {
      plugin: "obsidian",
      version: "1.1.0",
      target: "linux-aarch64",
      available: ["macos-aarch64", "linux-x86_64"],
    });
  });

  test("target names this machine in the ecosystem's words", () => {
    expect(["macos-aarch64", "macos-x86_64", "linux-aarch64", "linux-x86_64"]).toContain(hostTarget());
  });
});
