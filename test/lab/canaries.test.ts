/** The sweep finds what it is for: a flow that leaks a secret fails. */
import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { placeSignIn } from "./auth-file.ts";
import { FlowHome } from "./binary.ts";
import { canariesIn, strayIn, tokensIn } from "./canaries.ts";

test("a secret in a log, a cache or the config is found; one where it belongs is not", () => {
  const root = mkdtempSync(join(tmpdir(), "fermix-canary-"));
  try {
    mkdirSync(join(root, "logs"));
    placeSignIn(root, "x:primary", { accessToken: "made-up-by-a-server", refreshToken: "lab-x-refresh-one-1" });
    writeFileSync(join(root, "config.toml"), 'client_secret = "lab-client-secret"\n');
    expect(strayIn(root, ["own-key"])).toEqual([]);
    expect(tokensIn(root)).toEqual(["made-up-by-a-server", "lab-x-refresh-one-1"]);
    writeFileSync(join(root, "logs/fermix.log"), '{"text":"made-up-by-a-server lab-client-secret own-key"}\n');
    writeFileSync(join(root, "auth.json.broken.1"), "xoxb-lab-token lab-x-token-one-1\n");
    writeFileSync(join(root, "config.toml"), 'key = "lab-discord-token"\n');
    expect(strayIn(root, ["own-key"]).toSorted()).toEqual([
      "auth.json.broken.1: xoxb-lab-token",
      "config.toml: lab-discord-token",
      "logs/fermix.log: lab-client-secret",
      "logs/fermix.log: made-up-by-a-server",
      "logs/fermix.log: own-key",
    ]);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

/** A program in the binary's place. */
function program(home: FlowHome, script: string): string {
  const path = join(home.folder, "program");
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
}

test("a run that prints what it was given by --stdin or by a key's variable fails", async () => {
  using home = new FlowHome();
  const options = { input: "own-secret\n", binary: program(home, 'read secret; echo "$secret" >&2; exit 3') };
  await expect(home.fermix("set --stdin", options)).rejects.toThrow("printed own-secret");
  const env = { FERMIX_PLUGIN_KEY_SLACK: "key-of-slack", FERMIX_PLUGIN_KEY_X_FILE: "/etc/hostname" };
  const binary = program(home, 'echo "$FERMIX_PLUGIN_KEY_X_FILE"; echo "$FERMIX_PLUGIN_KEY_SLACK"');
  await expect(home.fermix("list", { env, binary })).rejects.toThrow("printed key-of-slack: /etc/hostname");
});

test("a home that ends with one in a file fails, unless its owner put it there", async () => {
  const keep = async (prepare: (home: FlowHome) => void): Promise<void> => {
    using home = new FlowHome();
    const binary = program(home, 'mkdir -p "$FERMIX_HOME"; cat > "$FERMIX_HOME/config.toml"');
    await home.fermix("set --stdin", { input: "own-secret", binary });
    prepare(home);
  };
  await expect(keep(() => {})).rejects.toThrow("config.toml: own-secret");
  await keep((home) => home.inClear.add("own-secret"));
});

test("each secret of a text is told once, whatever is around it", () => {
  expect(canariesIn('"Bearer xoxb-lab-token", lab-x-token-ended-2; xoxb-lab-token and lab-token', ["key"])).toEqual([
    "xoxb-lab-token",
    "lab-x-token-ended-2",
  ]);
});
