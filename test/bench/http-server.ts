/** The API of the bench: `http-server.ts ADDRESS CERT KEY` answers with the same kilobyte of JSON, `/slow` after 10 ms. */

const [address = "", cert = "", key = ""] = process.argv.slice(2);
/** As fast as an API far away never is. */
const THINKING_MS = 10;
const items = Array.from({ length: 8 }, (_, id) => ({ id, title: `Item ${id}`, state: "open", labels: ["a", "b"] }));
const body = JSON.stringify({ total: items.length, items, filler: "x".repeat(400) });

Bun.serve({
  hostname: address,
  port: 443,
  tls: { cert: Bun.file(cert), key: Bun.file(key) },
  async fetch(request) {
    if (request.url.includes("/slow")) await Bun.sleep(THINKING_MS);
    return new Response(body, { headers: { "content-type": "application/json; charset=utf-8" } });
  },
});
process.stdout.write("up\n");
