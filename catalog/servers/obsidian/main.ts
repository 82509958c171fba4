/** The Obsidian server: an MCP session over stdin and stdout that ends when its input does. */
import { exit, stdin, stdout } from "node:process";
import { LineReader } from "./lines.ts";
import { Session } from "./protocol.ts";

/** The client chooses the length of a message; 5 MiB of content may take six bytes for each of its own in JSON. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

/** How long answers may take after the input ended. */
const LAST_ANSWERS_MS = 1000;

const session = new Session((message) => stdout.write(`${JSON.stringify(message)}\n`));
const lines = new LineReader(
  MAX_MESSAGE_BYTES,
  (line) => void session.receive(line),
  () => session.refuseOversize(MAX_MESSAGE_BYTES),
);

stdout.on("error", () => exit(0));
stdin.on("data", (chunk: Buffer) => lines.push(chunk));
stdin.on("error", () => session.close());
stdin.on("end", () => {
  lines.end();
  // What was asked is answered; a search that takes longer than this is given up, and with it the process ends.
  setTimeout(() => session.close(), LAST_ANSWERS_MS).unref();
});
