/** `runtime`: which program a local plugin starts, and the one endpoint a hosted plugin talks to (spec 1.7). */
import { describe, expect, test } from "bun:test";
import { parseManifest } from "../../src/manifest/parse.ts";
import { long, problemsOf, problemsOfRow, type Row } from "./parse-cases.ts";
import { hostedSample, httpSample, localSample, withChange } from "./samples.ts";

describe("a local server", () => {
  const rows: readonly Row[] = [
    ["no object", "runtime", "node", ["runtime invalid_runtime"]],
    ["an unknown kind", "runtime.kind", "deno", ["runtime.kind invalid_runtime"]],
    ["no kind", "runtime.kind", undefined, ["runtime.kind missing_required"]],
    ["no command", "runtime.command", undefined, ["runtime.command missing_required"]],
    ["args as text", "runtime.args", "src/index.js", ["runtime.args not_a_list"]],
    ["an arg that is a number", "runtime.args.0", 1, ["runtime.args[0] wrong_type"]],
    ["an arg with a zero byte", "runtime.args.0", "a\u0000b", ["runtime.args[0] invalid_runtime"]],
    ["vendored as text", "runtime.vendored", "no", ["runtime.vendored wrong_type"]],
    ["nothing but kind and command", "runtime", { kind: "binary", command: "vaultd" }, []],
    ["a minimum without a number", "runtime.min_version", "latest", ["runtime.min_version invalid_runtime"]],
    ["env as list", "runtime.env", [], ["runtime.env not_an_object"]],
    ["an env value that is a number", "runtime.env.MODE", 1, ["runtime.env.MODE wrong_type"]],
    ["an env name that is none", "runtime.env", { "A=B": "1" }, ['runtime.env["A=B"] invalid_runtime']],
    ["an env name of Fermix", "runtime.env", { FERMIX_HOME: "/" }, ["runtime.env.FERMIX_HOME reserved_variable"]],
    ["a passed name that is none", "runtime.pass_env.0", "A B", ["runtime.pass_env[0] invalid_runtime"]],
    ["a passed name of Bun", "runtime.pass_env.0", "BUN_OPTIONS", ["runtime.pass_env[0] reserved_variable"]],
    ["a folder outside", "runtime.cwd", "../..", ["runtime.cwd runtime_escapes_plugin_dir"]],
    ["a folder inside", "runtime.cwd", "src", []],
    ["tool names kept", "runtime.tool_name_mode", "preserve", ["runtime.tool_name_mode invalid_runtime"]],
    ["a setting nobody declares", "runtime.requires_setting", "X", ["runtime.requires_setting undeclared_setting"]],
    [
      "a setting that is a text",
      "runtime.requires_setting",
      "VAULT_PATH",
      ["runtime.requires_setting undeclared_setting"],
    ],
    ["a newer key, tolerated", "runtime.restart", "always", []],
  ];
  for (const row of rows) test(row[0], () => expect(problemsOfRow(localSample, row)).toEqual(row[3]));

  test("its command is a bare name", () => {
    for (const command of ["", ".", "..", "./server", "/bin/sh", "node server.js", "a\\b", "a\tb", "a\u0000"]) {
      expect(problemsOf(withChange(localSample(), "runtime.command", command))).toEqual([
        "runtime.command invalid_runtime",
      ]);
    }
    expect(problemsOf(withChange(localSample(), "runtime.command", "python3.12"))).toEqual([]);
  });

  test("CASE-13 a reference that another program would fill in is refused", () => {
    for (const path of ["args.0", "env.MODE"]) {
      const problems = problemsOf(withChange(localSample(), `runtime.${path}`, "\u0024{user_config.vault}"));
      expect(problems).toEqual([`runtime.${path.replace(".0", "[0]")} unsubstituted_placeholder`]);
    }
  });

  test("tool_name_mode needs plugin_api 3", () => {
    const older = withChange(localSample(), "plugin_api", 2);
    expect(problemsOf(older)).toEqual(["runtime.tool_name_mode requires_plugin_api_3"]);
    expect(problemsOf(withChange(older, "runtime.tool_name_mode", undefined))).toEqual([]);
  });

  test("a newer key is a warning", () => {
    const manifest = parseManifest(JSON.stringify(withChange(localSample(), "runtime.restart", "always")));
    expect(manifest.warnings).toEqual(["runtime.restart: is not a key of this place"]);
  });
});

describe("a hosted server", () => {
  const rows: readonly Row[] = [
    ["another transport", "runtime.transport", "sse", ["runtime.transport invalid_remote_runtime"]],
    ["another protocol", "runtime.protocol_version", "2025-11-25", ["runtime.protocol_version invalid_remote_runtime"]],
    ["an unknown mode", "runtime.tool_name_mode", "keep", ["runtime.tool_name_mode invalid_remote_runtime"]],
    ["an unknown key", "runtime.headers", {}, ["runtime.headers unknown_fields"]],
    ["no address", "runtime.base_url", undefined, ["runtime.base_url missing_required"]],
    ["no path", "runtime.mcp_path", undefined, ["runtime.mcp_path missing_required"]],
    ["no mode", "runtime.tool_name_mode", undefined, ["runtime.tool_name_mode missing_required"]],
    ["a program as well", "runtime.command", "node", ["runtime.command remote_runtime_conflict"]],
    ["what a program needs", "runtime.min_version", "20", ["runtime.min_version remote_runtime_conflict"]],
  ];
  for (const row of rows) test(row[0], () => expect(problemsOfRow(hostedSample, row)).toEqual(row[3]));

  test("every key of a local program conflicts", () => {
    for (const key of ["command", "args", "env", "pass_env", "cwd", "vendored", "min_version"]) {
      expect(problemsOf(withChange(hostedSample(), `runtime.${key}`, null))).toEqual([
        `runtime.${key} remote_runtime_conflict`,
      ]);
    }
  });

  test("needs plugin_api 3", () => {
    const runtime = hostedSample()["runtime"];
    expect(problemsOf({ ...httpSample(), ...(runtime === undefined ? {} : { runtime }) })).toEqual([
      "runtime.kind requires_plugin_api_3",
    ]);
  });

  test("base_url is a plain https origin, its host in lower case", () => {
    const judge = (url: string) => {
      const changed = withChange(hostedSample(), "runtime.base_url", url);
      const problems = problemsOf(changed);
      if (problems.length > 0) return problems;
      return parseManifest(JSON.stringify(changed)).rail === "hosted-mcp"
        ? (parseManifest(JSON.stringify(changed)) as { runtime: { baseUrl: string } }).runtime.baseUrl
        : undefined;
    };
    expect(judge("https://MCP.Example.com")).toBe("https://mcp.example.com");
    expect(judge("https://mcp.example.com:8443")).toBe("https://mcp.example.com:8443");
    expect(judge("https://mcp.example.com:65535")).toBe("https://mcp.example.com:65535");
    expect(judge(`https://${long(63)}.${long(63)}.${long(63)}.${long(61)}`)).toStartWith("https://");
    const refused = [
      "",
      "http://mcp.example.com",
      "mcp.example.com",
      "https://",
      "https://u@mcp.example.com",
      "https://mcp.example.com/",
      "https://mcp.example.com/mcp",
      "https://mcp.example.com?x",
      "https://mcp.example.com#x",
      "https://mcp.example.com\\x",
      "https://mcp.example.com ",
      "https://mcp.example.com\n",
      "https://{host}.example.com",
      "https://*.example.com",
      "https://münchen.example",
      "https://127.0.0.1",
      "https://2130706433",
      "https://0x7f.1",
      "https://1.2.3.4.",
      "https://[::1]",
      "https://mcp.example.com.",
      "https://-a.example.com",
      "https://a_b.example.com",
      "https://a..example.com",
      "https://mcp.example.com:",
      "https://mcp.example.com:0",
      "https://mcp.example.com:080",
      "https://mcp.example.com:65536",
      "https://mcp.example.com:1:2",
      `https://${long(64)}.com`,
      `https://${long(63)}.${long(63)}.${long(63)}.${long(62)}`,
    ];
    for (const url of refused)
      expect({ url, problems: judge(url) }).toEqual({ url, problems: ["runtime.base_url invalid_base_url"] });
  });

  test("mcp_path is a plain absolute path", () => {
    const judge = (path: string) => problemsOf(withChange(hostedSample(), "runtime.mcp_path", path));
    for (const path of ["/", "/mcp", "/v1/mcp", "/a.b/..c", "/a%20b"]) expect(judge(path)).toEqual([]);
    const refused = [
      "",
      "mcp",
      "/a?b",
      "/a#b",
      "/a\\b",
      "/a%2fb",
      "/a%2Fb",
      "/{x}",
      "/*",
      "/a b",
      "/é",
      "/.",
      "/../x",
      "/a/./b",
      "/a/%2e%2E/b",
      "//x",
      "/a//b",
      "/a/",
    ];
    for (const path of refused)
      expect({ path, problems: judge(path) }).toEqual({ path, problems: ["runtime.mcp_path invalid_mcp_path"] });
  });

  test("says in words what is wrong with the address", () => {
    expect(() =>
      parseManifest(JSON.stringify(withChange(hostedSample(), "runtime.base_url", "https://10.0.0.1"))),
    ).toThrow("runtime.base_url: must be a plain https origin; its host is an address, not a name (invalid_base_url)");
  });
});
