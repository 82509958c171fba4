/** The real listener on loopback, and who holds a port that is not free. */
import type { Loopback, LoopbackAnswer, LoopbackReply, LoopbackRequest } from "../kernel/ports.ts";
import { portHolder } from "./port-holder.ts";

const ADDRESS = "127.0.0.1";
/** Spec 8.2: whoever connects and sends nothing whole is cut off; Bun looks at this about every five seconds. */
const READ_SECONDS = 5;
/**
 * Spec 8.2. The provider chooses the code's length, and a browser sends with `localhost` the cookies of every service that
 * was ever developed there. Bun's own limit is a quarter of this.
 */
const MAX_HEAD_BYTES = 64_000;
/** What a sign-in is answered with has no body. */
const MAX_BODY_BYTES = 1024;
/** For an answer on its way out when the listener closes. */
const LAST_WORDS_MS = 500;

/** Bun's server on 127.0.0.1, with no connection kept for a second request. */
export function systemLoopback(): Loopback {
  return {
    async listen(port, answer) {
      try {
        return { state: "listening", listener: serve(port, answer) };
      } catch (cause) {
        return await refusal(port, cause);
      }
    },
  };
}

function serve(port: number, answer: (request: LoopbackRequest) => Promise<LoopbackReply>) {
  const underWay = new Set<Promise<unknown>>();
  // Bun has this for the whole process, and nowhere else; no other server runs in one that signs in.
  Object.assign(process.getBuiltinModule("node:http"), { maxHeaderSize: MAX_HEAD_BYTES });
  const server = Bun.serve({
    hostname: ADDRESS,
    port,
    idleTimeout: READ_SECONDS,
    maxRequestBodySize: MAX_BODY_BYTES,
    development: false,
    async fetch(request, { timeout }) {
      // An answer may have to wait for the provider.
      timeout.call(server, request, 0);
      // A request without a Host has an address without one.
      const { pathname = "", search = "" } = URL.parse(request.url, `http://${ADDRESS}`) ?? {};
      const work = answer({ method: request.method, target: pathname + search, headers: request.headers });
      underWay.add(work);
      try {
        const { status, headers, body } = await work;
        return new Response(body, { status, headers: { ...headers, connection: "close" } });
      } finally {
        underWay.delete(work);
      }
    },
    error: () => new Response(null, { status: 500, headers: { connection: "close" } }),
  });
  return {
    port: server.port ?? port,
    async close() {
      await Promise.allSettled(underWay);
      const patience = Promise.withResolvers<void>();
      const timer = setTimeout(patience.resolve, LAST_WORDS_MS);
      await Promise.race([server.stop(), patience.promise]);
      clearTimeout(timer);
      await server.stop(true);
    },
  };
}

async function refusal(port: number, cause: unknown): Promise<LoopbackAnswer> {
  const { code, message } = cause as { readonly code?: unknown; readonly message: string };
  if (code === "EADDRINUSE") return { state: "in_use", holder: await portHolder(port) };
  return { state: "refused", reason: typeof code === "string" ? code : message };
}
