/** Tests of system/loopback.ts and system/port-holder.ts: real sockets, against everything that connects to a port. */
import { describe, expect, test } from "bun:test";
import { connect, createServer, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import type { LoopbackListener, LoopbackReply, LoopbackRequest } from "../../src/kernel/ports.ts";
import { systemLoopback } from "../../src/system/loopback.ts";
import { parseLsof, portHolder } from "../../src/system/port-holder.ts";

const PAGE: LoopbackReply = { status: 200, headers: { "content-type": "text/plain", "x-own": "1" }, body: "page" };

async function listening(
  answer: (request: LoopbackRequest) => Promise<LoopbackReply> = async () => PAGE,
): Promise<LoopbackListener> {
  const result = await systemLoopback().listen(0, answer);
  if (result.state !== "listening") throw new Error(result.state);
  return result.listener;
}

/** A connection on which these bytes are sent; resolves with all that came back once it is closed. */
function talk(port: number, bytes: string | Uint8Array): { socket: Socket; heard: Promise<string> } {
  const socket = connect(port, "127.0.0.1");
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
  });
  socket.on("error", () => undefined);
  socket.on("close", () => resolve(text));
  socket.write(bytes);
  return { socket, heard: promise };
}

describe("the listener", () => {
  test("hands over what was asked as it was sent, and closes each connection behind its answer", async () => {
    const seen: LoopbackRequest[] = [];
    const listener = await listening(async (request) => {
      seen.push(request);
      return PAGE;
    });
    const { port } = listener;
    const heard = await talk(
      port,
      `GET /auth/callback?code=a%2Fb&state=c+d HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`,
    ).heard;
    await listener.close();
    expect(seen.map(({ method, target }) => [method, target])).toEqual([
      ["GET", "/auth/callback?code=a%2Fb&state=c+d"],
    ]);
    expect(seen[0]?.headers.get("host")).toBe(`localhost:${port}`);
    expect(heard).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(heard.toLowerCase()).toContain("connection: close");
    expect(heard).toMatch(/\r\n\r\npage$/);
  });

  test("a head of 64 000 bytes is read, with a long code or the cookies of localhost, and a longer one is refused", async () => {
    const seen: number[] = [];
    const listener = await listening(async ({ target }) => {
      seen.push(target.length);
      return PAGE;
    });
    const { port } = listener;
    const code = `/auth/callback?code=${"c".repeat(60_000)}`;
    const heard = await talk(port, `GET ${code} HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`).heard;
    const cookie = `Cookie: a=${"c".repeat(63_000)}`;
    const cookies = await talk(port, `GET / HTTP/1.1\r\nHost: localhost:${port}\r\n${cookie}\r\n\r\n`).heard;
    const long = await talk(port, `GET ${code}${code} HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`).heard;
    await listener.close();
    expect([heard, cookies, long].map((answer) => answer.slice(0, 12))).toEqual([
      "HTTP/1.1 200",
      "HTTP/1.1 200",
      "HTTP/1.1 431",
    ]);
    expect(seen).toEqual([code.length, 1]);
  });

  test("AUTH-9/loopback is on 127.0.0.1 and on no other address of this machine", async () => {
    const listener = await listening();
    const others = Object.values(networkInterfaces())
      .flat()
      .flatMap((at) => (at === undefined || at.address === "127.0.0.1" || at.scopeid ? [] : [at.address]));
    for (const host of [...others, "127.0.0.2"]) {
      const refused = await new Promise<boolean>((resolve) => {
        const socket = connect(listener.port, host);
        socket.on("connect", () => resolve(false)).on("error", () => resolve(true));
      });
      expect([host, refused]).toEqual([host, true]);
    }
    await listener.close();
  });

  test("bytes that are no HTTP, and a request that is too long, reach nobody and get no page", async () => {
    let asked = 0;
    const listener = await listening(async () => {
      asked += 1;
      return PAGE;
    });
    const tlsHello = Buffer.from("16030100050100000100", "hex");
    const junk = [
      tlsHello,
      "SSH-2.0-scanner\r\n",
      "\0\0\0\0",
      "GET\r\n\r\n",
      `GET /${"a".repeat(70_000)} HTTP/1.1\r\n\r\n`,
    ];
    for (const bytes of junk) expect(await talk(listener.port, bytes).heard).not.toContain("page");
    expect(asked).toBe(0);
    expect((await fetch(`http://127.0.0.1:${listener.port}/`)).status).toBe(200);
    await listener.close();
  });

  test("a hundred connections that say nothing whole keep nobody from being answered, and are cut off at the end", async () => {
    const listener = await listening();
    const slow = Array.from({ length: 100 }, () => talk(listener.port, "GET /auth/callback?co"));
    const silent = Array.from({ length: 20 }, () => talk(listener.port, ""));
    expect(await (await fetch(`http://127.0.0.1:${listener.port}/`)).text()).toBe("page");
    await listener.close();
    expect(await Promise.all(slow.map(({ heard }) => heard))).toEqual(Array(100).fill(""));
    for (const { socket } of silent) socket.destroy();
  });

  test("an answer that takes its time is waited for, and reaches the browser although the listener is closing", async () => {
    const answer = Promise.withResolvers<LoopbackReply>();
    const arrived = Promise.withResolvers<void>();
    const listener = await listening(() => {
      arrived.resolve();
      return answer.promise;
    });
    const { heard } = talk(listener.port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await arrived.promise;
    const closing = listener.close();
    answer.resolve({ ...PAGE, body: "p".repeat(20_000) });
    await closing;
    expect((await heard).endsWith("p".repeat(20_000))).toBe(true);
  });

  test("a request that names no host reaches the one who judges it all the same", async () => {
    const seen: LoopbackRequest[] = [];
    const listener = await listening(async (request) => {
      seen.push(request);
      return PAGE;
    });
    await talk(listener.port, "GET /auth/callback?code=a HTTP/1.0\r\n\r\n").heard;
    await listener.close();
    expect(seen.map(({ target, headers }) => [target, headers.get("host")])).toEqual([["/auth/callback?code=a", null]]);
  });

  test("what fails while answering is told to the browser as a failure without a word of it", async () => {
    const listener = await listening(() => Promise.reject(new Error("secret")));
    const heard = await talk(listener.port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n").heard;
    await listener.close();
    expect(heard).toMatch(/^HTTP\/1\.1 500 /);
    expect(heard).not.toContain("secret");
  });

  test("the port is free again as soon as it is closed, twice over", async () => {
    const first = await listening();
    await first.close();
    for (let round = 0; round < 2; round += 1) {
      const again = await systemLoopback().listen(first.port, async () => PAGE);
      expect(again.state).toBe("listening");
      if (again.state === "listening") await again.listener.close();
    }
  });
});

describe("a port that is not to be had", () => {
  test("CASE-45: is told at once with the program that holds it, whichever address that one listens at", async () => {
    for (const host of ["127.0.0.1", "0.0.0.0", "::"]) {
      const holder = createServer();
      await new Promise<void>((resolve) => holder.listen(0, host, resolve));
      const { port } = holder.address() as { port: number };
      const answer = await systemLoopback().listen(port, async () => PAGE);
      holder.close();
      expect(answer).toEqual({ state: "in_use", holder: { pid: process.pid, name: expect.stringMatching(/./) } });
    }
  });

  test("nobody holds a port at which nobody listens", async () => {
    const listener = await listening();
    await listener.close();
    expect(await portHolder(listener.port)).toBeUndefined();
  });

  test("on macOS the first program that lsof names has it", () => {
    expect(parseLsof("p512\ncControlCe\nf9\np613\ncnode\nf20\n")).toEqual({ pid: 512, name: "ControlCe" });
    for (const nothing of ["", "lsof: unacceptable port\n", "p12\n", "cnode\n"])
      expect(parseLsof(nothing)).toBeUndefined();
  });
});
