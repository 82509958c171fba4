/** The set-up on machines that cannot bring cosign: it says exactly what is missing and what to run. */
import { describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkNode } from "../../scripts/setup/bun.mjs";
import { run } from "../../scripts/setup/shell.mjs";
import { ROOT } from "../lab/binary.ts";

const node = Bun.which("node") ?? "node";

/** Runs only the cosign step on a described machine: an os-release file, an empty PATH, an empty home. */
function setUpOn(osRelease: string): { code: number; said: string; home: string[] } {
  const folder = mkdtempSync(join(tmpdir(), "fermix-setup-"));
  try {
    const file = join(folder, "os-release");
    writeFileSync(file, osRelease);
    const home = join(folder, "home");
    const { exitCode, stderr } = Bun.spawnSync(
      [node, join(ROOT, "scripts/setup.mjs"), "--only-cosign", "--no-usual-places", "--os-release", file],
      { env: { PATH: "", HOME: home }, stderr: "pipe", stdout: "pipe" },
    );
    return {
      code: exitCode,
      said: stderr.toString(),
      home: readdirSync(folder).filter((name) => name !== "os-release"),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe("set-up without cosign", () => {
  const cases: readonly (readonly [string, string, string])[] = [
    [
      "an unknown system",
      'ID=plan9\nPRETTY_NAME="Plan 9"\n',
      "setup: cosign is missing on Plan 9: Fermix proves plugins with it\nfix: install cosign with this system's package manager (package name: cosign), then run the command again\n",
    ],
    [
      "no os-release fields at all",
      "",
      "setup: cosign is missing: Fermix proves plugins with it\nfix: install cosign with this system's package manager (package name: cosign), then run the command again\n",
    ],
    [
      "Fedora",
      'ID=fedora\nPRETTY_NAME="Fedora 44"\n',
      "setup: cosign is missing on Fedora 44: Fermix proves plugins with it\nfix: sudo dnf install cosign\n",
    ],
    [
      "a derivative of Arch",
      "ID=manjaro\nID_LIKE=arch\nPRETTY_NAME=Manjaro\n",
      "setup: cosign is missing on Manjaro: Fermix proves plugins with it\nfix: sudo pacman -S cosign\n",
    ],
    [
      "Debian with nothing on PATH",
      "ID=debian\n",
      "setup: cosign is missing, and what would bring it is not on PATH: apt-get, dpkg-deb\nfix: sudo apt-get install cosign\n",
    ],
  ];
  test.each(cases)("%s is told what is missing and what to run, and nothing is written", (_, osRelease, said) => {
    expect(setUpOn(osRelease)).toEqual({ code: 1, said, home: [] });
  });
});

describe("the Node that runs the set-up", () => {
  test("Node 20 is enough", () => expect(checkNode("20.0.0")).toBeUndefined());
  test("Node 19 is refused with the version found", () => {
    expect(() => checkNode("19.9.0")).toThrow("Fermix needs Node 20 or newer; this is Node 19.9.0");
  });
});

describe("a program that fails in the set-up", () => {
  const failing = (lines: number) => () => run("sh", ["-c", `seq ${lines} >&2; exit 1`], { fix: "mend it" });
  test("is quoted whole when it says little", () => expect(failing(9)).toThrow(/failed:\n1\n2\n3\n4\n5\n6\n7\n8\n9$/));
  test("is quoted with its first lines and its last ones, either of which may hold the reason", () => {
    expect(failing(10)).toThrow(/failed:\n1\n2\n3\n4\n\[\.\.\.\]\n6\n7\n8\n9\n10$/);
  });
});
