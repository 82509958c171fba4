/** A refresh that is killed, or whose disk fails, at any change of the disk: auth.json is whole, and no token is spent twice. */
import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { signInOnDisk } from "../lab/auth-file.ts";

interface Disturbed {
  readonly first: string;
  readonly second: string;
  readonly asked: number;
}

test("TOK-1/whole a kill or a failing disk at any step leaves the old or the new sign-in, whole, and the next use goes on", () => {
  const base = mkdtempSync(join(tmpdir(), "fermix-refresh-"));
  try {
    const preload = join(import.meta.dir, "../lab/disk-changes.ts");
    const child = Bun.spawnSync({
      cmd: [process.execPath, "--preload", preload, join(import.meta.dir, "refresh-steps-child.ts"), base],
      env: { PATH: process.env["PATH"], HOME: base },
    });
    expect(child.stderr.toString()).toBe("");
    const steps = readdirSync(join(base, "killed"));
    expect(steps.length).toBeGreaterThan(4);
    const tokens = steps.map((step) => signInOnDisk(join(base, "killed", step), "gmail:primary")?.["tokens"]);
    const [before, after] = [1, 2].map((at) => ({ access_token: `access-${at}`, refresh_token: `refresh-${at}` }));
    for (const found of tokens) expect([before, after]).toContainEqual(found as typeof before);
    expect(tokens).toContainEqual(before);
    expect(tokens).toContainEqual(after);

    const disturbed = JSON.parse(child.stdout.toString()) as Disturbed[];
    expect(disturbed).toHaveLength(steps.length - 1);
    for (const { first, second, asked } of disturbed) {
      expect(["home_unusable", "Bearer access-2"]).toContain(first);
      // Where the provider had answered, it is not asked again: what it gave was kept until the disk took it.
      expect({ second, asked }).toEqual({ second: "Bearer access-2", asked: 1 });
    }
    expect(disturbed.some(({ first }) => first === "home_unusable")).toBe(true);
    for (const step of readdirSync(join(base, "failed"))) {
      const root = join(base, "failed", step);
      expect(JSON.parse(readFileSync(join(root, "auth.json"), "utf8")).version).toBe(2);
      expect(readdirSync(root).toSorted()).toEqual(["auth.json", "config.toml"]);
    }
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}, 30_000);
