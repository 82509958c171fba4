/** `call-lane.ts`: what a call's result becomes as a line, when it is more than an agent's client reads. */
import { expect, test } from "bun:test";
import { ReadBuffer } from "@modelcontextprotocol/sdk/shared/stdio.js";
import { CallLane } from "../../src/agent/call-lane.ts";
import { MAX_RESULT_MESSAGE_BYTES, type ToolOutcome } from "../../src/rails/rail.ts";

/** The one line with which a call is answered whose result is this text. */
async function lineFor(text: string): Promise<string> {
  const lines: string[] = [];
  const outcome: ToolOutcome = { ok: true, result: { content: [{ type: "text", text }] } };
  const lane = new CallLane(
    async () => outcome,
    (line) => lines.push(line),
    () => true,
  );
  await lane.start(7, { name: "web_get" }, "");
  expect(lines).toHaveLength(1);
  return lines[0] ?? "";
}

const AROUND = Buffer.byteLength(await lineFor(""));

test.each(["x", '"', "\u20ac"])("a result of %p at the limit is read by the official client", async (letter) => {
  const each = Buffer.byteLength(JSON.stringify(letter)) - 2;
  const line = await lineFor(letter.repeat(Math.floor((MAX_RESULT_MESSAGE_BYTES - AROUND) / each)));
  expect(Buffer.byteLength(line)).toBeGreaterThan(MAX_RESULT_MESSAGE_BYTES - each);
  const client = new ReadBuffer();
  // The last piece that a pipe gives may hold the beginning of the next message.
  client.append(Buffer.from(line));
  client.append(Buffer.from(`\n${"x".repeat(64 * 1024 - 1)}`));
  expect(client.readMessage()).toMatchObject({ id: 7, result: { content: [{ type: "text" }] } });
});

test("one byte more is a refusal, which the agent can act on", async () => {
  const bytes = MAX_RESULT_MESSAGE_BYTES + 1;
  expect(JSON.parse(await lineFor("x".repeat(bytes - AROUND)))).toEqual({
    jsonrpc: "2.0",
    id: 7,
    result: {
      content: [
        {
          type: "text",
          text: `web_get succeeded, and its result is ${bytes} bytes as a message; an agent's client takes ${MAX_RESULT_MESSAGE_BYTES} at most.\nFix: do not repeat what changes something; to read, ask for less: a smaller page, fewer fields, a narrower search`,
        },
      ],
      isError: true,
      _meta: { "fermix/code": "result_too_large" },
    },
  });
});
