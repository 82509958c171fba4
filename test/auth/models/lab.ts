/** A home in a temp folder and a user's folder beside it, for tests of signing in to model providers. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AnthropicDeps } from "../../../src/auth/models/login-anthropic.ts";
import { homeAt } from "../../../src/files/home.ts";
import { FakeClock } from "../../fakes/clock.ts";
import { FakeProcesses } from "../../fakes/processes.ts";

export class ModelLab implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "fermix-models-"));
  readonly home = homeAt(join(this.folder, "home"));
  readonly userHome = join(this.folder, "user");
  readonly clock = new FakeClock();
  readonly processes = new FakeProcesses();
  readonly variables: Record<string, string> = {};

  constructor(config?: string) {
    mkdirSync(this.userHome);
    if (config === undefined) return;
    mkdirSync(this.home.root, { mode: 0o700 });
    writeFileSync(this.home.configFile, config);
  }

  get deps(): AnthropicDeps {
    const { clock, processes, home, userHome, variables } = this;
    return { ports: { clock, processes }, home, env: { userHome, get: (name) => variables[name] } };
  }

  /** Puts this where Claude Code keeps its sign-in. */
  claudeFile(content: string | Uint8Array, folder = join(this.userHome, ".claude")): string {
    mkdirSync(folder, { recursive: true });
    const path = join(folder, ".credentials.json");
    writeFileSync(path, content, { mode: 0o600 });
    return path;
  }

  get config(): string {
    return readFileSync(this.home.configFile, "utf8");
  }

  /** The entry in auth.json, whose mode is looked at on the way. */
  entry(profile: string): Record<string, unknown> {
    const mode = statSync(this.home.authFile).mode & 0o777;
    if (mode !== 0o600) throw new Error(`auth.json has the mode ${mode.toString(8)}`);
    return JSON.parse(readFileSync(this.home.authFile, "utf8")).providers[profile];
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
