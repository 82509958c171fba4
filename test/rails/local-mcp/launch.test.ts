import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { openLocalSession } from "../../../src/rails/local-mcp/open.ts";
import type { RailSession } from "../../../src/rails/rail.ts";
import { FakeClock } from "../../fakes/clock.ts";
import { FakeProcesses } from "../../fakes/processes.ts";
import { call, codeOf, named, text } from "../contract.ts";
import { environment, LAB, labPlugin, loaded, localRuntime, NO_SETTINGS, tinyServer } from "./laboratory.ts";
import type { Given } from "./sessions.ts";
import { closeAll, failureOf, open, ready } from "./sessions.ts";

afterEach(closeAll);

describe("what the server is given", () => {
  test("LOC-6/allowlist LOC-6/config-and-pass-env LOC-6/never-secrets: its environment is the allow-list, its settings and pass_env, and nothing else", async () => {
    const path = process.env["PATH"] ?? "";
    const secrets = { CANARY_TOKEN: "c", AWS_SECRET_ACCESS_KEY: "a", SSH_AUTH_SOCK: "/s", GITHUB_TOKEN: "g" };
    const ours = {
      FERMIX_HOME: "/f",
      FERMIX_PLUGIN_KEY_LAB: "k",
      BUN_OPTIONS: "--smol",
      NODE_OPTIONS: "",
      LD_PRELOAD: "",
    };
    const base = { PATH: path, HOME: "/h", USER: "u", LANG: "C.UTF-8", TMPDIR: "/tmp" };
    const lab = labPlugin(
      tinyServer(`offer("environ", () => text(require("node:fs").readFileSync("/proc/self/environ", "utf8")));`),
      { env: { MODE: "quiet" }, passEnv: ["PASSED", "UNSET"] },
    );
    const session = open(lab, {
      env: environment({ ...secrets, ...ours, ...base, PASSED: "p" }),
      settings: new Map<string, string | boolean | number>([
        ["OBSIDIAN_VAULT_PATH", "/v ault"],
        ["ALLOW_COMMANDS", true],
        ["enabled", true],
        ["auth_profile", "x"],
      ]),
    });
    await session.settled();
    const outcome = await call(session, "environ", {});
    const [block] = outcome.ok ? (outcome.result["content"] as { text: string }[]) : [];
    expect(block?.text.split("\0").filter(Boolean).sort()).toEqual(
      [
        `PATH=${environment({ PATH: path }).path.join(":")}`,
        ...["HOME=/h", "USER=u", "LANG=C.UTF-8", "TMPDIR=/tmp", "MODE=quiet", "PASSED=p"],
        ...["OBSIDIAN_VAULT_PATH=/v ault", "ALLOW_COMMANDS=true"],
      ].sort(),
    );
  });

  test("it runs in its own folder with its own files as absolute arguments", async () => {
    const lab = labPlugin(
      tinyServer(`offer("where", () => text(JSON.stringify([process.cwd(), ...process.argv.slice(1)])));`),
    );
    const session = open(lab);
    await session.settled();
    expect(await call(session, "where", {})).toEqual(
      text(JSON.stringify([lab.dir, join(lab.dir, "src/index.js"), lab.scratch])),
    );
  });
});

/** `${name}`, as a template that nobody filled has it. */
function placeholder(name: string): string {
  return ["$", "{", name, "}"].join("");
}

describe("what cannot be started is not tried", () => {
  const lab = labPlugin("");
  afterAll(() => lab.dispose());
  const neverStarts = (runtime: Partial<ReturnType<typeof localRuntime>>, given: Given = {}): RailSession =>
    openLocalSession(
      { processes: new FakeProcesses(), clock: new FakeClock() },
      given.env ?? environment(),
      loaded(lab.dir, localRuntime(runtime)),
      given.settings ?? NO_SETTINGS,
    );

  test("LOC-2/missing-or-old: a runtime that is nowhere on PATH is missing_host_runtime with the places, not ENOENT", async () => {
    const session = neverStarts(
      { command: "no-such-node", minVersion: "20" },
      { env: environment({ PATH: "/nonexistent/a:/nonexistent/b" }) },
    );
    expect(await failureOf(session)).toEqual({
      code: "missing_host_runtime",
      details: { plugin: LAB, wanted: "no-such-node >=20", lookedIn: ["/nonexistent/a", "/nonexistent/b"] },
    });
  });

  test("CASE-14: one plugin without its runtime does not keep the others from being listed", async () => {
    const sessions = [
      open(labPlugin(tinyServer())),
      neverStarts({ command: "no-such-node" }),
      open(labPlugin(tinyServer())),
    ];
    await Promise.all(sessions.map((session) => session.settled()));
    expect(sessions.map((session) => session.tools().length)).toEqual([3, 0, 3]);
    expect((await failureOf(neverStarts({ command: "no-such-node" }))).code).toBe("missing_host_runtime");
  });

  test("CASE-13: a setting that still holds a placeholder is unresolved_value, and nothing is started", async () => {
    const settings = new Map([["VAULT", placeholder("user_config.vault")]]);
    expect(await failureOf(neverStarts({}, { settings }))).toEqual({
      code: "unresolved_value",
      details: { plugin: LAB, key: "VAULT" },
    });
    expect((await failureOf(neverStarts({ env: { A: `x${placeholder("B")}` } }))).code).toBe("unresolved_value");
    expect((await failureOf(neverStarts({ args: [`--vault=${placeholder("VAULT")}`] }))).code).toBe("unresolved_value");
  });

  test("a plugin whose switch is off is setting_off; on, as text or as a boolean, it is started", async () => {
    const runtime = { requiresSetting: "ALLOW_COMMANDS" };
    expect(await failureOf(neverStarts(runtime))).toEqual({
      code: "setting_off",
      details: { plugin: LAB, key: "ALLOW_COMMANDS" },
    });
    for (const value of ["false", false, 1, ""]) {
      const settings = new Map([["ALLOW_COMMANDS", value]]);
      expect((await failureOf(neverStarts(runtime, { settings }))).code).toBe("setting_off");
    }
    for (const value of ["true", true]) {
      const session = open(labPlugin(tinyServer(), runtime), { settings: new Map([["ALLOW_COMMANDS", value]]) });
      await session.settled();
      expect(session.state().status).toBe("ready");
    }
  });

  test("a working folder outside the plugin is refused, one inside is used", async () => {
    expect(await failureOf(neverStarts({ cwd: "../.." }))).toEqual({
      code: "outside_plugin",
      details: { plugin: LAB, path: "../.." },
    });
    const lab = labPlugin(tinyServer(`offer("cwd", () => text(process.cwd()));`), { cwd: "src" });
    const session = open(lab);
    await session.settled();
    expect(await call(session, "cwd", {})).toEqual(text(join(lab.dir, "src")));
  });

  test("a call answers with the session's own failure", async () => {
    const session = neverStarts({ command: "no-such-node" });
    await session.settled();
    const other = await ready("");
    expect(codeOf(await session.call(named(other, "echo"), { text: "x" }, {}))).toBe("missing_host_runtime");
  });
});
