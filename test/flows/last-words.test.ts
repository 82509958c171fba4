/** How the binary ends when something fails behind everybody's back: one clean line, masked, on stderr and in the log. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FlowHome } from "../lab/binary.ts";

const KEY = "0123456789abcdefABCDEF";
const home = new FlowHome();
mkdirSync(home.root, { mode: 0o700 });
Bun.spawnSync(["mkfifo", join(home.folder, "client")]);
afterAll(() => home[Symbol.dispose]());

/** A script that runs inside the binary, once the log tells that it serves. */
function bug(name: string, script: string): Record<string, string> {
  const path = join(home.folder, `${name}.js`);
  const preload = `
    import { existsSync, readFileSync } from "node:fs";
    const log = ${JSON.stringify(join(home.root, "logs/fermix.log"))};
    const starts = () => (existsSync(log) ? readFileSync(log, "utf8").split("serve_started").length : 1);
    const before = starts();
    const looking = setInterval(() => {
      if (starts() === before) return;
      clearInterval(looking);
      ${script}
    }, 10);`;
  writeFileSync(path, preload);
  return { BUN_OPTIONS: `--preload=${path}` };
}

function logged(): Record<string, unknown>[] {
  const text = readFileSync(join(home.root, "logs/fermix.log"), "utf8");
  expect(text).not.toContain(KEY);
  const lines = text.trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line));
}

describe("RED-1/crash RED-2/crash-same: a bug while a server serves", () => {
  test.each([
    ["thrown", `throw new Error("boom sk-ant-${KEY}")`, "boom [REDACTED:openai]"],
    ["rejected", `Promise.reject(new Error("Bearer ${KEY}\\nxoxb-${KEY}"))`, "[REDACTED:bearer]\\n[REDACTED:slack]"],
    ["thrown that is no error", `throw "ghp_${KEY}"`, "[REDACTED:github]"],
  ])(
    "%s ends it with one line and a fix",
    async (name, script, told) => {
      const env = bug(name.replaceAll(" ", "-"), script);
      // A client that stays and says nothing.
      const silent = ["sh", "-c", 'exec "$@" <>"$0"', join(home.folder, "client")];
      const { code, stdout, stderr } = await home.fermix("mcp serve", { env, through: silent });
      expect({ code, stdout, stderr }).toEqual({
        code: 1,
        stdout: "",
        stderr: `fermix: Fermix hit a bug: "${told}".\nfix: please report it with the command that caused it\n`,
      });
      expect(logged().at(-1)).toMatchObject({ level: "error", event: "command_failed", code: "internal" });
    },
    30_000,
  );
});

test("a helper process that hits one tells nothing of what it was given", async () => {
  expect(await home.fermix("__keychain", { input: `{"do":"set","value":"xoxb-${KEY}"` })).toEqual({
    code: 1,
    stdout: "",
    stderr: "fermix: Fermix hit a bug in __keychain\n",
  });
});

test("RED-1/console what was typed and looks like a credential is masked in the refusal, as text and as JSON", async () => {
  const { code, stdout, stderr } = await home.fermix(["plugins", "info", `xoxb-${KEY}`, "--json"]);
  expect(code).not.toBe(0);
  expect(stdout + stderr).not.toContain(KEY);
  expect(JSON.parse(stdout).error.message).toContain("[REDACTED:slack]");
  expect(stderr).toContain("[REDACTED:slack]");
});
