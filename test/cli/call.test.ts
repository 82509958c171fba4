/** `fermix call`, `capabilities` and `prompt`, run as a person runs them. */
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { AgentLab } from "../agent/lab.ts";

/** Whole processes start here; the machine that runs this decides how long that takes. */
setDefaultTimeout(60_000);

const lab = new AgentLab(["notes", "tasks"], ["notes"]);

afterAll(async () => {
  await lab[Symbol.asyncDispose]();
});

test("the text of an answer is printed as it is, and --json has the whole result", async () => {
  expect(await lab.fermix(["call", "notes_echo", "--args", '{"text":"two\\nlines"}'])).toEqual({
    code: 0,
    stdout: "two\nlines\n",
    stderr: "",
  });
  const { code, stdout } = await lab.fermix(["call", "notes_echo", "--args", '{"text":"x"}', "--json"]);
  expect({ code, answer: JSON.parse(stdout) }).toEqual({ code: 0, answer: { content: [{ type: "text", text: "x" }] } });
});

test("arguments come from standard input when they are -", async () => {
  expect((await lab.fermix(["call", "notes_echo", "--args", "-"], ' {"text": "piped"}\n')).stdout).toBe("piped\n");
});

test("a tool's own failure is printed and exits 1; what is no text is named", async () => {
  expect(await lab.fermix(["call", "notes_fail"])).toEqual({
    code: 1,
    stdout: "no such note\n[image image/png, 4 base64 characters; --json has it whole]\n",
    stderr: "",
  });
});

test.each([
  ["not JSON", "{", "--args is not JSON"],
  ["a repeated key", '{"a":1,"a":2}', "--args is not JSON"],
  ["not an object", "[1]", "--args must be a JSON object"],
])("arguments that are %s are a usage error and start nothing", async (_what, args, says) => {
  const { code, stdout, stderr } = await lab.fermix(["call", "notes_echo", "--args", args]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(says);
});

test("arguments that do not fit the tool are a usage error", async () => {
  const { code, stderr } = await lab.fermix(["call", "notes_echo", "--args", '{"text":1}']);
  expect({ code, says: stderr.split("\n")[0] }).toEqual({
    code: 2,
    says: 'fermix call: The arguments of notes_echo do not fit its schema: "/text" must be string.',
  });
});

test("a disabled plugin's tool exits 4 with how to enable it; an unknown tool exits 1 with the closest", async () => {
  const disabled = await lab.fermix(["call", "tasks_echo"]);
  expect(disabled.code).toBe(4);
  expect(disabled.stderr).toContain("fix: run `fermix plugins enable tasks`");
  const unknown = await lab.fermix(["call", "notes_ehco"]);
  expect(unknown.code).toBe(1);
  expect(unknown.stderr).toContain("did you mean `notes_echo`?");
});

const TOOLS = ["count", "crash", "echo", "fail", "finish", "journal", "pid", "wait"];

test("AGT-7/by-kind capabilities are counted and listed by kind", async () => {
  const lines = TOOLS.map((tool) => `- notes_${tool} [mcp] Does ${tool}.\n`).join("");
  const all = `capabilities: 8 (builtin 0, skill 0, mcp 8)\n${lines}`;
  expect(await lab.fermix(["capabilities"])).toEqual({ code: 0, stdout: all, stderr: "" });
  expect((await lab.fermix(["capabilities", "--kind", "skill"])).stdout).toBe(`${all.split("\n")[0]}\n`);
  const { stdout } = await lab.fermix(["capabilities", "--kind", "mcp", "--json"]);
  expect(JSON.parse(stdout)).toEqual({
    total: 8,
    counts: { builtin: 0, skill: 0, mcp: 8 },
    capabilities: TOOLS.map((tool) => ({
      name: `notes_${tool}`,
      kind: "mcp",
      plugin: "notes",
      description: `Does ${tool}.`,
    })),
  });
  expect((await lab.fermix(["capabilities", "--kind", "mpc"])).code).toBe(2);
});

test("prompt prints the section that agents read, and a broken dev_local exits 1 with its fix (DEV-1)", async () => {
  const { code, stdout } = await lab.fermix(["prompt"]);
  expect(code).toBe(0);
  expect(stdout).toStartWith("## Plugins\n");
  expect(stdout).toContain(`  <plugin name="notes">${TOOLS.map((tool) => `notes_${tool}`).join(", ")}</plugin>\n`);
  await using broken = new AgentLab(["notes"]);
  rmSync(join(broken.folder, "plugins"), { recursive: true });
  for (const verb of [["prompt"], ["capabilities"], ["call", "notes_echo"]]) {
    const failed = await broken.fermix(verb);
    expect({ code: failed.code, stdout: failed.stdout }).toEqual({ code: 1, stdout: "" });
    expect(failed.stderr).toContain("No plugin is loaded");
  }
});
