/** Runs stand-ins inside the lab: `stand-in-server.ts SETUP`, one server for all names of all given modules. */
import { obey, say } from "./line-server.ts";
import type { Call, Preparation, PreparedAnswer, StandIn } from "./stand-in.ts";

/** What `http-lab.ts` starts it with, as JSON. */
export interface ServerSetup {
  /** Paths of stand-in modules. */
  readonly modules: readonly string[];
  readonly certificates: readonly { readonly name: string; readonly cert: string; readonly key: string }[];
  /** Where it listens; on the first one `Call.address` is left out. */
  readonly addresses: readonly string[];
}

export type ServerFact = { readonly call: Call } | { readonly fault: string };
export type ServerCommand = { readonly id: number } & (
  | { readonly prepare: Preparation }
  | { readonly hold: true }
  | { readonly release: true }
  | { readonly settle: true }
);

const setup: ServerSetup = JSON.parse(process.argv[2] ?? "");
const standIns = new Map<string, StandIn>();
const prepared = new Map<string, (PreparedAnswer | null)[]>();

/** Lets the answers go that wait, and the word that one waits. */
let held: (() => void)[] = [];
let isHolding = Promise.withResolvers<void>();

const routeOf = (host: string, method: string, path: string): string => `${method} ${host}${path}`;

async function answer(request: Request, address: string): Promise<Response> {
  const { method, headers } = request;
  const host = headers.get("host") ?? "";
  const { pathname, search } = new URL(request.url);
  const body = await request.arrayBuffer();
  const { host: _, ...others } = Object.fromEntries(headers);
  const call: Call = { method, host, path: pathname, query: search.slice(1), headers: others, body: textOf(body) };
  say<ServerFact>({ fact: { call: address === setup.addresses[0] ? call : { ...call, address } } });
  const standIn = standIns.get(host);
  if (standIn === undefined) return new Response(`no server is called ${host}`, { status: 421 });
  const next = prepared.get(routeOf(host, method, pathname))?.shift();
  if (next?.held) {
    await new Promise<void>((go) => {
      held.push(go);
      isHolding.resolve();
    });
  }
  if (next !== undefined && next !== null) return responseOf(next);
  return await standIn.handle(
    new Request(request.url, { method, headers, ...(body.byteLength === 0 ? {} : { body }) }),
  );
}

function textOf(body: ArrayBuffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return `base64:${Buffer.from(body).toString("base64")}`;
  }
}

function responseOf({ status = 200, headers = {}, body }: PreparedAnswer): Response {
  if (typeof body === "string") return new Response(body, { status, headers: { ...headers } });
  if (body === undefined) return new Response(null, { status, headers: { ...headers } });
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });
}

function fault(text: string): void {
  say<ServerFact>({ fact: { fault: text } });
}

for (const path of setup.modules) {
  const { standIn }: { standIn: StandIn } = await import(path);
  for (const host of standIn.hosts) standIns.set(host, standIn);
}
for (const address of setup.addresses) {
  Bun.serve({
    hostname: address,
    port: 443,
    idleTimeout: 120,
    tls: setup.certificates.map(({ name, cert, key }) => ({
      serverName: name,
      cert: Bun.file(cert),
      key: Bun.file(key),
    })),
    fetch: (request) => answer(request, address),
    error(error) {
      fault(error.stack ?? String(error));
      return new Response("the stand-in failed", { status: 500 });
    },
  });
}
say({ up: true });
await obey<ServerCommand>(async (command) => {
  if ("hold" in command) return await isHolding.promise;
  if ("prepare" in command) {
    const { host, method = "GET", path, answers } = command.prepare;
    prepared.set(routeOf(host, method, path), [...answers]);
    return;
  }
  if ("release" in command) {
    for (const go of held) go();
    held = [];
    isHolding = Promise.withResolvers();
    return;
  }
  for (const [route, answers] of prepared) {
    if (answers.length > 0) fault(`never asked for: ${answers.length} prepared answers of ${route}`);
  }
  prepared.clear();
});
