/** Where cosign is looked for, what doctor says of it, and how each system gets it. */
import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { codes } from "../../src/kernel/codes.ts";
import { systemProcesses } from "../../src/system/processes.ts";
import { cosignPlaces, describeCosign, installHint, locateCosign, requireCosign } from "../../src/trust/cosign.ts";
import { expectRefusal } from "../expect.ts";
import { FakeProcesses } from "../fakes/processes.ts";
import { environment, realCosign, withFolder } from "./stages.ts";

function program(path: string, mode = 0o755): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "#!/bin/sh\nexit 1\n");
  chmodSync(path, mode);
  return path;
}

describe("cosign is found", () => {
  test("in PATH first, then in the usual places, each folder once", () => {
    const env = environment({ path: ["/opt/own/bin", "/usr/bin"], userHome: "/home/ann" });
    expect(cosignPlaces(env)).toEqual([
      ...["/opt/own/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin", "/home/linuxbrew/.linuxbrew/bin"],
      ...["/home/ann/.local/bin", "/home/ann/.local/share/fermix/bin", "/home/ann/.local/share/fermix/cosign/usr/bin"],
    ]);
  });

  for (const place of [".local/bin", ".local/share/fermix/bin", ".local/share/fermix/cosign/usr/bin"]) {
    test(`outside PATH, in ~/${place} (INS-3/found-outside-path)`, () =>
      withFolder(async (home) => {
        const path = program(join(home, place, "cosign"));
        const env = environment({ path: [], userHome: home });
        const own = cosignPlaces(env).filter((folder) => folder.startsWith(home));
        expect(locateCosign(env, own)?.path).toBe(path);
      }));
  }

  test("through a link, as package managers install it, and not where it is no program", () =>
    withFolder(async (home) => {
      mkdirSync(join(home, "folder/cosign"), { recursive: true });
      program(join(home, "text/cosign"), 0o644);
      mkdirSync(join(home, "dangling"));
      symlinkSync("nowhere", join(home, "dangling/cosign"));
      mkdirSync(join(home, "link"));
      symlinkSync(program(join(home, "real/cosign-2")), join(home, "link/cosign"));
      const places = ["nothing", "folder", "text", "dangling", "link"].map((name) => join(home, name));
      expect(locateCosign(environment(), places)).toMatchObject({ path: join(home, "link/cosign"), bytes: 17 });
    }));
});

test("a missing cosign says where it was looked for and how to get it (INS-3/missing-cosign-hint)", async () => {
  const details = await expectRefusal(() => requireCosign(environment(), ["/a", "/b"]), "cosign_missing");
  expect(details.lookedIn).toEqual(["/a", "/b"]);
  expect(codes.cosign_missing.says(details)).toStartWith("cosign not found.");
  expect(codes.cosign_missing.fix(details)).toBe(details.install);
  expect(details.install).toContain("cosign");
});

describe("the install command is this system's (INS-13/hint-for-system)", () => {
  const BY_HAND =
    "download cosign from https://github.com/sigstore/cosign/releases, check it, and put it in ~/.local/bin";
  for (const [osRelease, hint] of [
    ['ID=debian\nVERSION_ID="13"\n', "run `sudo apt install cosign`"],
    ["ID=debian\nVERSION_CODENAME=sid\n", "run `sudo apt install cosign`"],
    [
      'NAME="Debian"\nID=debian\nVERSION_ID="12"\n',
      `this release has no cosign package: run \`npm run setup\` in Fermix's folder, or ${BY_HAND}`,
    ],
    ['ID=ubuntu\nID_LIKE=debian\nVERSION_ID="24.04"\n', `this release has no cosign package: ${BY_HAND}`],
    ['ID=ubuntu\nID_LIKE=debian\nVERSION_ID="26.04"\n', "run `sudo apt install cosign`"],
    ["ID=fedora\nVERSION_ID=42\n", "run `sudo dnf install cosign`"],
    ['ID="rocky"\nID_LIKE="rhel centos fedora"\n', "run `sudo dnf install cosign`"],
    ["ID=arch\n", "run `sudo pacman -S cosign`"],
    ["ID=manjaro\nID_LIKE=arch\n", "run `sudo pacman -S cosign`"],
    ["ID=alpine\nVERSION_ID=3.22.1\n", "run `sudo apk add cosign`"],
    ['ID="opensuse-tumbleweed"\nID_LIKE="opensuse suse"\n', "run `sudo zypper install cosign`"],
    ["ID=nixos\n", "run `nix-env -iA nixos.cosign`"],
    ["ID=plan9\n", BY_HAND],
    ["\u0000garbage=;", BY_HAND],
    ["ID=constructor\n", BY_HAND],
    [undefined, BY_HAND],
  ] as const) {
    test(JSON.stringify(osRelease ?? "no os-release"), () => {
      expect(installHint({ platform: "linux", osRelease })).toBe(hint);
    });
  }

  test("macOS and Windows", () => {
    expect(installHint({ platform: "darwin", osRelease: undefined })).toBe("run `brew install cosign`");
    expect(installHint({ platform: "win32", osRelease: undefined })).toBe("run `winget install sigstore.cosign`");
  });
});

describe("doctor's word on cosign", () => {
  test("the real one: its path and a generation that reads bundles", async () => {
    const report = await describeCosign({ processes: systemProcesses() }, environment());
    expect(report).toMatchObject({ found: true, path: realCosign() });
    expect(["2", "3"]).toContain(report.found ? report.generation : "missing");
  });

  for (const [help, printed, generation, version] of [
    ["--new-bundle-format --trusted-root", "GitVersion:    v2.5.0\nGitCommit: x", "2", "2.5.0"],
    ["--trusted-root", "GitVersion:    devel", "3", undefined],
    ["--certificate", "GitVersion: 1.13.1", "too_old", "1.13.1"],
  ] as const) {
    test(`help ${help} and ${printed.split("\n")[0]}`, () =>
      withFolder(async (home) => {
        const path = program(join(home, "bin/cosign"));
        const processes = new FakeProcesses().allowRun(path, ({ args }) => ({
          stdout: args.includes("--help") ? help : printed,
        }));
        const report = await describeCosign({ processes }, environment({ path: [join(home, "bin")] }));
        expect(report).toEqual({ found: true, path, generation, version });
      }));
  }
});
