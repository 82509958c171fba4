/** The real HTTP adapter against a real TLS server: it dials what it is given and trusts nothing but the certificate. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { HttpFailure } from "../../src/kernel/http-failure.ts";
import type { HttpReply, HttpRequest } from "../../src/kernel/ports.ts";
import { systemDns } from "../../src/system/dns.ts";
import { systemHttp } from "../../src/system/http.ts";
import { newAuthority } from "../forge/certificate.ts";

const NAME = "plugins.example.com";
const VARIABLES = ["SSL_CERT_FILE", "NODE_TLS_REJECT_UNAUTHORIZED", "HTTPS_PROXY", "https_proxy", "ALL_PROXY"] as const;
const authority = newAuthority();
const before = new Map(VARIABLES.map((name) => [name, process.env[name]]));
let folder = "";
let server: Bun.Server<undefined>;
const seen: { readonly path: string; readonly host: string | null; readonly encoding: string | null }[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "fermix-http-"));
  writeFileSync(join(folder, "root.pem"), authority.certificate);
  server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    tls: authority.issue(NAME),
    fetch(request) {
      const { pathname } = new URL(request.url);
      const { headers } = request;
      seen.push({ path: pathname, host: headers.get("host"), encoding: headers.get("accept-encoding") });
      if (pathname === "/moved") return Response.redirect("https://elsewhere.example.net/", 302);
      if (pathname === "/gzip") return new Response(gzipSync("hello"), { headers: { "content-encoding": "gzip" } });
      return new Response("hello");
    },
  });
  process.env["SSL_CERT_FILE"] = join(folder, "root.pem");
});

afterEach(() => {
  for (const name of VARIABLES.slice(1)) restore(name);
});

afterAll(async () => {
  restore("SSL_CERT_FILE");
  await server.stop(true);
  rmSync(folder, { recursive: true });
});

function restore(name: (typeof VARIABLES)[number]): void {
  const value = before.get(name);
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}

function send(
  path: string,
  more: Partial<Pick<HttpRequest, "method" | "body" | "signal" | "onConnection">> = {},
  name = NAME,
): Promise<HttpReply> {
  const url = new URL(`https://${name}:${server.port}${path}`);
  return systemHttp.send({
    url,
    address: "127.0.0.1",
    method: "GET",
    headers: { "accept-encoding": "identity" },
    ...more,
  });
}

async function failure(work: Promise<HttpReply>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (!(error instanceof HttpFailure)) throw new Error(`expected an HttpFailure, saw ${String(error)}`);
  return error.kind;
}

describe("a request", () => {
  test("goes to the given address under the name's certificate and Host", async () => {
    const reply = await send("/here");
    expect([reply.status, await new Response(reply.body).text()]).toEqual([200, "hello"]);
    expect(seen.at(-1)).toEqual({ path: "/here", host: `${NAME}:${server.port}`, encoding: "identity" });
  });

  test("a redirect is not followed", async () => {
    const reply = await send("/moved");
    expect([reply.status, reply.headers.get("location")]).toEqual([302, "https://elsewhere.example.net/"]);
  });

  test("a compressed body stays as it came", async () => {
    const reply = await send("/gzip");
    expect(Buffer.from(await new Response(reply.body).arrayBuffer())).toEqual(gzipSync("hello"));
  });

  test("an aborted one is told apart", async () => {
    expect(await failure(send("/here", { signal: AbortSignal.abort() }))).toBe("aborted");
  });

  test("a closed port means that nothing was sent", async () => {
    const url = new URL(`https://${NAME}:1/`);
    expect(await failure(systemHttp.send({ url, address: "127.0.0.1", method: "GET", headers: {} }))).toBe("connect");
  });
});

describe("the certificate", () => {
  test("must be for the name, although the address is right", async () => {
    expect(await failure(send("/here", {}, "other.example.com"))).toBe("tls");
  });

  test("must come from a known authority, whatever the environment says (EGR-1)", async () => {
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
    const { SSL_CERT_FILE } = process.env;
    writeFileSync(join(folder, "other.pem"), newAuthority("another root").certificate);
    process.env["SSL_CERT_FILE"] = join(folder, "other.pem");
    try {
      expect(await failure(send("/here"))).toBe("tls");
    } finally {
      process.env["SSL_CERT_FILE"] = SSL_CERT_FILE;
    }
  });
});

test("roots that cannot be read, or are none, are a refusal that says so", async () => {
  const { SSL_CERT_FILE } = process.env;
  try {
    process.env["SSL_CERT_FILE"] = join(folder, "missing.pem");
    const said = (name: string): string => `the file ${folder}/${name}, which the environment names for roots`;
    await expect(send("/here")).rejects.toThrow(`${said("missing.pem")}, cannot be read`);
    writeFileSync(join(folder, "nonsense.pem"), "no certificate");
    process.env["SSL_CERT_FILE"] = join(folder, "nonsense.pem");
    await expect(send("/here")).rejects.toThrow(`${said("nonsense.pem")}, holds no certificate`);
    expect(await failure(send("/here"))).toBe("tls");
  } finally {
    process.env["SSL_CERT_FILE"] = SSL_CERT_FILE;
  }
});

test("a proxy in the environment is not asked (EGR-1)", async () => {
  for (const name of ["HTTPS_PROXY", "https_proxy", "ALL_PROXY"] as const) process.env[name] = "http://127.0.0.1:1";
  expect((await send("/here")).status).toBe(200);
});

test("the resolver gives every address of a name, and none for a name that cannot exist", async () => {
  expect(await systemDns.lookup("localhost")).toContain("127.0.0.1");
  expect(await systemDns.lookup(`${"a".repeat(64)}.example`)).toEqual([]);
});
