/** Keeps the connections of each name apart, and says when one had to be opened. */
import { readFileSync } from "node:fs";
import { HttpFailure } from "../kernel/http-failure.ts";

/** Manifests name the hosts; a connection that nobody uses costs its server as well. */
const MAX_POOLS = 64;
/**
 * Twice as many as may be in use at once (DECISIONS 16): the next request starts a moment before the last one's
 * connection is free, and a pool that is too small for both closes connections only to open others.
 */
const MAX_IDLE_CONNECTIONS = 16;
/** Servers close idle connections after a minute or so, and a write that meets the closing is lost. */
const IDLE_MS = 55_000;

export interface ConnectionPool {
  readonly session: Bun.FetchSession;
  /** False as long as a new request certainly needs a new connection. */
  mayHaveOpen: boolean;
  /** Requests that wait for a connection; each is told, once, when one stands, for nobody can say whose it is. */
  readonly opening: Set<() => void>;
  usedAt: Moment;
}

/** By two clocks: the one that nobody sets stands still while the machine sleeps, and its connections die meanwhile. */
interface Moment {
  readonly running: number;
  readonly wall: number;
}

const pools = new Map<string, ConnectionPool>();

/** The connections to a name, or to it through a proxy. The certificate of each is checked for that name. */
export function poolFor(name: string, proxy: string | undefined): ConnectionPool {
  const trust = process.env["SSL_CERT_FILE"] ?? "";
  const key = `${name} ${proxy ?? ""} ${trust}`;
  const now = moment();
  let pool = pools.get(key);
  if (pool !== undefined && msBetween(pool.usedAt, now) > IDLE_MS) {
    pool.session.close();
    pool = undefined;
  }
  pool ??= openPool(name, proxy, trust);
  pool.usedAt = now;
  // Last in the map is the one used last.
  pools.delete(key);
  pools.set(key, pool);
  if (pools.size > MAX_POOLS) closeOldest();
  return pool;
}

/**
 * Closes what is idle in a pool where a request failed, and lets the next request open a connection anew: a network
 * that went, or a sleep, leaves all of them dead, and each would cost another request its whole time to answer.
 */
export function givePoolUp(given: ConnectionPool): void {
  for (const [key, pool] of pools) if (pool === given) pools.delete(key);
  given.session.close();
}

function openPool(name: string, proxy: string | undefined, trust: string): ConnectionPool {
  // Loading it with the file would slow every start.
  const { checkServerIdentity } = process.getBuiltinModule("node:tls");
  const pool: ConnectionPool = {
    mayHaveOpen: false,
    opening: new Set(),
    usedAt: moment(),
    session: new Bun.FetchSession({
      proxy: proxy === undefined ? false : { url: proxy, respectNoProxy: false },
      keepAlive: { idleTimeout: IDLE_MS / 1000, maxIdleSockets: MAX_IDLE_CONNECTIONS },
      tls: {
        serverName: name,
        rejectUnauthorized: true,
        ...operatorRoots(trust),
        checkServerIdentity: (host, certificate) => {
          const fault = checkServerIdentity(host, certificate);
          if (fault === undefined) opened(pool);
          return fault;
        },
      },
    }),
  };
  return pool;
}

function opened(pool: ConnectionPool): void {
  pool.mayHaveOpen = true;
  for (const tell of pool.opening) tell();
  pool.opening.clear();
}

function moment(): Moment {
  return { running: performance.now(), wall: Date.now() };
}

function msBetween(from: Moment, to: Moment): number {
  return Math.max(to.running - from.running, to.wall - from.wall);
}

function closeOldest(): void {
  for (const [key, pool] of pools) {
    pools.delete(key);
    pool.session.close();
    return;
  }
}

/** SSL_CERT_FILE replaces the built-in roots, as in OpenSSL; Bun itself reads NODE_EXTRA_CA_CERTS (DECISIONS 14). */
function operatorRoots(trust: string): { ca?: string[] } {
  if (trust === "") return {};
  const extra = process.env["NODE_EXTRA_CA_CERTS"] ?? "";
  return { ca: [trust, extra].filter((path) => path !== "").map(readRoots) };
}

function readRoots(path: string): string {
  const roots = `the file ${path}, which the environment names for roots`;
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    throw new HttpFailure("tls", `${roots}, cannot be read`, { cause });
  }
  // The engine would say that it failed to open a socket.
  if (!text.includes("-----BEGIN ")) throw new HttpFailure("tls", `${roots}, holds no certificate`);
  return text;
}
