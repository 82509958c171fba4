/** The log file as others find it: JSON lines, private, masked, bounded, and never in anybody's way. */
import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLog } from "../../src/system/log.ts";
import { until } from "../lab/until.ts";

class LogHome implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), "fermix-log-"));
  readonly folder = join(this.root, "logs");
  readonly file = join(this.folder, "fermix.log");

  /** Every line of the file, or of one that was turned over, parsed. */
  lines(kept = ""): Record<string, unknown>[] {
    return readFileSync(this.file + kept, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

const modeOf = (path: string): number => statSync(path).mode & 0o7777;

describe("a line", () => {
  test("is JSON with time, level, event, process and facts, in a private file of a private folder", () => {
    using home = new LogHome();
    const log = openLog(home.file);
    log.write("info", "serve_started", { version: "0.9.0", nothing: undefined });
    log.write("error", "command_failed");
    log.flush();
    const [first, second] = home.lines();
    expect(first).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      level: "info",
      event: "serve_started",
      pid: process.pid,
      version: "0.9.0",
    });
    expect(second).toMatchObject({ level: "error", event: "command_failed" });
    expect([modeOf(home.file), modeOf(home.folder)]).toEqual([0o600, 0o700]);
  });

  test("waits for company, and is on the disk soon without anybody asking", async () => {
    using home = new LogHome();
    const log = openLog(home.file);
    log.write("info", "one");
    log.write("info", "two");
    expect(existsSync(home.file)).toBe(false);
    await until("the lines are written", () => existsSync(home.file));
    expect(home.lines().map(({ event }) => event)).toEqual(["one", "two"]);
  });

  test("of a thousand is written at once", () => {
    using home = new LogHome();
    const log = openLog(home.file);
    for (let call = 1; call < 1000; call += 1) log.write("info", "call");
    expect(existsSync(home.file)).toBe(false);
    log.write("info", "call");
    expect(home.lines()).toHaveLength(1000);
  });

  test("RED-1/log-file, RED-2/sk-ant-openai: what looks like a credential is masked by its name, wherever in a fact it stands", () => {
    using home = new LogHome();
    const log = openLog(home.file);
    const key = "0123456789abcdefABCDEF";
    log.write("error", "command_failed", {
      code: `sk-ant-${key}`,
      reason: `quoted "ghp_${key}", then\nxoxb-${key}\\tAIza${key}`,
      stack: `Error: Authorization: Bearer ${key}\n\tat xai-${key}`,
    });
    log.flush();
    expect(home.lines()[0]).toMatchObject({
      code: "[REDACTED:openai]",
      reason: 'quoted "[REDACTED:github]", then [REDACTED:slack]\\t[REDACTED:google]',
      stack: "Error: Authorization: [REDACTED:bearer]  at [REDACTED:xai]",
    });
    expect(readFileSync(home.file, "utf8")).not.toContain(key);
  });

  test("RED-1/log-file a credential at the place where a fact is cut is masked whole", () => {
    using home = new LogHome();
    const log = openLog(home.file);
    log.write("info", "call", { tool: `${"x ".repeat(992)}sk-0123456789abcdefABCDEF` });
    log.flush();
    expect(home.lines()[0]?.["tool"]).toBe(`${"x ".repeat(992)}[REDACTED:openai…`);
  });

  test("stays one line of bounded length, whatever is in it", () => {
    using home = new LogHome();
    const log = openLog(home.file);
    log.write("info", "call", { tool: `a\r\n{"forged":1}\u2028\u001b[2J\ud800` });
    log.write("info", "call", { tool: "x".repeat(2000) });
    log.write("info", "call", { tool: "x".repeat(2001) });
    log.flush();
    expect(home.lines().map(({ tool }) => tool)).toEqual([
      'a  {"forged":1}  [2J\ufffd',
      "x".repeat(2000),
      `${"x".repeat(2000)}…`,
    ]);
  });
});

describe("a file that is full", () => {
  const line = { filler: "x".repeat(400) };

  /** Writes lines one by one, each in a flush of its own. */
  function fill(log: ReturnType<typeof openLog>, count: number): void {
    for (let at = 0; at < count; at += 1) {
      log.write("info", `line_${at}`, line);
      log.flush();
    }
  }

  test("is turned over, three are kept, and no line is lost before that", () => {
    using home = new LogHome();
    const log = openLog(home.file, 2_000);
    fill(log, 12);
    expect(readdirSync(home.folder).toSorted()).toEqual(["fermix.log", "fermix.log.1", "fermix.log.2"]);
    const all = [".2", ".1", ""].flatMap((kept) => home.lines(kept).map(({ event }) => event));
    expect(all).toEqual(Array.from({ length: 12 }, (_, at) => `line_${at}`));
    fill(log, 12);
    expect(readdirSync(home.folder)).toHaveLength(4);
    for (const name of readdirSync(home.folder)) {
      expect(statSync(join(home.folder, name)).size).toBeLessThanOrEqual(2_000);
      expect(modeOf(join(home.folder, name))).toBe(0o600);
    }
  });

  test("takes a line that just fits", () => {
    using home = new LogHome();
    const log = openLog(home.file);
    log.write("info", "a", line);
    log.flush();
    const { size } = statSync(home.file);
    const tight = openLog(home.file, 2 * size);
    tight.write("info", "b", line);
    tight.flush();
    expect(readdirSync(home.folder)).toEqual(["fermix.log"]);
    const full = openLog(home.file, 3 * size - 1);
    full.write("info", "c", line);
    full.flush();
    expect(readdirSync(home.folder).toSorted()).toEqual(["fermix.log", "fermix.log.1"]);
  });

  test("is turned over by one of many processes, and each line of each is there once", async () => {
    using home = new LogHome();
    const script = `
      import { openLog } from ${JSON.stringify(join(import.meta.dir, "../../src/system/log.ts"))};
      const log = openLog(${JSON.stringify(home.file)}, 40_000);
      for (let at = 0; at < 100; at += 1) { log.write("info", process.argv.at(-1) + "_" + at, ${JSON.stringify(line)}); log.flush(); }
    `;
    const children = ["a", "b"].map((name) => Bun.spawn([process.execPath, "-e", script, name], { stderr: "inherit" }));
    expect(await Promise.all(children.map(({ exited }) => exited))).toEqual([0, 0]);
    const files = readdirSync(home.folder).filter((name) => name !== "fermix.log.turning");
    expect(files.length).toBeLessThanOrEqual(4);
    const all = files.flatMap((name) => home.lines(name.slice("fermix.log".length)).map(({ event }) => String(event)));
    expect(new Set(all).size).toBe(all.length);
    expect(all).toHaveLength(200);
  });

  test("is left to whoever is turning it over, unless that one is dead", () => {
    using home = new LogHome();
    const claim = `${home.file}.turning`;
    const log = openLog(home.file, 2_000);
    fill(log, 4);
    writeFileSync(claim, "");
    fill(log, 1);
    expect(readdirSync(home.folder).toSorted()).toEqual(["fermix.log", "fermix.log.turning"]);
    utimesSync(claim, new Date(0), new Date(0));
    fill(log, 2);
    expect(readdirSync(home.folder).toSorted()).toEqual(["fermix.log", "fermix.log.1"]);
  });
});

describe("the disk", () => {
  test("without a home, none is made", () => {
    using home = new LogHome();
    const missing = join(home.root, "no-home/logs/fermix.log");
    const log = openLog(missing);
    log.write("error", "command_failed");
    log.flush();
    expect(readdirSync(home.root)).toEqual([]);
  });

  test.each([
    ["a folder", (path: string) => mkdirSync(path, { recursive: true })],
    ["a link", (path: string) => symlinkSync("/dev/null", path)],
    ["a pipe", (path: string) => Bun.spawnSync(["mkfifo", path])],
  ])("%s in the file's place is left alone, and nobody hears of it", (_, place) => {
    using home = new LogHome();
    mkdirSync(home.folder);
    place(home.file);
    const log = openLog(home.file);
    log.write("error", "command_failed");
    log.flush();
    expect(readdirSync(home.folder)).toEqual(["fermix.log"]);
    expect(statSync(home.file).isFile()).toBe(false);
  });

  test("a full one takes nothing, and the next line tries again", () => {
    using home = new LogHome();
    mkdirSync(home.folder);
    symlinkSync("/dev/full", home.file);
    const log = openLog(home.file);
    log.write("info", "lost");
    log.flush();
    rmSync(home.file);
    log.write("info", "kept");
    log.flush();
    expect(home.lines().map(({ event }) => event)).toEqual(["kept"]);
  });

  test("a file that others could read is made private before anything is added", () => {
    using home = new LogHome();
    mkdirSync(home.folder);
    writeFileSync(home.file, "");
    chmodSync(home.file, 0o644);
    const log = openLog(home.file);
    log.write("info", "one");
    log.flush();
    expect(modeOf(home.file)).toBe(0o600);
  });
});
