/** What the shipped binary must not have: a switch for its trust, or a wish to reach the network. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { BINARY, FlowHome } from "../lab/binary.ts";

/**
 * Every variable of Fermix's own that the binary may name; none touches catalog, publishers or trust root. The second
 * one goes on with a plugin's name: it gives that plugin's key.
 */
const OWN_VARIABLES = ["FERMIX_HOME", "FERMIX_PLUGIN_KEY_"];
/** The item that doctor asks a keychain for, to hear whether it answers. */
const KEYCHAIN_ITEM = "FERMIX_DOCTOR";

test("CAT-8/no-switch the binary names no variable, flag or setting for another catalog or trust root", () => {
  const bytes = readFileSync(BINARY).toString("latin1");
  const variables = new Set([...bytes.matchAll(/FERMIX_[A-Z][A-Z_]*/g)].map(([name]) => name));
  expect([...variables].sort()).toEqual([...OWN_VARIABLES, KEYCHAIN_ITEM].sort());
  for (const word of [
    "--publisher",
    "--trusted-root=",
    "--index",
    "catalog_url",
    "catalog_dir",
    "trust_root",
    "publishers_dir",
  ]) {
    expect({ word, found: bytes.includes(`"${word}`) || bytes.includes(`'${word}`) }).toEqual({ word, found: false });
  }
}, 60_000);

test("CAT-8/no-switch unknown settings that sound like one change nothing", async () => {
  using lab = new FlowHome();
  const plain = await lab.fermix("plugins catalog --json");
  const env = {
    FERMIX_CATALOG: "/nonexistent",
    FERMIX_CATALOG_KEY: "x",
    FERMIX_CATALOG_DIR: "/nonexistent",
    FERMIX_TRUSTED_ROOT: "/nonexistent",
    FERMIX_CATALOG_DATE: "1999",
  };
  expect(await lab.fermix("plugins catalog --json", { env })).toEqual(plain);
  const flagged = await lab.fermix("plugins catalog --catalog /nonexistent");
  expect(flagged.code).toBe(2);
});

test("CAT-1/no-remote with no network at all, everything that shows the catalog answers the same", async () => {
  using lab = new FlowHome();
  for (const words of [
    "plugins catalog --json",
    "plugins list --json",
    "plugins info github --json",
    "capabilities --json",
  ]) {
    const online = await lab.fermix(words);
    const offline = await lab.fermix(words, { through: ["unshare", "--net", "--map-root-user"] });
    expect({ words, ...offline }).toEqual({ words, ...online });
    expect(online.code).toBe(0);
  }
});

test("CLI-2/exit-codes a reader that stops early ends Fermix quietly", async () => {
  using lab = new FlowHome();
  for (const words of ["plugins catalog", "--help", "plugins catalog --json"]) {
    const { code, stdout, stderr } = await shell(
      lab,
      `"$BINARY" ${words} | head -c 1 >/dev/null; echo "\${PIPESTATUS[0]}"`,
    );
    expect({ words, code, status: stdout.trim(), stderr: stderr.replace(/^the catalog of .*\n/, "") }).toEqual({
      words,
      code: 0,
      status: "0",
      stderr: "",
    });
  }
});

async function shell(lab: FlowHome, script: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const child = Bun.spawn(["bash", "-c", script], {
    env: lab.env({ BINARY }),
    cwd: lab.folder,
    stdout: "pipe",
    stderr: "pipe",
    stdin: "ignore",
  });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, stdout, stderr };
}
