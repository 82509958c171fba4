import { afterEach, describe, expect, test } from "bun:test";
import { MAX_MESSAGE_DEPTH, nestsDeeper } from "../../../src/kernel/json-depth.ts";
import { RELIST_PAUSE_MS } from "../../../src/rails/local-mcp/supervise-policy.ts";
import { FakeClock } from "../../fakes/clock.ts";
import { call, named, text } from "../contract.ts";
import { eventually, labPlugin, tinyServer } from "./laboratory.ts";
import { closeAll, failureOf, open, ready } from "./sessions.ts";

afterEach(closeAll);

describe("the tool list", () => {
  test("is read page by page, and an empty cursor ends it", async () => {
    const session = await ready(
      `methods["tools/list"] = ({ id, params }) => send({ id, result: params.cursor === "2"
         ? { tools: [tool("second")], nextCursor: "" } : { tools: [tool("first")], nextCursor: "2" } });`,
    );
    expect(session.tools().map(({ name }) => String(name))).toEqual(["lab_first", "lab_second"]);
  });

  test.each([
    ["repeats a cursor", `{ tools: [], nextCursor: "again" }`, "tools/list repeats a cursor, so it has no end"],
    ["has no end", `{ tools: [], nextCursor: String(Math.random()) }`, "tools/list has more than 100 pages"],
    [
      "is too long",
      `{ tools: Array.from({ length: 2001 }, (_, n) => tool("t" + n)) }`,
      "tools/list names more than 2000 tools",
    ],
    ["is no list", `{ tools: "none" }`, "tools/list answered without a list of tools"],
  ])("that %s is a failed start", async (_name, result, lastError) => {
    const lab = labPlugin(tinyServer(`methods["tools/list"] = ({ id }) => send({ id, result: ${result} });`));
    const session = open(lab, { clock: new FakeClock() });
    const { code, details } = await failureOf(session);
    expect(code).toBe("discovery_failed");
    expect(details).toMatchObject({ attempts: 5, lastError });
  });

  test("odd tools do not spoil the rest, and 2000 are not too many", async () => {
    const session = await ready(
      `tools = Array.from({ length: 1996 }, (_, n) => tool("t" + n)).concat([{ name: "ok" }, { name: "***" }, { name: "" }, 7, null]);`,
    );
    expect(session.tools()).toHaveLength(1997);
    expect(named(session, "ok")).toMatchObject({ description: "", inputSchema: { type: "object" }, readOnly: false });
  });

  test("a tool with a bottomless schema keeps its place, and so do the others (AGT-12)", async () => {
    const session = await ready(
      `const deep = '{"items":'.repeat(100000) + "{}" + "}".repeat(100000);
       methods["tools/list"] = ({ id }) => write('{"jsonrpc":"2.0","id":' + id + ',"result":{"tools":[{"name":"good"},{"name":"deep","inputSchema":' + deep + "}]}}\\n");`,
    );
    expect(session.tools().map(({ name }) => String(name))).toEqual(["lab_deep", "lab_good"]);
    const { inputSchema } = named(session, "deep");
    expect([nestsDeeper(inputSchema, 400), nestsDeeper(inputSchema, MAX_MESSAGE_DEPTH)]).toEqual([true, false]);
  });

  test("is read again when the server says that it changed", async () => {
    const session = await ready(
      `offer("grow", () => { offer("grown", () => text("new")); send({ method: "notifications/tools/list_changed" }); send({ method: "notifications/tools/list_changed" }); return text("ok"); });`,
    );
    let changes = 0;
    session.onChange(() => {
      changes += 1;
    });
    await call(session, "grow", {});
    expect(await eventually(() => session.tools().some(({ upstreamName }) => upstreamName === "grown"))).toBe(true);
    expect(await call(session, "grown", {})).toEqual(text("new"));
    expect(changes).toBe(1);
  });

  test("of a server that says without end that it changed is read with a pause between two looks", async () => {
    const clock = new FakeClock();
    const session = await ready(
      `let looks = 0;
       methods["tools/list"] = ({ id }) => {
         looks += 1;
         send({ id, result: { tools: [tool("look_" + looks)] } });
         if (looks < 5) send({ method: "notifications/tools/list_changed" });
       };`,
      { clock },
    );
    expect(await eventually(() => session.tools()[0]?.upstreamName === "look_5")).toBe(true);
    expect(clock.slept.filter((ms) => ms === RELIST_PAUSE_MS).length).toBeGreaterThanOrEqual(3);
  });

  test("a server without tools is ready with none", async () => {
    const session = await ready(
      `methods.initialize = ({ id, params }) => send({ id, result: { protocolVersion: params.protocolVersion, capabilities: {}, serverInfo: { name: "t", version: "1" } } });`,
    );
    expect(session.tools()).toEqual([]);
  });

  test("the handshake names fermix and claims no capabilities", async () => {
    const session = await ready(
      `let hello; const greet = methods.initialize; methods.initialize = (m) => { hello = m.params; greet(m); };
       offer("hello", () => text(JSON.stringify(hello)));`,
    );
    const outcome = await call(session, "hello", {});
    expect(outcome).toMatchObject({ ok: true });
    const [block] = outcome.ok ? (outcome.result["content"] as { text: string }[]) : [];
    expect(JSON.parse(block?.text ?? "")).toMatchObject({
      capabilities: {},
      clientInfo: { name: "fermix", version: expect.stringMatching(/^\d+\.\d+\.\d+$/) },
    });
  });
});
