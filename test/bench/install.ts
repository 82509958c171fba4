/** Installing 60 MB: Fermix against `sha256sum` + `cosign verify-blob` + `tar xzf` in a shell, on a memory disk. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { folderOf } from "../lab/binary.ts";
import { type BenchPackages, packBenchPlugins } from "./install-packages.ts";
import { median, type Row, ratio, takeTurns, timeRun } from "./measure.ts";

const MEGABYTE = 1_000_000;
const LARGE_BYTES = 60 * MEGABYTE;
const TENTH_BYTES = 6 * MEGABYTE;
const SMALL_FILES = 2000;
const SHARE_OF_SHELL = 0.9;
const OWN_MEMORY_MB = 110;

/**
 * Measures both shapes of 60 MB: the time over the shell's, and Fermix's own peak memory. The limit is for an install
 * with a cosign that this home knows, which is every one but the first: that one also asks cosign to refuse a bad
 * signature, which the shell never does, and is told beside it.
 */
export async function benchInstall(rounds: number, scratch: string): Promise<Row[]> {
  const folder = mkdtempSync(join(scratch, "install-"));
  try {
    const packages = await packBenchPlugins(folder, [
      { name: "bench_large", bytes: LARGE_BYTES, files: 1 },
      { name: "bench_small", bytes: LARGE_BYTES, files: SMALL_FILES },
      { name: "bench_tenth", bytes: TENTH_BYTES, files: 1 },
    ]);
    const tenth = await new Shape(folder, packages, "bench_tenth").peakMemory();
    const large = await rowsOf(rounds, new Shape(folder, packages, "bench_large"), "one file", tenth);
    return [...large, ...(await rowsOf(rounds, new Shape(folder, packages, "bench_small"), `${SMALL_FILES} files`))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function rowsOf(rounds: number, shape: Shape, contents: string, tenth?: number): Promise<readonly Row[]> {
  const { shell, first, later } = await takeTurns(rounds, {
    shell: () => shape.inShell(),
    first: () => shape.install("first"),
    later: () => shape.install("later"),
  });
  const ms = (times: readonly number[]): string => `${median(times).toFixed(0)} ms`;
  return [
    {
      what: `install 60 MB, ${contents}, over sha256sum + cosign + tar`,
      measured: ratio(later, shell),
      unit: "x",
      limit: { most: SHARE_OF_SHELL },
      note: `${ms(later)} / ${ms(shell)}`,
    },
    {
      what: `install 60 MB, ${contents}, the first of a home`,
      measured: ratio(first, shell),
      unit: "x",
      note: `${ms(first)}, with the test of cosign itself`,
    },
    {
      what: `install 60 MB, ${contents}, own peak memory`,
      measured: await shape.peakMemory(),
      unit: "MB",
      limit: { most: OWN_MEMORY_MB },
      note: `cosign not counted${tenth === undefined ? "" : `; ${tenth.toFixed(0)} MB for a tenth of the size`}`,
    },
  ];
}

/** One plugin installed again and again, each time into a home that has no plugin. */
class Shape {
  readonly #folder: string;
  readonly #home: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #install: readonly string[];
  readonly #shell: readonly string[];
  readonly #config: string;

  constructor(folder: string, { binary, mirror, key }: BenchPackages, name: string) {
    const artifact = join(mirror, `${name}-1.0.0.tar.gz`);
    const unpacked = join(folder, "shell");
    this.#folder = folder;
    this.#home = join(folder, "home");
    this.#config = `[fermix_core.plugins]\nartifact_mirror = "file://${mirror}"\n`;
    const path = [folderOf("cosign"), "/usr/bin", "/bin"].join(delimiter);
    this.#env = { PATH: path, HOME: folder, FERMIX_HOME: this.#home };
    this.#install = [binary, "plugins", "install", name];
    this.#shell = [
      "/bin/sh",
      "-c",
      `sha256sum ${artifact} && cosign verify-blob --key ${key} --signature ${artifact}.sig --insecure-ignore-tlog=true ${artifact} && mkdir ${unpacked} && tar xzf ${artifact} -C ${unpacked}`,
    ];
  }

  inShell(): number {
    rmSync(join(this.#folder, "shell"), { recursive: true, force: true });
    return timeRun(this.#shell, this.#env, this.#folder);
  }

  /** `later` keeps what Fermix knows about this machine's cosign. */
  install(which: "first" | "later"): number {
    this.#emptyHome(which);
    return timeRun(this.#install, this.#env, this.#folder);
  }

  /** Peak resident memory of Fermix's own process, in MB: the kernel's high-water mark, read until it ends. */
  async peakMemory(): Promise<number> {
    this.#emptyHome("first");
    const child = Bun.spawn([...this.#install], {
      env: this.#env,
      cwd: this.#folder,
      stdout: "ignore",
      stderr: "pipe",
    });
    let peak = 0;
    while (child.exitCode === null && child.signalCode === null) {
      const status = statusOf(child.pid);
      if (status === undefined) break;
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024);
      await Bun.sleep(1);
    }
    if ((await child.exited) !== 0) throw new Error(`${this.#install.join(" ")} failed: ${await child.stderr.text()}`);
    return peak;
  }

  #emptyHome(which: "first" | "later"): void {
    rmSync(which === "first" ? this.#home : join(this.#home, "plugins"), { recursive: true, force: true });
    mkdirSync(this.#home, { recursive: true, mode: 0o700 });
    writeFileSync(join(this.#home, "config.toml"), this.#config);
  }
}

/** undefined once the process is gone. */
function statusOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return undefined;
  }
}
