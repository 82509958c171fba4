/** A web proxy in the lab: `connect-proxy.ts ADDRESS PORT TO` tunnels every name it is asked for to one address. */
import { connect, createServer } from "node:net";
import { obey, say } from "./line-server.ts";

const [address = "", port = "", to = ""] = process.argv.slice(2);

const server = createServer((socket) => {
  socket.on("error", () => undefined);
  socket.once("data", (data) => {
    const line = data.toString("latin1").split("\r\n")[0] ?? "";
    say<string>({ fact: line });
    const up = connect(Number(/:(\d+) HTTP/.exec(line)?.[1]), to, () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      socket.pipe(up).pipe(socket);
    });
    up.on("error", () => socket.destroy());
  });
});
server.listen(Number(port), address, () => say({ up: true }));
await obey(() => undefined);
