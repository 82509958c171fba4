/** `fermix mcp serve` as a process of its own, used by the official MCP client. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { CORE_VERSION } from "../../src/kernel/version.ts";
import { placeSignIn } from "../lab/auth-file.ts";
import { AgentLab, said } from "./lab.ts";

/** Whole processes start here; the machine that runs this decides how long that takes. */
setDefaultTimeout(60_000);

const NOTES_TOOLS = ["count", "crash", "echo", "fail", "finish", "journal", "pid", "wait"].map(
  (tool) => `notes_${tool}`,
);

let lab: AgentLab;
let client: Client;

beforeAll(async () => {
  lab = new AgentLab(["notes", "tasks"], ["notes"]);
  client = await lab.connect();
});

afterAll(async () => {
  await lab[Symbol.asyncDispose]();
});

const call = (name: string, args = {}) => client.callTool({ name, arguments: args }).then(said);

async function namesOf(from: Client): Promise<readonly string[]> {
  return (await from.listTools()).tools.map(({ name }) => name);
}

test("the server says who it is, that its list may change, and what its plugins are", () => {
  expect(client.getServerVersion()).toEqual({ name: "fermix", version: CORE_VERSION });
  expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: true } });
  expect(client.getInstructions()).toContain(`<plugin name="notes">${NOTES_TOOLS.join(", ")}</plugin>`);
});

test("AGT-2/no-list-tool the tools are the plugins' own and nothing else, byte for byte the same each time", async () => {
  const first = await client.listTools();
  expect(first.tools.map(({ name }) => name)).toEqual(NOTES_TOOLS);
  expect(first.tools.find(({ name }) => name === "notes_echo")).toEqual({
    name: "notes_echo",
    description: "Does echo.",
    inputSchema: { type: "object", properties: { text: { type: "string" } } },
  });
  expect(JSON.stringify(await client.listTools())).toBe(JSON.stringify(first));
});

test("a hundred calls at once are each answered with their own answer", async () => {
  const texts = Array.from({ length: 100 }, (_, at) => `text ${at}`);
  expect(await Promise.all(texts.map((text) => call("notes_echo", { text })))).toEqual(texts);
});

test("arguments of 5 MB arrive whole (CASE-100)", async () => {
  const text = "é".repeat(2_500_000);
  expect((await call("notes_echo", { text })) === text).toBe(true);
});

test("progress reaches the client while the call runs", async () => {
  const steps: unknown[] = [];
  const third = Promise.withResolvers<void>();
  const onprogress = (step: { progress: number }) => {
    steps.push(step);
    if (step.progress === 3) third.resolve();
  };
  const counting = client.callTool({ name: "notes_count", arguments: {} }, undefined, { onprogress });
  await third.promise;
  expect(await call("notes_finish")).toBe("finished");
  expect(said(await counting)).toBe("counted");
  expect(steps).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3 })));
});

test("a cancelled call is cancelled at the plugin's server too", async () => {
  const cancel = new AbortController();
  const waiting = client.callTool({ name: "notes_wait", arguments: {} }, undefined, {
    signal: cancel.signal,
    // It has arrived there.
    onprogress: () => cancel.abort(),
  });
  await expect(waiting).rejects.toThrow();
  expect(await call("notes_journal")).toBe("cancelled");
});

test("refusals are results that say what to do", async () => {
  expect(await call("notes_ehco")).toBe(
    'ERROR There is no tool named "notes_ehco".\nFix: did you mean `notes_echo`? `fermix capabilities` lists every tool',
  );
  expect(await call("tasks_echo")).toBe(
    'ERROR "tasks_echo" belongs to tasks, which is not enabled.\nFix: run `fermix plugins enable tasks`',
  );
  expect(await call("notes_echo", { text: 1 })).toStartWith("ERROR The arguments of notes_echo do not fit its schema");
});

test("a server that dies in a call fails that call, and the next one finds it up again (CASE-30)", async () => {
  expect(await call("notes_crash")).toContain("ERROR The process of notes ended during notes_crash (exit code 7)");
  expect(await call("notes_echo", { text: "back" })).toBe("back");
});

test("AGT-3: enabling and disabling on disk reaches the client as list_changed, with no restart", async () => {
  let changed = Promise.withResolvers<void>();
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => changed.resolve());
  lab.enable(["notes", "tasks"]);
  await changed.promise;
  const both = await namesOf(client);
  expect(both.filter((name) => name.startsWith("tasks_")).length).toBe(NOTES_TOOLS.length);
  expect(await call("tasks_echo", { text: "hello" })).toBe("hello");
  changed = Promise.withResolvers();
  lab.enable(["notes"]);
  await changed.promise;
  expect(await namesOf(client)).toEqual(NOTES_TOOLS);
});

test("--plugin serves that one plugin; a plugin that is not there is an error", async () => {
  await using other = new AgentLab(["notes", "tasks"]);
  const only = await other.connect("--plugin", "tasks");
  expect((await namesOf(only)).every((name) => name.startsWith("tasks_"))).toBe(true);
  expect(only.getInstructions()).not.toContain("notes");
  const { code, stdout, stderr } = await other.fermix(["mcp", "serve", "--plugin", "nothing"]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain("nothing");
});

test("a config that cannot be read leaves the server up, saying why, and it recovers by itself", async () => {
  await using broken = new AgentLab(["notes"]);
  broken.config("[fermix_core.plugins");
  const agent = await broken.connect();
  const changed = Promise.withResolvers<void>();
  agent.setNotificationHandler(ToolListChangedNotificationSchema, () => changed.resolve());
  expect(agent.getInstructions()).toContain("<problem>");
  expect(await namesOf(agent)).toEqual([]);
  broken.enable(["notes"]);
  await changed.promise;
  expect(await namesOf(agent)).toEqual(NOTES_TOOLS);
});

const HELLO = [
  {
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
  },
  { method: "notifications/initialized" },
  { id: 2, method: "tools/call", params: { name: "notes_pid" } },
].map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }));

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("a conversation written at once is answered, and at EOF nothing is left running", async () => {
  await using own = new AgentLab(["notes"]);
  const { code, stdout, stderr } = await own.fermix(["mcp", "serve"], `${HELLO.join("\n")}\n`);
  const answers = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect({ code, stderr, ids: answers.map(({ id }) => id).sort() }).toEqual({ code: 0, stderr: "", ids: [1, 2] });
  const pid = Number(answers.find(({ id }) => id === 2).result.content[0].text);
  expect(pid).toBeGreaterThan(1);
  expect(isAlive(pid)).toBe(false);
});

test.each(["SIGTERM", "SIGINT"] as const)("%s ends the server and every plugin's process", async (signal) => {
  await using own = new AgentLab(["notes"]);
  const child = Bun.spawn(own.command("mcp", "serve"), {
    env: own.env,
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
  });
  child.stdin.write(`${HELLO.join("\n")}\n`);
  await child.stdin.flush();
  let text = "";
  for await (const chunk of child.stdout) {
    text += Buffer.from(chunk).toString();
    if (text.includes('"id":2') && text.endsWith("\n")) break;
  }
  const answer = text.split("\n").find((line) => line.includes('"id":2')) ?? "";
  child.kill(signal);
  expect(await child.exited).toBe(0);
  expect(isAlive(Number(JSON.parse(answer).result.content[0].text))).toBe(false);
});

test("TOK-2/stops-server sign-ins that others may read stop it at its start, with the path, the mode and the chmod", async () => {
  await using exposed = new AgentLab(["notes"]);
  placeSignIn(exposed.home, "album:primary");
  const path = join(exposed.home, "auth.json");
  chmodSync(path, 0o644);
  expect(await exposed.fermix(["mcp", "serve"])).toEqual({
    code: 5,
    stdout: "",
    stderr: `fermix mcp serve: "${path}" holds sign-ins and has the mode 0o644; only its owner may read it, expected 0o600.\nfix: \`chmod 600 "${path}"\`\n`,
  });
  chmodSync(path, 0o600);
  expect((await exposed.fermix(["mcp", "serve"])).code).toBe(0);
});

test("TOK-5/never-empty serving, listing, checking and calling make no auth.json", async () => {
  await using fresh = new AgentLab(["notes"]);
  for (const words of ["mcp serve", "plugins list", "plugins doctor", "capabilities", "plugins disable notes"]) {
    expect((await fresh.fermix(words.split(" "))).code).toBe(0);
  }
  expect((await fresh.fermix(["call", "notes_echo"])).code).not.toBe(0);
  expect(existsSync(join(fresh.home, "auth.json"))).toBe(false);
});

test("the log tells of a session: its start, its plugins, its calls and its end", async () => {
  await using own = new AgentLab(["notes"]);
  const agent = await own.connect();
  await agent.callTool({ name: "notes_echo", arguments: { text: "nobody's business" } });
  await agent.callTool({ name: "notes_fail", arguments: {} });
  await agent.close();
  await own.fermix(["call", "nothing"]);
  const folder = join(own.home, "logs");
  expect(readdirSync(folder)).toEqual(["fermix.log"]);
  const text = readFileSync(join(folder, "fermix.log"), "utf8");
  expect(text).not.toContain("business");
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const told = lines.map(({ level, event, tool, outcome, plugin, state, code }) =>
    [level, event, plugin ?? tool, state ?? outcome ?? code].filter((fact) => fact !== undefined).join(" "),
  );
  expect(told.filter((line) => line !== "info plugin notes starting")).toEqual([
    "info serve_started",
    "info plugin notes ready",
    "info call notes_echo ok",
    "warn call notes_fail tool_error",
    "info serve_ended",
    "warn call nothing unknown_tool",
    "error command_failed unknown_tool",
  ]);
});
