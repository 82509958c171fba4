/** Tests of `fermix auth login` on the command line: which way the words mean, and which words do not go together. */
import { describe, expect, test } from "bun:test";
import { login } from "../../../src/cli/auth/login.ts";
import { parseArguments } from "../../../src/cli/parse.ts";
import { expectRefusal, snapshotTree } from "../../expect.ts";
import { FakeTerminal } from "../../fakes/terminal.ts";
import { signInOnDisk } from "../../lab/auth-file.ts";
import { PluginLab } from "../../plugins/lab.ts";

const TOKEN = "sk-ant-oat01-canary";
const PATH = ["auth", "login"];

async function run(lab: PluginLab, words: string, terminal = new FakeTerminal()) {
  const args = await parseArguments(PATH, login.args, words.split(" ").filter(Boolean));
  return await login.run({ ...lab.app, ports: { ...lab.app.ports, terminal } }, args);
}

describe("auth login", () => {
  test("--setup-token --stdin takes the token from a pipe; --stdin alone means the same", async () => {
    for (const words of ["--provider anthropic --setup-token --stdin", "--setup-token --stdin", "--stdin"]) {
      using lab = new PluginLab();
      const view = await run(lab, words, new FakeTerminal({ input: `${TOKEN}\n` }));
      expect(view).toMatchObject({
        json: {
          provider: "anthropic",
          auth_profile: "anthropic_oauth",
          auth_mode: "setup_token",
          account: null,
          status: "ready",
          restart_needed: true,
          config_changed: true,
        },
        text: { lines: ["signed in to Anthropic"] },
        notices: ['config.toml has auth_mode = "oauth" for anthropic; restart the daemon for it to take effect'],
      });
      expect(JSON.stringify(view)).not.toContain("canary");
      expect(signInOnDisk(lab.home.root, "anthropic_oauth")).toMatchObject({ tokens: { access_token: TOKEN } });
    }
  });

  test("without a terminal or a pipe there is nobody to ask", async () => {
    using lab = new PluginLab();
    const command = "fermix auth login --provider anthropic --setup-token";
    await expectRefusal(run(lab, "--setup-token"), "not_a_terminal", { command });
    const typed = new FakeTerminal({ tty: true });
    await expectRefusal(run(lab, "--setup-token --stdin", typed), "stdin_is_a_terminal", { command });
    await expectRefusal(run(lab, "--stdin", new FakeTerminal({ input: " \n" })), "no_input", { command });
  });

  test.each([
    ["--provider xai --setup-token", "--setup-token, --stdin and --import-claude-code are for --provider anthropic."],
    ["--provider codex --stdin", "--setup-token, --stdin and --import-claude-code are for --provider anthropic."],
    ["--setup-token --import-claude-code", "--setup-token and --import-claude-code are two ways: name one."],
    [
      "--provider anthropic --port 1455",
      "Anthropic has no browser sign-in, so --no-browser, --port and --timeout mean nothing for it.",
    ],
    ["--provider xai --port 0", "--port takes a whole number from 1 to 65535."],
    ["--timeout soon", "--timeout takes a whole number from 1 to 3600."],
  ])("%p is a usage error, and nothing is touched", async (words, problem) => {
    using lab = new PluginLab();
    const before = snapshotTree(lab.folder);
    expect(await expectRefusal(run(lab, words), "usage")).toMatchObject({ problem });
    expect(snapshotTree(lab.folder)).toEqual(before);
  });

  test("COD-2/no-secret-argument: a word too many is never told", async () => {
    using lab = new PluginLab();
    for (const words of [`--setup-token ${TOKEN}`, `--setup-token=${TOKEN}`, TOKEN]) {
      const details = await expectRefusal(run(lab, words), "secret_in_arguments");
      expect(JSON.stringify(details)).not.toContain("canary");
    }
  });
});
