/** Accepts every connection and prints it: `tcp-recorder.ts ADDRESS PORT`; prints `up`, then one line a connection. */
const [hostname = "", port = ""] = process.argv.slice(2);

Bun.listen({
  hostname,
  port: Number(port),
  socket: {
    open(socket) {
      process.stdout.write("connection\n");
      socket.end();
    },
    data() {},
  },
});
process.stdout.write("up\n");
