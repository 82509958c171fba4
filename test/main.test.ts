/** The process itself: version, output through pipes, exit status, and what it drops from its environment. */
import { describe, expect, test } from "bun:test";
import { closeSync, constants, createReadStream, existsSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import packageJson from "../package.json";

const MAIN = join(import.meta.dirname, "../src/main.ts");
const WRITE_ANSWER = join(import.meta.dirname, "../src/cli/write-answer.ts");
const RENDER = join(import.meta.dirname, "../src/cli/render.ts");

function sh(script: string, env: Record<string, string> = {}) {
  const run = Bun.spawnSync({
    cmd: ["sh", "-c", script],
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: "/nonexistent",
      // Else Bun keeps what it compiled in HOME, and without one in the folder it runs in.
      BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0",
      BUN: process.execPath,
      MAIN,
      RENDER,
      ...env,
    },
  });
  return { exit: run.exitCode, stdout: run.stdout.toString(), stderr: run.stderr.toString() };
}

class TempFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), "fermix-main-"));

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true });
  }
}

describe("--version", () => {
  test("prints version, catalog date and Bun's version, and exits 0", () => {
    const { exit, stdout, stderr } = sh('"$BUN" "$MAIN" --version');
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    const [, version, date, bun] = /^fermix (\S+) \(catalog (\S+), bun (\S+)\)\n$/.exec(stdout) ?? [];
    expect({ version, bun }).toEqual({ version: packageJson.version, bun: Bun.version });
    expect(date).toMatch(/^\d{4}-\d\d-\d\dT/);
  });

  test("as JSON, and by its short name", () => {
    expect(Object.keys(JSON.parse(sh('"$BUN" "$MAIN" --version --json').stdout))).toEqual([
      "version",
      "catalog",
      "bun",
    ]);
    expect(sh('"$BUN" "$MAIN" -V').stdout).toBe(sh('"$BUN" "$MAIN" --version').stdout);
  });

  test("the flags of every verb may stand beside it, in any order", () => {
    const [text, json] = [sh('"$BUN" "$MAIN" --version'), sh('"$BUN" "$MAIN" --version --json')];
    expect(sh('"$BUN" "$MAIN" --no-color --version')).toEqual(text);
    expect(sh('"$BUN" "$MAIN" --json -V --no-color')).toEqual(json);
  });

  test("with anything else beside it is a usage error that says so", () => {
    const said = (command: string) =>
      `${command}: \`--version\` goes with nothing but --json.\nfix: did you mean \`fermix --version\`?\n`;
    expect(sh('"$BUN" "$MAIN" --version now')).toEqual({ exit: 2, stdout: "", stderr: said("fermix") });
    expect(sh('"$BUN" "$MAIN" plugins list --version').stderr).toBe(said("fermix plugins list"));
  });
});

describe("pipes", () => {
  test("one that is closed early ends the process quietly", () => {
    expect(sh('"$BUN" "$MAIN" --help | head -1')).toEqual({
      exit: 0,
      stdout: "Fermix: the trusted plugin host for AI agents\n",
      stderr: "",
    });
    expect(sh('"$BUN" "$MAIN" --help | true')).toEqual({ exit: 0, stdout: "", stderr: "" });
  });

  test("a slow one gets the whole of a long answer", () => {
    for (const [write, from] of [
      ["print", RENDER],
      ["writeAnswer", WRITE_ANSWER],
    ]) {
      const script = `import { ${write} } from "${from}"; ${write}("x".repeat(3_000_000)); process.exitCode = 7;`;
      const { stdout } = sh(`("$BUN" -e '${script}'; echo "exit $?") | (cat "$BUN" >/dev/null; wc -c)`);
      expect(stdout.trim()).toBe(String(3_000_001 + "exit 7\n".length));
    }
  });

  test("one that others made non-blocking gets the whole of a long answer too", async () => {
    using folder = new TempFolder();
    const pipe = join(folder.path, "pipe");
    expect(Bun.spawnSync(["mkfifo", pipe]).exitCode).toBe(0);
    const end = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    const script = `import { writeAnswer } from "${WRITE_ANSWER}"; writeAnswer("x".repeat(3_000_000));`;
    const child = Bun.spawn([process.execPath, "-e", script], { stdout: end, stderr: "inherit" });
    let size = 0;
    for await (const chunk of createReadStream(pipe)) {
      size += (chunk as Buffer).length;
      if (size >= 3_000_001) break;
    }
    expect({ size, exit: await child.exited }).toEqual({ size: 3_000_001, exit: 0 });
    closeSync(end);
  });
});

describe.skipIf(!existsSync("/dev/full"))("a stdout that takes nothing", () => {
  const full = `standard output: "there is no space left".`;

  test("fails the command, which says so on stderr, also with --json", () => {
    for (const words of ["--help", "--help --json"]) {
      const { exit, stderr } = sh(`"$BUN" "$MAIN" ${words} >/dev/full`);
      expect({ exit, first: stderr.split("\n")[0] }).toEqual({
        exit: 1,
        first: `fermix: The answer could not be written to ${full}`,
      });
    }
  });

  test("does not hide why a command failed", () => {
    const { exit, stderr } = sh('"$BUN" "$MAIN" plugns --json >/dev/full');
    expect({ exit, stderr }).toEqual({
      exit: 2,
      stderr: "fermix: There is no command `fermix plugns`.\nfix: did you mean `fermix plugins`?\n",
    });
  });
});

test("a usage error is on stderr, prefixed with the command, and exits 2 without a home", () => {
  expect(sh('"$BUN" "$MAIN" plugns', { HOME: "" })).toEqual({
    exit: 2,
    stdout: "",
    stderr: "fermix: There is no command `fermix plugns`.\nfix: did you mean `fermix plugins`?\n",
  });
});
