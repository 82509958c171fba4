/** The real terminal, in a process of its own whose streams are pipes. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";

const TERMINAL = join(import.meta.dirname, "../../src/system/terminal.ts");

async function run(script: string, input: string | Uint8Array = "") {
  const child = Bun.spawn({
    cmd: [
      process.execPath,
      "-e",
      `import { systemTerminal } from ${JSON.stringify(TERMINAL)}; const terminal = systemTerminal(); ${script}`,
    ],
    stdin: typeof input === "string" ? new TextEncoder().encode(input) : input,
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, exit] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { stdout, stderr, exit };
}

test("pipes are not terminals, and have the usual width", async () => {
  const { stdout } = await run(
    "console.log(terminal.stdinIsTty, terminal.stdoutIsTty, terminal.stderrIsTty, terminal.columns)",
  );
  expect(stdout).toBe("false false false 80\n");
});

test("a terminal is one, of its own width", async () => {
  let shown = "";
  const closed = Promise.withResolvers<void>();
  const child = Bun.spawn({
    cmd: [
      process.execPath,
      "-e",
      `import { systemTerminal } from ${JSON.stringify(TERMINAL)}; const terminal = systemTerminal();
      console.log(terminal.stdinIsTty, terminal.stdoutIsTty, terminal.stderrIsTty, terminal.columns);`,
    ],
    terminal: {
      cols: 132,
      data: (_, data) => {
        shown += Buffer.from(data).toString("latin1");
      },
      exit: () => closed.resolve(),
    },
  });
  await Promise.all([child.exited, closed.promise]);
  expect(Bun.stripANSI(shown)).toBe("true true true 132\r\n");
});

test("neither /dev/null nor a closed stream is a terminal", async () => {
  const { stdout } = await run(`
    const fs = require("node:fs");
    fs.closeSync(0);
    fs.openSync("/dev/null", "r");
    fs.closeSync(2);
    console.log(terminal.stdinIsTty, terminal.stderrIsTty);
  `);
  expect(stdout).toBe("false false\n");
});

test("talk goes to stderr whole and at once, and a closed stderr is no failure", async () => {
  expect(await run('terminal.talk("é".repeat(200_000)); process.exit(3)')).toEqual({
    stdout: "",
    stderr: "é".repeat(200_000),
    exit: 3,
  });
  const closed = await run('require("node:fs").closeSync(2); terminal.talk("x"); console.log("still here")');
  expect(closed).toEqual({ stdout: "still here\n", stderr: "", exit: 0 });
});

describe("input", () => {
  const read = (input: string | Uint8Array) =>
    run(
      "try { console.log(JSON.stringify(await terminal.readInput(100_000))) } catch (e) { console.log(e.code, e.details.reason) }",
      input,
    );

  test("is all of stdin, up to the limit", async () => {
    const text = "é".repeat(50_000);
    expect((await read(text)).stdout).toBe(`${JSON.stringify(text)}\n`);
    expect((await read("")).stdout).toBe('""\n');
  });

  test("one byte more, or bytes that are not UTF-8, are refused", async () => {
    expect((await read(`${"é".repeat(50_000)}x`)).stdout).toBe("input_refused it is over 100000 bytes\n");
    expect((await read(Uint8Array.of(0x61, 0xff))).stdout).toBe("input_refused it is not UTF-8 text\n");
  });
});

test("an interrupt calls the listener in place of ending the process, until that is ended", async () => {
  const { stdout } = await run(`
    const heard = Promise.withResolvers();
    const stop = terminal.onInterrupt(() => { stop(); console.log("heard"); heard.resolve(); });
    const running = setInterval(() => {}, 60_000);
    process.kill(process.pid, "SIGINT");
    await heard.promise;
    console.log(process.listenerCount("SIGINT"), process.listenerCount("SIGTERM"), process.listenerCount("SIGHUP"));
    clearInterval(running);
  `);
  expect(stdout).toBe("heard\n0 0 0\n");
});

test("RED-1/console: what looks like a credential is masked in talk", async () => {
  const { stderr } = await run('terminal.talk("the key is xoxb-0123456789abcdef, it says\\n")');
  expect(stderr).toBe("the key is [REDACTED:slack], it says\n");
});
