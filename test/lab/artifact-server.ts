/** Serves a folder over TLS: `artifact-server.ts FOLDER CERT KEY ADDRESS PORT`; prints `up`, then each request's line. */
import { join } from "node:path";

const [folder = "", cert = "", key = "", hostname = "", port = ""] = process.argv.slice(2);

Bun.serve({
  hostname,
  port: Number(port),
  tls: { cert: Bun.file(cert), key: Bun.file(key) },
  fetch(request) {
    const url = new URL(request.url);
    process.stdout.write(`${request.method} ${request.headers.get("host")}${url.pathname}\n`);
    return new Response(Bun.file(join(folder, url.pathname)));
  },
});
process.stdout.write("up\n");
