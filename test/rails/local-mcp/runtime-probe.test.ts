import { afterEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hostTarget } from "../../../src/catalog/find.ts";
import { type Home, homeAt } from "../../../src/files/home.ts";
import type { Processes, RunResult } from "../../../src/kernel/ports.ts";
import type { LocalRuntime } from "../../../src/manifest/manifest.ts";
import { probeRuntime, type RuntimeProbe } from "../../../src/rails/local-mcp/runtime-probe.ts";
import { systemProcesses } from "../../../src/system/processes.ts";
import { snapshotTree } from "../../expect.ts";
import { FakeProcesses } from "../../fakes/processes.ts";
import { environment, localRuntime } from "./laboratory.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "fermix-probe-"));
  folders.push(made);
  return made;
}

/** A folder with programs that are never run: name to mode. */
function programs(modes: Record<string, number>): string {
  const bin = folder();
  for (const [name, mode] of Object.entries(modes)) {
    writeFileSync(join(bin, name), "#!/bin/false\n");
    chmodSync(join(bin, name), mode);
  }
  return bin;
}

const NOTHING = new FakeProcesses();

function probe(
  runtime: Partial<LocalRuntime>,
  {
    path,
    processes = NOTHING,
    home = homeAt("/nonexistent"),
    dir = "/nonexistent",
  }: {
    path: string;
    processes?: Processes;
    home?: Home;
    dir?: string;
  },
): Promise<RuntimeProbe> {
  return probeRuntime({ processes }, environment({ PATH: path }), home, localRuntime(runtime), dir);
}

function printing(command: string, answer: Partial<RunResult>): FakeProcesses {
  return new FakeProcesses().allowRun(command, () => answer);
}

describe("a runtime of the host", () => {
  test("LOC-2/node: this machine's own node is found and asked for its version", async () => {
    const found = await probe({ minVersion: "18" }, { path: process.env["PATH"] ?? "", processes: systemProcesses() });
    expect(found).toMatchObject({ ok: true, version: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
  });

  test("is the first executable on PATH, links followed", async () => {
    const [empty, plain, real, linked] = [folder(), programs({ node: 0o644 }), programs({ node: 0o755 }), folder()];
    symlinkSync(join(real, "node"), join(linked, "node"));
    mkdirSync(join(empty, "node"));
    const path = [empty, plain, linked, real].join(":");
    expect(await probe({}, { path })).toMatchObject({ ok: true, command: join(linked, "node") });
  });

  test("LOC-2/missing-or-old: that is nowhere is missing, with each place named once", async () => {
    const [one, two] = [folder(), programs({ node: 0o644 })];
    expect(await probe({ minVersion: "20.1" }, { path: `${one}:${two}:${one}` })).toEqual({
      ok: false,
      wanted: "node >=20.1",
      lookedIn: [one, two],
    });
    expect(await probe({}, { path: "" })).toEqual({ ok: false, wanted: "node", lookedIn: [] });
  });

  test.each([
    ["node", "LOC-2/node", "v20.11.1", "20.11.1"],
    ["python", "LOC-2/python", "Python 3.12.4", "3.12.4"],
    ["escript", "LOC-2/escript", "Erlang (SMP) emulator version 26.2", "26.2"],
  ] as const)("%s (%s): the first version it prints is its version", async (kind, _clause, stdout, version) => {
    const bin = programs({ [kind]: 0o755 });
    const command = join(bin, kind);
    const processes = printing(command, { stdout: `${stdout} (build 7.7)\n` });
    expect(await probe({ kind, command: kind, minVersion: "1" }, { path: bin, processes })).toEqual({
      ok: true,
      command,
      version,
    });
    expect(processes.ran).toMatchObject([{ command, args: ["--version"], deadlineMs: 5_000 }]);
    expect(Object.keys(processes.ran[0]?.env ?? {})).toEqual(["PATH"]);
  });

  test.each([
    ["20", "v20.0.0", true],
    ["20", "v19.99.99", false],
    ["20.10", "v20.9.9", false],
    ["20.10", "v20.10", true],
    ["v20.10.1", "20.10.0", false],
    ["20.10.1", "20.10.1-nightly", true],
    ["9", "10", true],
    ["3.9", "Python 3.10", true],
  ])("LOC-2/missing-or-old: at least %s is compared by number with %s", async (minVersion, stdout, enough) => {
    const bin = programs({ node: 0o755 });
    const command = join(bin, "node");
    const answer = await probe({ minVersion }, { path: bin, processes: printing(command, { stdout }) });
    expect(answer.ok).toBe(enough);
    if (!answer.ok) expect(answer.found).toBe(`${command} ${/[\d.]+\d|\d+/.exec(stdout)?.[0]}`);
  });

  test.each([
    ["fails", { exitCode: 3, stdout: "v22.0.0" }, "failed on --version (exit code 3)"],
    ["dies", { exitCode: undefined, stdout: "v22.0.0" }, "failed on --version (exit code unknown)"],
    ["prints no version", { stdout: "hello" }, "printed no version"],
    ["hangs", { exitCode: undefined, timedOut: true }, "did not answer --version within 5000 ms"],
  ])("LOC-2/missing-or-old: one that %s is missing and says why", async (_name, answer, reason) => {
    const bin = programs({ node: 0o755 });
    const command = join(bin, "node");
    expect(await probe({ minVersion: "20" }, { path: bin, processes: printing(command, answer) })).toEqual({
      ok: false,
      wanted: "node >=20",
      lookedIn: [bin],
      found: `${command}, which ${reason}`,
    });
  });

  test("is not asked for a version when none is required, or when it is a plain binary", async () => {
    const bin = programs({ tool: 0o755 });
    const command = join(bin, "tool");
    expect(await probe({ command: "tool" }, { path: bin })).toMatchObject({ ok: true, command });
    expect(await probe({ kind: "binary", command: "tool", minVersion: "9" }, { path: bin })).toMatchObject({
      ok: true,
      command,
    });
  });

  test("a min_version that is none is a refusal, not a pass", async () => {
    const bin = programs({ node: 0o755 });
    expect(await probe({ minVersion: "latest" }, { path: bin })).toMatchObject({ ok: false, wanted: "node >=latest" });
  });
});

describe("a vendored runtime", () => {
  test("LOC-2/vendored: is the plugin's own file for this machine, and never one of PATH", async () => {
    const [dir, path] = [folder(), programs({ tool: 0o755 })];
    const place = join(dir, "bin", hostTarget());
    const runtime = { kind: "binary", command: "tool", vendored: true } as const;
    const missing = { ok: false as const, wanted: `the plugin's own tool for ${hostTarget()}`, lookedIn: [place] };
    expect(await probe(runtime, { path, dir })).toEqual(missing);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, "tool"), "", { mode: 0o644 });
    expect(await probe(runtime, { path, dir })).toEqual(missing);
    chmodSync(join(place, "tool"), 0o744);
    expect(await probe(runtime, { path, dir })).toMatchObject({ ok: true, command: join(place, "tool") });
    rmSync(join(place, "tool"));
    mkdirSync(join(place, "tool"));
    expect(await probe(runtime, { path, dir })).toEqual(missing);
  });
});

describe("the cache of versions", () => {
  function setUp(): { home: Home; bin: string; command: string } {
    const home = homeAt(folder());
    const bin = programs({ node: 0o755 });
    return { home, bin, command: join(bin, "node") };
  }

  test("a version that was enough is asked for once", async () => {
    const { home, bin, command } = setUp();
    const processes = printing(command, { stdout: "v22.1.0" });
    const first = await probe({ minVersion: "20" }, { path: bin, processes, home });
    expect(await probe({ minVersion: "22" }, { path: bin, processes, home })).toEqual(first);
    expect(processes.ran).toHaveLength(1);
  });

  test("a program that changed is asked again", async () => {
    const { home, bin, command } = setUp();
    await probe({ minVersion: "20" }, { path: bin, processes: printing(command, { stdout: "v22.1.0" }), home });
    utimesSync(command, new Date(), new Date(Date.UTC(2020, 0, 1)));
    const newer = printing(command, { stdout: "v23.0.0" });
    expect(await probe({ minVersion: "20" }, { path: bin, processes: newer, home })).toMatchObject({
      version: "23.0.0",
    });
    writeFileSync(command, "#!/bin/false longer\n");
    const older = printing(command, { stdout: "v18.0.0" });
    expect(await probe({ minVersion: "20" }, { path: bin, processes: older, home })).toMatchObject({ ok: false });
  });

  test("a refusal is not remembered, and a remembered version that is too old is asked again", async () => {
    const { home, bin, command } = setUp();
    const before = snapshotTree(home.root);
    const old = printing(command, { stdout: "v18.0.0" });
    expect((await probe({ minVersion: "20" }, { path: bin, processes: old, home })).ok).toBe(false);
    expect(snapshotTree(home.root)).toEqual(before);
    await probe({ minVersion: "18" }, { path: bin, processes: old, home });
    const upgraded = printing(command, { stdout: "v20.0.0" });
    expect(await probe({ minVersion: "20" }, { path: bin, processes: upgraded, home })).toMatchObject({ ok: true });
  });

  test.each(["", "{", "[]", '{"x":1}', "null"])("a broken cache (%p) is no cache, and is replaced", async (broken) => {
    const { home, bin, command } = setUp();
    mkdirSync(home.cache);
    writeFileSync(join(home.cache, "runtimes.json"), broken);
    const processes = printing(command, { stdout: "v22.1.0" });
    for (let time = 0; time < 2; time += 1) {
      expect(await probe({ minVersion: "20" }, { path: bin, processes, home })).toMatchObject({ ok: true });
    }
    expect(processes.ran).toHaveLength(1);
  });

  test("64 programs are remembered, and the 65th takes the place of the oldest", async () => {
    const home = homeAt(folder());
    const names = Array.from({ length: 65 }, (_, at) => `node${at}`);
    const bin = programs(Object.fromEntries(names.map((name) => [name, 0o755])));
    const processes = new FakeProcesses();
    for (const name of names) processes.allowRun(join(bin, name), () => ({ stdout: "v22.0.0" }));
    for (const command of names) await probe({ command, minVersion: "20" }, { path: bin, processes, home });
    const kept = Object.keys(JSON.parse(readFileSync(join(home.cache, "runtimes.json"), "utf8")));
    expect(kept).toEqual(names.slice(1).map((name) => join(bin, name)));
  });

  test("a home that does not exist is not made, and one that cannot be written does no harm", async () => {
    const { bin, command } = setUp();
    const processes = printing(command, { stdout: "v22.1.0" });
    const absent = homeAt(join(folder(), "none"));
    expect((await probe({ minVersion: "20" }, { path: bin, processes, home: absent })).ok).toBe(true);
    expect(existsSync(absent.root)).toBe(false);
    const blocked = homeAt(folder());
    writeFileSync(blocked.cache, "a file where the folder would be");
    expect((await probe({ minVersion: "20" }, { path: bin, processes, home: blocked })).ok).toBe(true);
  });
});
