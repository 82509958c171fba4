/** A process's own pipes as a protocol pipe: order, slow and absent readers, signals, and an end that loses nothing. */
import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const STDIO = join(import.meta.dirname, "../../src/system/stdio.ts");

/** A program that runs this body with `stdio` in scope; what it says about itself goes to stderr. */
const programOf = (body: string, options = "") => `
    import { openStdio } from ${JSON.stringify(STDIO)};
    const stdio = openStdio(${options});
    const say = (word) => process.stderr.write(word + "\\n");
    ${body}`;

/** Its pipes are sockets, as Node and Bun give them to a child. */
function processWith(body: string) {
  return Bun.spawn([process.execPath, "-e", programOf(body)], { stdin: "pipe", stdout: "pipe", stderr: "pipe" });
}

/** Its stdin is a pipe, as a shell or Python gives it to a child. */
function processBehindPipe(body: string) {
  const command = ["/bin/sh", "-c", 'cat | "$0" -e "$1"', process.execPath, programOf(body)];
  return Bun.spawn(command, { stdin: "pipe", stdout: "pipe", stderr: "pipe" });
}

test("what a slow reader has not taken yet is told as a promise, and all of it arrives in order", async () => {
  const child = processWith(`
    const waiting = stdio.write("x".repeat(2_000_000) + "\\n");
    stdio.write("last\\n");
    say(waiting instanceof Promise ? "waits" : "took all");
    await waiting;
    stdio.close();
    process.exitCode = 3;`);
  const [said, text] = await Promise.all([child.stderr.text(), child.stdout.text()]);
  expect({ code: await child.exited, said, length: text.length, end: text.slice(-6) }).toEqual({
    code: 3,
    said: "waits\n",
    length: 2_000_006,
    end: "\nlast\n",
  });
});

test("a client that waits for the end before it reads does not keep the process from ending", async () => {
  const dir = mkdtempSync(join(tmpdir(), "fermix-stdio-"));
  try {
    // The shell holds the pipe open and reads nothing from it.
    const script = 'mkfifo "$1/out" && exec 3<>"$1/out" && "$2" -e "$3" >"$1/out"; echo "code $?"';
    const program = programOf(`stdio.write("x".repeat(2_000_000)); stdio.close(); process.exitCode = 3;`, "50");
    const shell = Bun.spawn(["sh", "-c", script, "sh", dir, process.execPath, program], { stdin: "ignore" });
    expect(await shell.stdout.text()).toBe("code 3\n");
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test("a pipe that nobody reads any more is told once and ends nothing by itself", async () => {
  const child = processWith(`
    stdio.onBroken(() => say("broken"));
    stdio.read({ onChunk: () => stdio.write("answer\\n"), onEnd: () => { say("end"); stdio.close(); } });
    say("up");`);
  await child.stdout.cancel();
  child.stdin.write("1\n2\n3\n");
  await child.stdin.flush();
  let said = "";
  for await (const chunk of child.stderr) {
    said += Buffer.from(chunk).toString();
    if (said.includes("broken")) await child.stdin.end();
  }
  expect({ code: await child.exited, said }).toEqual({ code: 0, said: "up\nbroken\nend\n" });
});

test.each([
  ["a socket", processWith],
  ["a pipe", processBehindPipe],
] as const)("from %s: while paused nothing more is read; EOF comes last and once", async (_, processOf) => {
  const child = processOf(`
    let seen = "";
    stdio.read({
      onChunk: (chunk) => {
        seen += Buffer.from(chunk).toString();
        if (!seen.includes("stop")) return;
        stdio.pause();
        say("paused");
        setImmediate(() => stdio.resume());
      },
      onEnd: () => { say(seen.length + " read"); stdio.write("bye\\n"); stdio.close(); },
    });`);
  child.stdin.write("stop");
  child.stdin.write("x".repeat(500_000));
  await child.stdin.end();
  const [said, answer] = await Promise.all([child.stderr.text(), child.stdout.text()]);
  const lines = said.trim().split("\n");
  expect({ code: await child.exited, last: lines.at(-1), first: lines[0], answer }).toEqual({
    code: 0,
    last: "500004 read",
    first: "paused",
    answer: "bye\n",
  });
});

test.each([
  ["a socket", processWith],
  ["a pipe", processBehindPipe],
] as const)("files that are opened after the EOF of %s can be written, owned and closed", async (_, processOf) => {
  const dir = mkdtempSync(join(tmpdir(), "fermix-stdio-"));
  try {
    const child = processOf(`
      import { closeSync, openSync } from "node:fs";
      import { open } from "node:fs/promises";
      const file = (name) => ${JSON.stringify(dir)} + "/" + name;
      const use = async (name) => {
        const handle = await open(file(name), "wx");
        await handle.chmod(0o600);
        await handle.writeFile(name);
        await handle.sync();
        await handle.close();
        return handle.fd === -1;
      };
      const numberOf = () => { const fd = openSync(file("sync"), "w"); closeSync(fd); return fd; };
      const afterEof = async () => {
        // The socket is given back in the loop's next round.
        for (let round = 0; round < 20; round += 1) await new Promise(setImmediate);
        say((await Promise.all(["a", "b", "c"].map(use))).join());
        say(numberOf() > 2 && numberOf() === numberOf() ? "closed" : "left open");
        stdio.close();
      };
      stdio.read({ onChunk: () => {}, onEnd: () => void afterEof() });`);
    child.stdin.write("x");
    await child.stdin.end();
    expect({ said: await child.stderr.text(), code: await child.exited }).toEqual({
      said: "true,true,true\nclosed\n",
      code: 0,
    });
    expect(["a", "b", "c"].map((name) => readFileSync(join(dir, name), "utf8"))).toEqual(["a", "b", "c"]);
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("%s is told, and closing lets the process end", async (signal) => {
  const child = processWith(`
    stdio.onTerminate(() => { say("asked to end"); stdio.close(); });
    stdio.read({ onChunk: () => {}, onEnd: () => say("end") });
    stdio.write("up\\n");`);
  for await (const chunk of child.stdout) if (Buffer.from(chunk).toString().includes("up")) child.kill(signal);
  expect({ code: await child.exited, said: await child.stderr.text() }).toEqual({ code: 0, said: "asked to end\n" });
});
