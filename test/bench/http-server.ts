/** The API of the bench: `http-server.ts ADDRESS CERT KEY` answers every request with the same kilobyte of JSON. */

const [address = "", cert = "", key = ""] = process.argv.slice(2);
const items = Array.from({ length: 8 }, (_, id) => ({ id, title: `Item ${id}`, state: "open", labels: ["a", "b"] }));
const body = JSON.stringify({ total: items.length, items, filler: "x".repeat(400) });

Bun.serve({
  hostname: address,
  port: 443,
  tls: { cert: Bun.file(cert), key: Bun.file(key) },
  fetch: () => new Response(body, { headers: { "content-type": "application/json; charset=utf-8" } }),
});
process.stdout.write("up\n");
