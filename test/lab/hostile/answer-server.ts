/** A hostile API in the lab: `answer-server.ts SETUP` speaks TLS itself and sends the bytes of `answers.ts`. */
import { createSecureContext, createServer, type TLSSocket } from "node:tls";
import { obey, say } from "../line-server.ts";
import { ANSWERS, type Deed } from "./answers.ts";

export interface AnswerSetup {
  readonly addresses: readonly string[];
  /** By server name; another name has no certificate. */
  readonly identities: Readonly<Record<string, { readonly cert: string; readonly key: string }>>;
  /** Where `/to/KIND` redirects. */
  readonly locations: Readonly<Record<string, string>>;
}

/** The connection of a request whose answer never ends was closed by the other side. */
export interface Closed {
  readonly closed: string;
}

/** One request as it arrived. */
export interface Asked {
  readonly host: string;
  readonly line: string;
  readonly cookie?: string;
  /** The address it was received on. */
  readonly to: string;
}

const setup: AnswerSetup = JSON.parse(process.argv[2] ?? "");
const contexts = new Map(
  Object.entries(setup.identities).map(([name, identity]) => [name, createSecureContext(identity)]),
);

function deedFor(path: string): Deed {
  const location = setup.locations[path.replace("/to/", "")];
  if (location !== undefined) {
    return { send: `HTTP/1.1 302 Found\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n` };
  }
  return ANSWERS[path] ?? { send: "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n" };
}

function perform(socket: TLSSocket, deed: Deed): void {
  if ("drip" in deed) {
    const left = [...deed.drip];
    const timer = setInterval(() => socket.write(left.shift() ?? ""), deed.everyMs);
    socket.on("close", () => clearInterval(timer));
    return;
  }
  if (deed.send.length > 0) socket.write(deed.send);
  if ("forEver" in deed) {
    const more = (): void => {
      while (!socket.destroyed && socket.write(deed.forEver));
    };
    socket.on("drain", more);
    more();
  } else if ("next" in deed && deed.next === "close") socket.end();
}

function neverEnds(deed: Deed): boolean {
  return "drip" in deed || "forEver" in deed || ("next" in deed && deed.next === "silence");
}

function serve(socket: TLSSocket): void {
  let head = "";
  socket.on("error", () => undefined);
  socket.on("data", (data) => {
    head += data.toString("latin1");
    if (!head.includes("\r\n\r\n")) return;
    const [line = "", ...headers] = head.split("\r\n");
    head = "";
    const header = (name: string): string | undefined =>
      headers
        .find((field) => field.toLowerCase().startsWith(`${name}:`))
        ?.slice(name.length + 1)
        .trim();
    const cookie = header("cookie");
    say<Asked>({
      fact: {
        host: header("host") ?? "",
        line,
        to: socket.localAddress ?? "",
        ...(cookie === undefined ? {} : { cookie }),
      },
    });
    const path = line.split(" ")[1] ?? "";
    const deed = deedFor(path);
    if (neverEnds(deed)) socket.on("close", () => say<Closed>({ fact: { closed: path } }));
    perform(socket, deed);
  });
}

const first = Object.values(setup.identities)[0];
await Promise.all(
  setup.addresses.map((address) => {
    const server = createServer(
      {
        ...first,
        SNICallback: (name, done) => done(null, contexts.get(name)),
      },
      serve,
    );
    server.on("tlsClientError", () => undefined);
    return new Promise<void>((resolve) => server.listen(443, address, resolve));
  }),
);
say({ up: true });
await obey(() => undefined);
