import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Child } from "../../src/kernel/ports.ts";
import { systemProcesses } from "../../src/system/processes.ts";
import { eventually, isAlive, stateOf, survivors } from "../rails/local-mcp/laboratory.ts";

const processes = systemProcesses();
const env = { PATH: "/usr/bin:/bin" };
const limits = { deadlineMs: 20_000, maxOutputBytes: 10_000 };

const children: Child[] = [];
const folders: string[] = [];
afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => child.stop()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "fermix-proc-"));
  folders.push(folder);
  return folder;
}

function start(script: string, cwd = "/"): Child {
  const child = processes.start({ command: "/bin/sh", args: ["-c", script], env, cwd });
  children.push(child);
  return child;
}

function sh(script: string, more: { stdin?: string; deadlineMs?: number; maxOutputBytes?: number } = {}) {
  return processes.run({ command: "/bin/sh", args: ["-c", script], env, ...limits, ...more });
}

/** The sockets and pipes a process holds; a file that closes during the look is none. */
function socketsOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      const target = readlinkSync(`/proc/${pid}/fd/${fd}`);
      return /^(socket|pipe):/.test(target) ? target : [];
    } catch {
      return [];
    }
  });
}

/** The first line a child writes. */
function firstLine(child: Child): Promise<string> {
  return new Promise((resolve) => {
    let seen = "";
    child.onStdout((chunk) => {
      seen += Buffer.from(chunk).toString();
      if (seen.includes("\n")) resolve(seen.slice(0, seen.indexOf("\n")));
    });
  });
}

/** Two grandchildren that leave their family: one by its own session, one by forking twice as well. */
const FORK_AWAY = `
  setsid sh -c 'trap "" TERM HUP; echo $$ >> pids; exec sleep 300' &
  (setsid sh -c '(trap "" TERM HUP; echo $(cut -d" " -f4 /proc/self/stat) >> pids; exec sleep 300) &' &)
  while [ "$(cat pids 2>/dev/null | wc -l)" -lt 2 ]; do sleep 0.02; done`;

function pidsIn(folder: string): number[] {
  return readFileSync(join(folder, "pids"), "utf8").trim().split("\n").map(Number);
}

describe("running a program to its end", () => {
  test("its exit code, output and input are its own", async () => {
    expect(await sh("cat; echo no >&2; exit 3", { stdin: "hello" })).toEqual({
      exitCode: 3,
      stdout: "hello",
      stderr: "no\n",
      timedOut: false,
    });
  });

  test("its environment is exactly the one given, and nothing of ours", async () => {
    const given = { A: "1", EMPTY: "", SPACED: "a b", HTTPS_PROXY: "http://127.0.0.1:9" };
    const { stdout } = await processes.run({
      command: "/bin/cat",
      args: ["/proc/self/environ"],
      env: given,
      ...limits,
    });
    expect(stdout.split("\0").filter(Boolean).sort()).toEqual([
      "A=1",
      "EMPTY=",
      "HTTPS_PROXY=http://127.0.0.1:9",
      "SPACED=a b",
    ]);
  });

  test("it inherits stdin, stdout and stderr and no other file, neither its own lifeline nor another child's", async () => {
    const other = start("echo up; cat");
    await firstLine(other);
    expect((await sh("ls /proc/$$/fd")).stdout.trim().split("\n")).toEqual(["0", "1", "2"]);
  });

  test("a program that a signal ended has no exit code", async () => {
    expect(await sh("kill -SEGV $$")).toMatchObject({ exitCode: undefined, timedOut: false });
  });

  test("a program that is not there ends with 127 and says so", async () => {
    const { exitCode, stderr } = await processes.run({ command: "/nonexistent/x", args: [], env, ...limits });
    expect(exitCode).toBe(127);
    expect(stderr).toContain("ENOENT");
  });

  test("at the deadline the whole tree is killed, daemonised grandchildren included", async () => {
    const folder = scratch();
    const result = await sh(`cd ${folder}; ${FORK_AWAY}; echo ready; exec sleep 300`, { deadlineMs: 3_000 });
    expect(result).toEqual({ exitCode: undefined, stdout: "ready\n", stderr: "", timedOut: true });
    expect(pidsIn(folder)).toHaveLength(2);
    expect(pidsIn(folder).filter(isAlive)).toEqual([]);
  });

  test("output is kept to the limit and one byte more is dropped, without blocking the program", async () => {
    const exact = await sh("printf 12345678", { maxOutputBytes: 8 });
    const over = await sh("printf 123456789; head -c 3000000 /dev/zero; exit 4", { maxOutputBytes: 8 });
    expect([exact.stdout, over.stdout, over.exitCode]).toEqual(["12345678", "12345678", 4]);
  });

  test("five megabytes go in", async () => {
    expect((await sh("wc -c", { stdin: "x".repeat(5 * 1024 * 1024) })).stdout.trim()).toBe(String(5 * 1024 * 1024));
  });
});

describe("a supervised child", () => {
  test("speaks over its pipes in its folder, and its end is told with its code", async () => {
    const folder = scratch();
    const child = start("pwd; read line; echo $line; exit 9", folder);
    const heard: string[] = [];
    child.onStdout((chunk) => heard.push(Buffer.from(chunk).toString()));
    await child.write("hello\n");
    expect(await child.exited).toEqual({ exitCode: 9, signal: undefined });
    expect(heard.join("")).toBe(`${folder}\nhello\n`);
    expect(await child.write("more\n").catch((error: Error) => error.message)).toBe("the process has ended");
  });

  test("that died of a signal says which", async () => {
    expect(await start("kill -KILL $$").exited).toEqual({ exitCode: undefined, signal: "SIGKILL" });
  });

  test("is asked to go by EOF alone when that is enough", async () => {
    const folder = scratch();
    const child = start(`trap 'echo TERM >> log' TERM; echo up; cat >/dev/null; echo EOF >> log; exit 0`, folder);
    await firstLine(child);
    await child.stop();
    expect(readFileSync(join(folder, "log"), "utf8")).toBe("EOF\n");
    expect(await child.exited).toEqual({ exitCode: 0, signal: undefined });
  });

  test("that ignores EOF gets SIGTERM and may clean up", async () => {
    const folder = scratch();
    const child = start(
      `trap 'echo TERM >> log; exit 5' TERM; echo up; cat >/dev/null; echo EOF >> log; while :; do sleep 0.02; done`,
      folder,
    );
    await firstLine(child);
    await child.stop();
    expect(readFileSync(join(folder, "log"), "utf8")).toBe("EOF\nTERM\n");
    expect(await child.exited).toEqual({ exitCode: 5, signal: undefined });
  });

  test("that ignores EOF and SIGTERM is killed with everything it started", async () => {
    const folder = scratch();
    const child = start(`trap '' TERM; ${FORK_AWAY}; echo $$; while :; do sleep 1; done`, folder);
    const pids = [Number(await firstLine(child)), ...pidsIn(folder)];
    await child.stop();
    expect(pids).toHaveLength(3);
    expect(pids.filter(isAlive)).toEqual([]);
    expect((await child.exited).signal).toBe("SIGKILL");
  });

  test("that ends by itself leaves no grandchild behind", async () => {
    const folder = scratch();
    const child = start(`${FORK_AWAY}; exit 0`, folder);
    expect(await child.exited).toEqual({ exitCode: 0, signal: undefined });
    expect(pidsIn(folder).filter(isAlive)).toEqual([]);
  });

  test("whose guard is killed is killed too", async () => {
    const child = start("echo $$; trap '' TERM; while :; do sleep 1; done");
    const server = Number(await firstLine(child));
    process.kill(child.pid, "SIGKILL");
    expect((await child.exited).signal).toBe("SIGKILL");
    expect(await survivors([server, child.pid])).toEqual([]);
  });

  test("has orphans reaped while it runs", async () => {
    const folder = scratch();
    const script = `for i in 1 2 3 4 5; do (setsid sh -c 'echo $$ >> pids' &); done
      while [ "$(cat pids 2>/dev/null | wc -l)" -lt 5 ]; do sleep 0.02; done; echo up; cat`;
    await firstLine(start(script, folder));
    const orphans = pidsIn(folder);
    expect(orphans).toHaveLength(5);
    expect(await eventually(() => orphans.every((pid) => stateOf(pid) === undefined))).toBe(true);
  });

  test("comes and goes without leaving an open file or a zombie", async () => {
    const round = async (): Promise<void> => {
      const child = start("echo up; cat");
      await firstLine(child);
      await child.stop();
    };
    const files = (): number => readdirSync("/proc/self/fd").length;
    const rounds = 10;
    await round();
    const before = files();
    for (let count = 0; count < rounds; count += 1) await round();
    // Bun closes its own ends of a pipe a little later; a leak would grow by the round.
    expect(files() - before).toBeLessThan(rounds);
    const mine = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").split(" ").filter(Boolean);
    expect(mine.filter((pid) => stateOf(Number(pid)) === "Z")).toEqual([]);
  });

  test("dies with its parent, grandchildren included, when the parent is killed with kill -9", async () => {
    const folder = scratch();
    const program = join(folder, "parent.ts");
    writeFileSync(
      program,
      `import { systemProcesses } from ${JSON.stringify(join(import.meta.dir, "../../src/system/processes.ts"))};
       const script = ${JSON.stringify(`trap '' TERM HUP; ${FORK_AWAY}; echo $$ >> pids; echo up; while :; do sleep 1; done`)};
       const child = systemProcesses().start({ command: "/bin/sh", args: ["-c", script], env: { PATH: "/usr/bin:/bin" }, cwd: ${JSON.stringify(folder)} });
       child.onStdout(() => console.log(child.pid));`,
    );
    const parent = Bun.spawn([process.execPath, program], { stdio: ["ignore", "pipe", "inherit"] });
    const { value } = await parent.stdout.getReader().read();
    const pids = [Number(Buffer.from(value ?? []).toString()), ...pidsIn(folder)];
    expect(pids.filter(isAlive)).toHaveLength(4);
    parent.kill("SIGKILL");
    expect(await survivors(pids)).toEqual([]);
  });

  test("holds no pipe of another child", async () => {
    const first = start("echo $$; cat");
    await firstLine(first);
    const second = start("echo $$; cat");
    const server = Number(await firstLine(second));
    // Both ends of everything of the first: its guard's, and ours, the lifeline among them.
    const foreign = new Set([...socketsOf(first.pid), ...socketsOf(process.pid)]);
    const held = [...socketsOf(second.pid), ...socketsOf(server)];
    expect(held.length).toBeGreaterThan(3);
    expect(held.filter((target) => foreign.has(target))).toEqual([]);
  });
});
