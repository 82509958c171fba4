/** Connections against a real TLS server that counts them: kept, used again, closed by a cancel, and never a second write. */
import { afterEach, beforeEach, describe, expect, setSystemTime, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer } from "node:tls";
import { FermixError } from "../../src/kernel/error.ts";
import { HttpFailure } from "../../src/kernel/http-failure.ts";
import type { HttpReply, HttpRoute } from "../../src/kernel/ports.ts";
import { systemHttp } from "../../src/system/http.ts";
import { newAuthority } from "../forge/certificate.ts";

const NAME = "pool.example.com";
const trusted = process.env["SSL_CERT_FILE"];
const open: Server[] = [];
let folder = "";
let authority: ReturnType<typeof newAuthority>;
let peer: Peer;

/** What arrived: `CONNECTION.REQUEST METHOD PATH`, counted from 1. */
interface Peer {
  readonly port: number;
  readonly requests: string[];
  readonly connections: () => number;
  readonly closed: Promise<void>;
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "fermix-pool-"));
  // A fresh root is a fresh pool: no test meets a connection of another one.
  authority = newAuthority();
  process.env["SSL_CERT_FILE"] = join(folder, "root.pem");
  writeFileSync(join(folder, "root.pem"), authority.certificate);
  peer = await startPeer();
});

afterEach(() => {
  setSystemTime();
  for (const server of open.splice(0)) server.close();
  rmSync(folder, { recursive: true });
  if (trusted === undefined) delete process.env["SSL_CERT_FILE"];
  else process.env["SSL_CERT_FILE"] = trusted;
});

/** `/break` breaks a connection that was used before, `/always` any, `/endless` never stops sending. */
async function startPeer(): Promise<Peer> {
  const closed = Promise.withResolvers<void>();
  const requests: string[] = [];
  let connections = 0;
  const server = createServer(authority.issue(NAME), (socket) => {
    connections += 1;
    const connection = connections;
    let count = 0;
    socket.on("error", () => undefined);
    socket.on("close", () => closed.resolve());
    socket.on("data", (data) => {
      count += 1;
      const line = data.toString().replace(/ HTTP[\s\S]*/, "");
      requests.push(`${connection}.${count} ${line}`);
      if (line.includes("/always") || (line.includes("/break") && count > 1)) socket.destroy();
      else if (line.includes("/endless")) sendForEver(socket);
      else if (!line.includes("/silent")) socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}");
    });
  });
  return { port: await listen(server), requests, connections: () => connections, closed: closed.promise };
}

function sendForEver(socket: Socket): void {
  socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
  const more = (): void => {
    while (!socket.destroyed && socket.write(`400\r\n${"x".repeat(1024)}\r\n`));
  };
  socket.on("drain", more);
  more();
}

async function listen(server: Server): Promise<number> {
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

interface Sending {
  readonly method?: string;
  readonly signal?: AbortSignal;
  readonly route?: HttpRoute;
  readonly name?: string;
  readonly states?: string[];
  readonly ownConnection?: boolean;
}

function send(
  path: string,
  { method = "GET", signal, route, name = NAME, states, ownConnection }: Sending = {},
): Promise<HttpReply> {
  return systemHttp.send({
    ...(route ?? { address: "127.0.0.1" }),
    url: new URL(`https://${name}:${peer.port}${path}`),
    method,
    headers: {},
    ...(signal === undefined ? {} : { signal }),
    ...(ownConnection === undefined ? {} : { ownConnection }),
    ...(states === undefined ? {} : { onConnection: (state) => states.push(state) }),
  });
}

const whole = async (path: string, sending: Sending = {}): Promise<string> =>
  await new Response((await send(path, sending)).body).text();

async function failure(work: Promise<unknown>): Promise<HttpFailure> {
  const error = await work.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (!(error instanceof HttpFailure)) throw new Error(`expected an HttpFailure, saw ${String(error)}`);
  return error;
}

describe("one connection", () => {
  test("serves many requests, one after another", async () => {
    for (let at = 0; at < 20; at += 1) expect(await whole(`/${at}`)).toBe("{}");
    expect(peer.connections()).toBe(1);
    expect(peer.requests).toHaveLength(20);
  });

  test("is told of when it must be opened, and no more once there is one", async () => {
    const states: string[] = [];
    await whole("/first", { states });
    await whole("/second", { states });
    expect(states).toEqual(["opening", "open"]);
  });

  test("is not shared by two names on one address", async () => {
    await whole("/");
    expect((await failure(send("/", { name: "other.example.com" }))).kind).toBe("tls");
    expect(peer.requests).toEqual(["1.1 GET /"]);
  });
});

describe("connections that may be dead", () => {
  test("are not used again after the machine slept, which only the clock on the wall sees", async () => {
    const start = Date.now();
    setSystemTime(start);
    await whole("/a");
    setSystemTime(start + 55_000);
    await whole("/b");
    setSystemTime(start + 110_001);
    await whole("/c");
    expect(peer.requests).toEqual(["1.1 GET /a", "1.2 GET /b", "2.1 GET /c"]);
  });
});

describe("a reused connection that breaks", () => {
  test("costs a GET nothing: it is sent once more, on a new one", async () => {
    await whole("/");
    expect(await whole("/break")).toBe("{}");
    expect(peer.requests).toEqual(["1.1 GET /", "1.2 GET /break", "2.1 GET /break"]);
  });

  test("is tried once more, not for ever", async () => {
    await whole("/");
    expect((await failure(send("/always"))).kind).toBe("reset");
    expect(peer.requests).toEqual(["1.1 GET /", "1.2 GET /always", "2.1 GET /always"]);
  });

  for (const method of ["POST", "PATCH"]) {
    test(`is the end of a ${method}, which is never sent twice`, async () => {
      await whole("/");
      expect((await failure(send("/break", { method }))).kind).toBe("reset");
      expect(peer.requests).toEqual(["1.1 GET /", `1.2 ${method} /break`]);
    });
  }

  test("never happens to a request that asks for a connection of its own", async () => {
    await whole("/");
    expect(await whole("/break", { method: "POST", ownConnection: true })).toBe("{}");
    expect(peer.requests).toEqual(["1.1 GET /", "2.1 POST /break"]);
  });

  for (const method of ["PUT", "DELETE"]) {
    test(`never happens to a ${method}, which has a connection of its own and is sent once`, async () => {
      await whole("/");
      expect(await whole("/break", { method })).toBe("{}");
      expect((await failure(send("/always", { method }))).kind).toBe("reset");
      expect(peer.requests).toEqual(["1.1 GET /", `2.1 ${method} /break`, `3.1 ${method} /always`]);
    });
  }
});

describe("giving up", () => {
  test("before the answer closes the connection", async () => {
    const stop = new AbortController();
    const asked = send("/silent", { signal: stop.signal });
    const failed = failure(asked);
    while (peer.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    expect((await failed).kind).toBe("aborted");
    await peer.closed;
  });

  test("in the middle of a body closes the connection", async () => {
    const reply = await send("/endless");
    const reader = reply.body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    await reader?.cancel();
    await peer.closed;
  });
});

describe("after a request that got no answer", () => {
  /** Two connections stand; one of them is left idle, the other holds a request that is given up for this reason. */
  async function givenUp(reason: Error): Promise<void> {
    const stop = new AbortController();
    const failed = failure(send("/silent", { signal: stop.signal }));
    while (peer.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await whole("/idle");
    stop.abort(reason);
    expect((await failed).kind).toBe("aborted");
  }
  const late = new FermixError("network_timeout", { host: NAME, phase: "first_byte", afterMs: 30_000 });

  test("in time, the next one opens a connection: the idle ones may be as dead", async () => {
    await givenUp(late);
    const states: string[] = [];
    expect(await whole("/next", { states })).toBe("{}");
    expect(states).toEqual(["opening", "open"]);
    expect(peer.requests).toEqual(["1.1 GET /silent", "2.1 GET /idle", "3.1 GET /next"]);
  });

  test("because its connection broke, the next write does not meet another broken one", async () => {
    await whole("/");
    await failure(send("/break", { method: "POST" }));
    const states: string[] = [];
    expect(await whole("/next", { method: "POST", states })).toBe("{}");
    expect(states).toEqual(["opening", "open"]);
  });

  test("because its caller left, the idle ones serve on", async () => {
    await givenUp(new Error("enough"));
    expect(await whole("/next")).toBe("{}");
    expect(peer.requests).toEqual(["1.1 GET /silent", "2.1 GET /idle", "2.2 GET /next"]);
  });

  test("requests that are under way are answered to their end", async () => {
    const reply = await send("/endless");
    const reader = reply.body?.getReader();
    await reader?.read();
    await failure(send("/always", { method: "POST" }));
    for (let at = 0; at < 3; at += 1) expect((await reader?.read())?.done).toBe(false);
    await reader?.cancel();
  });
});

describe("the operator's proxy", () => {
  const asked: string[] = [];
  let proxy: string;

  /** Tunnels to the peer whatever name it is asked for, or refuses. */
  async function startProxy(refuse = false): Promise<string> {
    asked.length = 0;
    const server = createTcpServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", (data) => {
        asked.push(data.toString().split("\r\n")[0] ?? "");
        if (refuse) {
          socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
          return;
        }
        const up = connect(peer.port, "127.0.0.1", () => {
          socket.write("HTTP/1.1 200 OK\r\n\r\n");
          socket.pipe(up).pipe(socket);
        });
        up.on("error", () => socket.destroy());
      });
    });
    return `http://127.0.0.1:${await listen(server)}`;
  }

  test("is asked for the name, and its tunnel serves many requests", async () => {
    proxy = await startProxy();
    for (const path of ["/a", "/b"]) expect(await whole(path, { route: { proxy } })).toBe("{}");
    expect(asked).toEqual([`CONNECT ${NAME}:${peer.port} HTTP/1.1`]);
    expect(peer.requests).toEqual(["1.1 GET /a", "1.2 GET /b"]);
  });

  test("cannot show another server: the certificate must be for the name", async () => {
    proxy = await startProxy();
    expect((await failure(send("/", { route: { proxy }, name: "other.example.com" }))).kind).toBe("tls");
    expect(peer.requests).toEqual([]);
  });

  test("is not left out because of NO_PROXY", async () => {
    proxy = await startProxy();
    const before = process.env["NO_PROXY"];
    process.env["NO_PROXY"] = "*";
    try {
      expect(await whole("/", { route: { proxy } })).toBe("{}");
    } finally {
      if (before === undefined) delete process.env["NO_PROXY"];
      else process.env["NO_PROXY"] = before;
    }
    expect(asked).toHaveLength(1);
  });

  test("that refuses or is not there means that nothing was sent", async () => {
    proxy = await startProxy(true);
    const refused = await failure(send("/", { route: { proxy } }));
    expect([refused.kind, refused.message]).toEqual([
      "connect",
      "Proxy refused to open a tunnel: 407 Proxy Authentication Required",
    ]);
    expect((await failure(send("/", { route: { proxy: "http://127.0.0.1:1" } }))).kind).toBe("connect");
    expect(peer.requests).toEqual([]);
  });
});
