/** A socket by its file descriptor, with a real process at the other end: nothing is lost, however slow that one is. */
import { expect, test } from "bun:test";
import { OpenSocket } from "../../src/system/open-socket.ts";

const MEGABYTE = 1_000_000;

/** A shell whose fd 3 is the other end, and this end with all that comes, until the end. */
function connected(script: string) {
  const child = Bun.spawn(["/bin/sh", "-c", script], {
    stdio: ["ignore", "ignore", "ignore", "socket-fd"],
    env: { PATH: "/usr/bin:/bin" },
  });
  const fd = child.stdio[3];
  if (typeof fd !== "number") throw new Error("no socket");
  const chunks: Uint8Array[] = [];
  let ends = 0;
  const ended = Promise.withResolvers<string>();
  const socket = new OpenSocket(fd, {
    onChunk: (chunk) => void chunks.push(chunk),
    onEnd: () => {
      ends += 1;
      ended.resolve(Buffer.concat(chunks).toString());
    },
  });
  return { child, socket, ended: ended.promise, ends: () => ends };
}

test("what a slow reader has not taken yet waits in order", async () => {
  const { socket, ended, ends } = connected(`exec head -c ${5 * MEGABYTE} <&3 >&3`);
  const texts = Array.from({ length: 5 }, (_, n) => String(n).repeat(MEGABYTE));
  // While nothing is read here, head can't write and so reads no more.
  socket.pause();
  const waiting = texts.map((text) => socket.write(text));
  socket.resume();
  await Promise.all(waiting);
  expect((await ended) === texts.join("")).toBe(true);
  socket.close();
  expect(ends()).toBe(1);
});

test("the end is EOF for the other side, behind everything written", async () => {
  const { child, socket } = connected(`exit $(($(wc -c <&3) - ${3 * MEGABYTE}))`);
  const waiting = socket.write("x".repeat(3 * MEGABYTE + 7));
  socket.end();
  await waiting;
  expect(await child.exited).toBe(7);
  socket.close();
});

test("a short text is taken at once", async () => {
  const { socket, ended } = connected(
    "IFS= read -r line <&3; echo $line $line >&3; IFS= read -r line <&3; echo $line >&3",
  );
  await socket.write("hello\n");
  expect(socket.write("again\n")).toBeUndefined();
  expect(await ended).toBe("hello hello\nagain\n");
  socket.close();
});

test("what waits when the other end goes, and what is written later, is rejected", async () => {
  const { socket, ended, ends } = connected("IFS= read -r line <&3");
  const waiting = socket.write(`line\n${"x".repeat(5 * MEGABYTE)}`);
  await Promise.all([expect(waiting).rejects.toThrow("closed"), ended]);
  await expect(socket.write("more")).rejects.toThrow("closed");
  socket.close();
  expect(ends()).toBe(1);
});

test("a file descriptor that is no socket is at its end", async () => {
  const ended = Promise.withResolvers<void>();
  const socket = new OpenSocket(1_000_000, { onChunk: () => {}, onEnd: ended.resolve });
  await ended.promise;
  await expect(socket.write("x")).rejects.toThrow("closed");
  socket.close();
});
