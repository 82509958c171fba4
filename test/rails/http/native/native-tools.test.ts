/** `native-tools.ts`: exactly the bundled tools without a template, and nothing is loaded before one is run. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { nativeTools } from "../../../../src/rails/http/native/native-tools.ts";

const ROOT = join(import.meta.dirname, "../../../..");

interface Declared {
  readonly name: string;
  readonly request?: unknown;
}

function bundledTools(): readonly Declared[] {
  return ["gmail", "google_calendar", "google_drive"].flatMap((name) => {
    const manifest: { tools: Declared[] } = JSON.parse(
      readFileSync(join(ROOT, "catalog/bundled", name, "plugin.json"), "utf8"),
    );
    return manifest.tools;
  });
}

test("BUN-2/every-tool-runs: every bundled tool has a template or is written in code, never both", () => {
  const declared = bundledTools();
  expect(declared.length).toBe(22);
  const without = declared.filter(({ request }) => request === undefined).map(({ name }) => name);
  expect([...nativeTools.keys()].sort()).toEqual(without.sort());
});

test("only the answer to an invitation overwrites something that is there", () => {
  expect([...nativeTools].filter(([, { destructive }]) => destructive).map(([name]) => name)).toEqual([
    "google_calendar_respond_to_event",
  ]);
});

/** The files of this project and of nodemailer that are loaded once `module` is. */
async function loadedBy(module: string): Promise<string[]> {
  const script = `
    await import(${JSON.stringify(join(ROOT, "src/rails/http/native", module))});
    console.log(JSON.stringify(Object.keys(require.cache)));`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", cwd: ROOT });
  const loaded: string[] = JSON.parse(await child.stdout.text());
  return loaded.filter((path) => path.startsWith(ROOT)).map((path) => path.slice(ROOT.length + 1));
}

test("listing the tools loads neither what reads nor what writes mail; reading loads nothing that writes", async () => {
  expect(await loadedBy("native-tools.ts")).toEqual(["src/rails/http/native/native-tools.ts"]);
  const reading = await loadedBy("gmail-read.ts");
  expect(reading).toContain("src/rails/http/native/read-mail.ts");
  expect(reading.filter((path) => path.includes("nodemailer"))).toEqual([]);
  expect((await loadedBy("gmail-write.ts")).some((path) => path.includes("nodemailer"))).toBe(true);
});
