/** The one door: what is called, what is refused, and with which words. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { callTool } from "../../src/host/call-tool.ts";
import { FermixError } from "../../src/kernel/error.ts";
import type { ToolOutcome } from "../../src/rails/rail.ts";
import type { FakeClock } from "../fakes/clock.ts";
import { railTool, text } from "../fakes/rail-session.ts";
import { placeSignIn } from "../lab/auth-file.ts";
import { catalogEntry, keyManifest, localManifest, oauthManifest } from "../plugins/lab.ts";
import { HostLab } from "./lab.ts";

function refusal(outcome: ToolOutcome) {
  if (outcome.ok) throw new Error("the call was answered");
  const { code, details, fix } = outcome.error;
  return { code: String(code), details: details as unknown, fix };
}

test("a live tool is called with exactly what was given, and its answer comes back as it is", async () => {
  using lab = new HostLab().with("notes");
  const host = await lab.host();
  lab.session("notes").answer = () => text("found");
  expect(await callTool(host, "notes_look", { q: "x", more: [1] })).toEqual(text("found"));
  expect(lab.session("notes").calls).toEqual([{ tool: "notes_look", args: { q: "x", more: [1] } }]);
});

test("AGT-2/disabled-refused a disabled plugin's tool is refused with how to enable it", async () => {
  using lab = new HostLab().with("notes", "tasks");
  lab.enable(["tasks"]);
  const host = await lab.host();
  expect(refusal(await callTool(host, "notes_look", {}))).toEqual({
    code: "plugin_disabled",
    details: { plugin: "notes", tool: "notes_look" },
    fix: "run `fermix plugins enable notes`",
  });
});

test("a plugin that is not ready says its status and the fix of the readiness table", async () => {
  using lab = new HostLab();
  lab.installed(localManifest("vault", {}, { config: [{ key: "VAULT_PATH", prompt: "Where?", required: true }] }));
  lab.enable(["vault"]);
  const host = await lab.host();
  expect(refusal(await callTool(host, "vault_look", {}))).toEqual({
    code: "plugin_not_ready",
    details: {
      plugin: "vault",
      status: "needs_config",
      facts: "VAULT_PATH",
      remedy: "`fermix plugins config set vault VAULT_PATH VALUE`",
    },
    fix: "`fermix plugins config set vault VAULT_PATH VALUE`",
  });
});

test("a runtime that is missing and a version that does not fit are named as at install, and exit as there", async () => {
  using lab = new HostLab();
  lab.installed(localManifest("snake", { kind: "python", command: "python3" }));
  lab.installed({ ...localManifest("later"), min_core_version: "99.0.0" });
  lab.enable(["snake", "later"]);
  const host = await lab.host();
  const outcomes = [await callTool(host, "snake_look", {}), await callTool(host, "later_look", {})];
  expect(outcomes.map((outcome) => (outcome.ok ? outcome : [outcome.error.code, outcome.error.exit]))).toEqual([
    ["missing_host_runtime", "failed"],
    ["incompatible", "failed"],
  ]);
});

test("AUTH-6/not-connected AUTH-6/oauth AUTH-6/key-missing a credential that is in the way is named in its own sentence", async () => {
  using lab = new HostLab();
  for (const name of ["album", "lost"]) lab.installed(oauthManifest(name, "github"));
  lab.installed(keyManifest("chat"));
  lab.enable(
    ["album", "lost", "chat"],
    "[fermix_core.oauth.github]",
    'client_id = "id"',
    'client_secret = "not-a-real-one"',
  );
  placeSignIn(lab.home.root, "lost:primary", { status: "reauthorization_required" });
  const host = await lab.host();
  const messageOf = async (tool: string): Promise<unknown> => {
    const outcome = await callTool(host, tool, { q: "x" });
    return outcome.ok ? outcome : outcome.error.message;
  };
  expect(await messageOf("album_look")).toBe(
    "album is enabled but not connected. Run `fermix plugins auth login album`.",
  );
  expect(await messageOf("lost_look")).toBe("lost needs reconnection. Run `fermix plugins auth reauthorize lost`.");
  expect(await messageOf("chat_look")).toBe("chat is missing its API key. Run `fermix plugins auth set chat`.");
});

test("CASE-33 a call says which runtime is missing and where it was looked for", async () => {
  using lab = new HostLab();
  lab.installed(localManifest("snake", { kind: "python", command: "python99", min_version: "3.99" }));
  lab.enable(["snake"]);
  const outcome = await callTool(await lab.host(), "snake_look", {});
  if (outcome.ok) throw new Error("the call was answered");
  expect(outcome.error.code).toBe("missing_host_runtime");
  expect(outcome.error.message).toBe(
    `snake needs python99 >=3.99, which is not there (looked in: ${JSON.stringify(join(lab.folder, "bin"))}).`,
  );
});

test("an unknown tool gets the closest name, and none when nothing is close", async () => {
  using lab = new HostLab().with("notes");
  const host = await lab.host();
  expect(refusal(await callTool(host, "notes_lok", {}))).toMatchObject({
    code: "unknown_tool",
    details: { tool: "notes_lok", suggestion: "notes_look" },
  });
  expect(refusal(await callTool(host, "weather", {})).details).toEqual({ tool: "weather" });
});

test("a name in part gets the shortest tool that it begins or ends, with the plugin's name or without", async () => {
  using lab = new HostLab({ catalog: [catalogEntry("notes", { latest: "1.0.0" })] }).with("notes");
  const host = await lab.host();
  for (const tool of ["notes_l", "look"]) {
    const { details } = refusal(await callTool(host, tool, {}));
    expect(details).toEqual({ tool, suggestion: "notes_look" });
  }
});

test("a tool that an enabled plugin does not have leads to its tools, and not to enabling it from the catalog", async () => {
  using lab = new HostLab({ catalog: [catalogEntry("notes", { latest: "1.0.0" })] }).with("notes");
  const host = await lab.host();
  for (const tool of ["notes_", "notes_translate"]) {
    const error = refusal(await callTool(host, tool, {}));
    expect(error.details).toEqual({ tool, served: "notes" });
    expect(error.fix).toStartWith("run `fermix plugins info notes`");
  }
});

test("a tool of a catalog plugin that is not installed is answered with how to get it", async () => {
  const entries = [catalogEntry("chess", { latest: "1.0.0" }), catalogEntry("card", { latest: null, versions: [] })];
  using lab = new HostLab({ catalog: entries });
  const host = await lab.host();
  const error = refusal(await callTool(host, "chess_move", {}));
  expect(error).toMatchObject({ code: "unknown_tool", details: { tool: "chess_move", plugin: "chess" } });
  expect(error.fix).toStartWith("run `fermix plugins enable chess`");
  expect(refusal(await callTool(host, "card_show", {})).details).toEqual({ tool: "card_show" });
});

test("the longest plugin name owns a tool", async () => {
  using lab = new HostLab().with("a", "a_b");
  lab.enable(["a"]);
  const host = await lab.host();
  expect(refusal(await callTool(host, "a_b_look", {})).details).toEqual({ plugin: "a_b", tool: "a_b_look" });
});

test("a call waits for a server that is starting, and says so when it takes too long", async () => {
  using lab = new HostLab().with("notes");
  lab.startsAs.set("notes", { status: "starting", attempt: 1 });
  const host = await lab.host();
  expect(refusal(await callTool(host, "notes_look", {})).code).toBe("plugin_starting");
  lab.session("notes").answer = () => text("now");
  const waiting = callTool(host, "notes_look", {});
  lab.session("notes").become({ status: "ready" });
  expect(await waiting).toEqual(text("now"));
});

test("a server that gave up answers with why", async () => {
  using lab = new HostLab().with("notes");
  const error = new FermixError("stdout_flood", { plugin: "notes", limitBytes: 1 });
  lab.startsAs.set("notes", { status: "failed", error });
  const host = await lab.host();
  expect(await callTool(host, "notes_look", {})).toEqual({ ok: false, error });
});

test("a fault that keeps every plugin from loading is what a call is told", async () => {
  using lab = new HostLab();
  lab.devLocal("/nowhere/at/all");
  const host = await lab.host();
  expect(refusal(await callTool(host, "notes_look", {})).code).toBe("dev_local_unreadable");
});

test("arguments that do not fit never reach the server", async () => {
  using lab = new HostLab().with("notes");
  const host = await lab.host();
  const inputSchema = { type: "object", properties: { q: { type: "string" } }, required: ["q"] };
  lab.session("notes").become({ status: "ready" }, [railTool("notes", "look", { inputSchema })]);
  expect(refusal(await callTool(host, "notes_look", { q: 1 }))).toMatchObject({
    code: "invalid_arguments",
    details: { tool: "notes_look", path: "/q", reason: "must be string" },
  });
  expect(lab.session("notes").calls).toEqual([]);
});

test("a key that came into the keychain, or a keychain that was unlocked, is noticed by the next call", async () => {
  using lab = new HostLab();
  const auth = { type: "api_key", key_name: "CHAT_KEY", header: "Authorization", prompt: "Key" };
  lab.installed(localManifest("chat", {}, { auth }), { "src/index.js": "" });
  lab.enable(["chat"], "[fermix_core.plugin_secrets]", 'chat = "@keyring"');
  const clock = lab.app.ports.clock as FakeClock;
  const calledAfter = async (ms: number) => {
    clock.advance(ms);
    const outcome = await callTool(host, "chat_look", {});
    return outcome.ok ? "answered" : outcome.error.code;
  };
  /** What a session says that no test gave an answer. */
  const reached = "unexpected call of chat_look";
  lab.keychain.trouble = { state: "locked" };
  const host = await lab.host();
  expect(await calledAfter(0)).toBe("keychain_locked");
  lab.keychain.trouble = undefined;
  lab.keychain.item("fermix", "PLUGIN_CHAT_CHAT_KEY").item("fermix", "CHAT_KEY");
  expect(await calledAfter(999)).toBe("keychain_locked");
  expect(lab.keychain.asked.length).toBe(1);
  expect(await calledAfter(1)).toBe("key_missing");
  lab.keychain.item("fermix", "PLUGIN_CHAT_CHAT_KEY", "k");
  await expect(calledAfter(1000)).rejects.toThrow(reached);
  expect(lab.keychain.asked.length).toBe(3);
});

test("the log has the tool, the outcome and the duration of each call, and nothing of what was asked or answered", async () => {
  using lab = new HostLab().with("notes");
  const host = await lab.host();
  const session = lab.session("notes");
  session.answer = () => {
    (lab.app.ports.clock as FakeClock).advance(1_234);
    return text("found");
  };
  await callTool(host, "notes_look", { q: "a secret" });
  session.answer = () => ({ ok: true, result: { content: [], isError: true } });
  await callTool(host, "notes_look", {});
  await callTool(host, "notes_loook", {});
  session.answer = () => {
    throw new Error("a bug");
  };
  await expect(callTool(host, "notes_look", {})).rejects.toThrow("a bug");
  expect(lab.log.lines).toEqual([
    { level: "info", event: "call", tool: "notes_look", outcome: "ok", ms: 1_234 },
    { level: "warn", event: "call", tool: "notes_look", outcome: "tool_error", ms: 0 },
    { level: "warn", event: "call", tool: "notes_loook", outcome: "unknown_tool", ms: 0 },
    {
      level: "error",
      event: "call",
      tool: "notes_look",
      outcome: "internal",
      ms: 0,
      stack: expect.stringContaining("Error: a bug"),
    },
  ]);
});
