import { describe, expect, test } from "bun:test";
import { knownVariables } from "../../../src/config/variables.ts";
import { childEnv } from "../../../src/rails/local-mcp/child-env.ts";
import { expectRefusal } from "../../expect.ts";
import { environment, LAB, localRuntime, NO_SETTINGS } from "./laboratory.ts";

const PATH = "/usr/bin:/bin";

function built(
  variables: Record<string, string>,
  runtime: { env?: Record<string, string>; passEnv?: string[] } = {},
  settings: ReadonlyMap<string, string | boolean | number> = NO_SETTINGS,
): Record<string, string> {
  return childEnv(environment({ PATH, ...variables }), LAB, localRuntime(runtime), settings);
}

describe("a child's environment", () => {
  test("LOC-6/allowlist: holds the user, the language and the folders, never what else is set", () => {
    const base = { HOME: "/h", USER: "u", LOGNAME: "u", SHELL: "/bin/sh", TERM: "xterm", TMPDIR: "/t", TZ: "UTC" };
    const language = { LANG: "de_DE.UTF-8", LC_ALL: "C", LC_CTYPE: "C" };
    const others = { AWS_PROFILE: "x", PWD: "/", DISPLAY: ":0", NODE_OPTIONS: "-r x", npm_config_x: "y", OLDPWD: "/" };
    expect(built({ ...base, ...language, ...others })).toEqual({ PATH, ...base, ...language });
  });

  test("LOC-6/allowlist: a relative folder on PATH does not travel", () => {
    expect(built({ PATH: "node_modules/.bin:/usr/bin:.:" })["PATH"]).toBe("/usr/bin");
  });

  test("LOC-6/config-and-pass-env: settings go over the manifest's env, which goes over pass_env, which goes over the base", () => {
    const variables = { A: "passed", B: "passed", C: "passed", LANG: "C" };
    const runtime = { passEnv: ["A", "B", "C", "LANG", "NOT_SET"], env: { B: "manifest", C: "manifest" } };
    const settings = new Map<string, string | boolean | number>([
      ["C", "setting"],
      ["N", 7],
      ["ON", false],
    ]);
    expect(built(variables, runtime, settings)).toEqual({
      PATH,
      LANG: "C",
      ...{ A: "passed", B: "manifest", C: "setting", N: "7", ON: "false" },
    });
  });

  test("LOC-6/config-and-pass-env: lower-case settings are plumbing and never travel", () => {
    const settings = new Map<string, string | boolean>([
      ["enabled", true],
      ["auth_profile", "x"],
      ["Mixed_Case", "x"],
      ["_UNDER", "x"],
      ["1ST", "x"],
    ]);
    expect(built({}, {}, settings)).toEqual({ PATH });
  });

  const REFUSED = [
    ...["FERMIX_HOME", "fermix_x", "FERMIX_PLUGIN_KEY_LAB", "BUN_OPTIONS", "BUN_BE_BUN", "NODE_OPTIONS", "LD_PRELOAD"],
    ...["LD_LIBRARY_PATH", "DYLD_INSERT_LIBRARIES", "NODE_TLS_REJECT_UNAUTHORIZED", "BASH_ENV", "JSC_useJIT"],
    ...["MIMALLOC_VERBOSE", "WITH=SIGN", "", "A B", "Ä"],
  ];
  test.each(REFUSED)("LOC-6/never-secrets: %p is refused, whoever asks for it", async (variable) => {
    const refusal = { plugin: LAB, variable };
    await expectRefusal(() => built({ [variable]: "x" }, { passEnv: [variable] }), "env_refused", refusal);
    await expectRefusal(() => built({}, { passEnv: [variable] }), "env_refused", refusal);
    await expectRefusal(() => built({}, { env: { [variable]: "x" } }), "env_refused", refusal);
    if (/^[A-Z][A-Z0-9_]*$/.test(variable)) {
      await expectRefusal(() => built({}, {}, new Map([[variable, "x"]])), "env_refused", refusal);
    }
  });

  test("CHN-1/never-in-a-child, LOC-6/never-secrets: a channel's or a provider's secret is refused to whoever names it", async () => {
    const secrets = knownVariables.filter(({ secret }) => secret).map(({ name }) => name);
    expect(secrets.length).toBeGreaterThan(10);
    for (const variable of [...secrets, "slack_bot_token", "TELEGRAM_BOT_TOKEN"]) {
      const refusal = { plugin: LAB, variable };
      await expectRefusal(() => built({ [variable]: "x" }, { passEnv: [variable] }), "env_refused", refusal);
    }
    expect(built({ SIGNAL_ACCOUNT: "+1" }, { passEnv: ["SIGNAL_ACCOUNT"] })).toEqual({ PATH, SIGNAL_ACCOUNT: "+1" });
  });

  test("a key of the plugin's own travels even under the name of one of Fermix's", () => {
    const variables = { OPENAI_API_KEY: "the operator's own" };
    const settings = new Map([["OPENAI_API_KEY", "for this plugin"]]);
    expect(built(variables, {}, settings)).toEqual({ PATH, OPENAI_API_KEY: "for this plugin" });
  });

  test("a value that would end early is refused", async () => {
    await expectRefusal(() => built({}, {}, new Map([["A", "x\0y"]])), "env_refused", { plugin: LAB, variable: "A" });
  });

  test("CASE-13: an unfilled placeholder is refused in settings, env and pass_env; a lone $ or { is a value", async () => {
    const unfilled = ["$", "{vault}"].join("");
    const refusal = { plugin: LAB, key: "A" };
    await expectRefusal(() => built({}, {}, new Map([["A", unfilled]])), "unresolved_value", refusal);
    await expectRefusal(() => built({}, { env: { A: `x${unfilled}` } }), "unresolved_value", refusal);
    await expectRefusal(() => built({ A: unfilled }, { passEnv: ["A"] }), "unresolved_value", refusal);
    expect(built({}, { env: { A: "$5 {a} $ {b}" } })["A"]).toBe("$5 {a} $ {b}");
  });
});
