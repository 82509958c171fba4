/** The Obsidian server's protocol, spoken to it byte by byte. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect, type Lab, makeLab, SERVER } from "./server.ts";

let lab: Lab;
beforeAll(() => {
  lab = makeLab();
  lab.write("vault/N.md", "naïve 😀 café");
});
afterAll(() => lab.remove());

type Message = { id?: unknown; result?: Record<string, unknown>; error?: { code: number; message: string } };
const request = (id: unknown, method: string, params?: unknown) => ({ jsonrpc: "2.0", id, method, params });
const INIT = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } };

/** Writes the chunks one after another, ends the input, and returns all answers and how the process ended. */
async function talk(...chunks: readonly (string | Uint8Array)[]): Promise<{ answers: Message[]; exit: number }> {
  const child = Bun.spawn(["node", SERVER], {
    env: { PATH: process.env["PATH"], OBSIDIAN_VAULT_PATH: lab.vault },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  for (const chunk of chunks) {
    child.stdin.write(chunk);
    await child.stdin.flush();
  }
  await child.stdin.end();
  const text = await new Response(child.stdout).text();
  const answers = text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Message);
  return { answers, exit: await child.exited };
}

const lines = (...messages: readonly unknown[]) =>
  messages.map((message) => `${typeof message === "string" ? message : JSON.stringify(message)}\n`).join("");
const byId = (answers: readonly Message[], id: unknown) => answers.find((answer) => answer.id === id);

describe("initialize", () => {
  test("agrees to a revision it knows and offers its newest for any other", async () => {
    const asked = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2026-07-28", "1999-01-01"];
    const { answers } = await talk(
      lines(...asked.map((protocolVersion, id) => request(id, "initialize", { ...INIT, protocolVersion }))),
    );
    expect(asked.map((_, id) => byId(answers, id)?.result?.["protocolVersion"])).toEqual([
      "2025-11-25",
      "2025-06-18",
      "2025-03-26",
      "2024-11-05",
      "2025-11-25",
      "2025-11-25",
    ]);
    expect(byId(answers, 0)?.result).toMatchObject({ capabilities: { tools: {} }, serverInfo: { name: "obsidian" } });
  });
});

describe("errors", () => {
  test("carry the code of JSON-RPC, and the session goes on after each", async () => {
    const { answers, exit } = await talk(
      lines(
        "not json",
        "[]",
        JSON.stringify([request(1, "ping")]),
        '"text"',
        { id: 2, method: "ping" },
        { jsonrpc: "2.0", id: 3 },
        { jsonrpc: "2.0", id: null, method: "ping" },
        { jsonrpc: "2.0", id: 1.5, method: "ping" },
        request(4, "resources/list"),
        request(5, "tools/call", { name: "delete_note" }),
        request(6, "tools/call", {}),
        request(7, "tools/call", []),
        request(8, "initialize", {}),
        request(9, "tools/list", { cursor: "next" }),
        { jsonrpc: "2.0", id: 99, result: {} },
        { jsonrpc: "2.0", method: "notifications/unknown" },
        request("last", "ping"),
      ),
    );
    expect(answers.filter(({ id }) => id === null).map(({ error }) => error?.code)).toEqual([
      -32700, -32600, -32600, -32600, -32600, -32600, -32600,
    ]);
    expect([3, 4, 5, 6, 7, 8, 9].map((id) => byId(answers, id)?.error?.code)).toEqual([
      -32600, -32601, -32602, -32602, -32602, -32602, -32602,
    ]);
    expect([byId(answers, "last")?.result, answers.length, exit]).toEqual([{}, 15, 0]);
  });

  test("CASE-70: params that are absent, null or empty list the same tools", async () => {
    const { answers } = await talk(
      lines(
        '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
        request(2, "tools/list", null),
        request(3, "tools/list", {}),
      ),
    );
    const [one, two, three] = [1, 2, 3].map((id) => byId(answers, id)?.result);
    expect(one?.["tools"]).toHaveLength(5);
    expect([two, three]).toEqual([one, one]);
  });
});

describe("bytes", () => {
  test("may cut a message anywhere, also inside a character, and lines may end in CRLF or be blank", async () => {
    const bytes = Buffer.from(
      lines(request(1, "tools/call", { name: "search_notes", arguments: { query: "café 😀" } })).replace(
        "\n",
        "\r\n\r\n\n",
      ),
    );
    const emoji = bytes.indexOf(0xf0);
    const { answers } = await talk(
      bytes.subarray(0, emoji + 1),
      bytes.subarray(emoji + 1, emoji + 3),
      bytes.subarray(emoji + 3),
    );
    const notes = [{ path: "N.md", line: 1, snippet: "naïve 😀 café" }];
    expect(byId(answers, 1)?.result?.["content"]).toEqual([
      { type: "text", text: JSON.stringify({ notes, more: false }, null, 1) },
    ]);
    expect(answers).toHaveLength(1);
  });

  test("of a last message without newline are answered, then the process ends", async () => {
    const { answers, exit } = await talk(JSON.stringify(request(1, "ping")));
    expect([answers, exit]).toEqual([[{ jsonrpc: "2.0", id: 1, result: {} } as Message], 0]);
  });

  test("of a message of several MiB are taken", async () => {
    const pad = "é".repeat(3 * 1024 * 1024);
    const { answers } = await talk(lines(request(1, "ping", { pad }), request(2, "ping")));
    expect([byId(answers, 1)?.result, byId(answers, 2)?.result, answers.length]).toEqual([{}, {}, 2]);
  });
});

describe("ending", () => {
  test("no input at all ends the process at once", async () => {
    expect(await talk()).toEqual({ answers: [], exit: 0 });
  });

  test("a client that closes its end leaves no process behind", async () => {
    const session = await connect(lab.vault);
    const pid = (session.client.transport as { pid?: number } | undefined)?.pid ?? 0;
    expect(pid).toBeGreaterThan(0);
    await session.close();
    expect(() => process.kill(pid, 0)).toThrow();
  });
});

test("a cancelled search is not answered and does not hold up the next request", async () => {
  for (let at = 0; at < 400; at += 1) lab.write(`vault/many/${at}.md`, "nothing here");
  const { answers } = await talk(
    lines(
      request(1, "tools/call", { name: "search_notes", arguments: { query: "needle" } }),
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } },
      request(2, "ping"),
    ),
  );
  expect(answers).toEqual([{ jsonrpc: "2.0", id: 2, result: {} } as Message]);
});
