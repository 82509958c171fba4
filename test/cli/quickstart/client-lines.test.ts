/** Tests of cli/quickstart/client-lines.ts: lines that a shell and each client take as they are. */
import { expect, test } from "bun:test";
import { clientLines, shellWord } from "../../../src/cli/quickstart/client-lines.ts";

const WORDS = ["plain", "/usr/local/bin/fermix", "with space", "it's", '{"a":"b"}', "$HOME", "`x`", "", "ü", "a\nb"];

test("the usual home needs no variable", () => {
  expect(clientLines({ command: ["/opt/fermix"], env: {} })).toEqual([
    { client: "Claude Code", run: "claude mcp add --scope user fermix -- /opt/fermix mcp serve" },
    {
      client: "Cursor",
      file: "~/.cursor/mcp.json",
      json: '{"mcpServers":{"fermix":{"command":"/opt/fermix","args":["mcp","serve"]}}}',
    },
    {
      client: "VS Code",
      run: `code --add-mcp '{"name":"fermix","command":"/opt/fermix","args":["mcp","serve"]}'`,
    },
  ]);
});

test("another home goes along as FERMIX_HOME, and a path with spaces and quotes stays one word", () => {
  const [claude, cursor, code] = clientLines({
    command: ["/my tools/it's/fermix"],
    env: { FERMIX_HOME: "/tmp/a b" },
  });
  expect(claude?.run).toBe(
    `claude mcp add --scope user fermix -e 'FERMIX_HOME=/tmp/a b' -- '/my tools/it'\\''s/fermix' mcp serve`,
  );
  expect(JSON.parse(cursor?.json ?? "")).toEqual({
    mcpServers: {
      fermix: { command: "/my tools/it's/fermix", args: ["mcp", "serve"], env: { FERMIX_HOME: "/tmp/a b" } },
    },
  });
  expect(code?.run).toStartWith("code --add-mcp '{");
});

test("a shell reads each quoted word back as it was", () => {
  const script = `printf '%s\\0' ${WORDS.map(shellWord).join(" ")}`;
  const { stdout } = Bun.spawnSync(["sh", "-c", script], { env: {} });
  expect(stdout.toString().split("\0").slice(0, -1)).toEqual(WORDS);
});
