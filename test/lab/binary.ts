/** The compiled binary and how flows start it: a temp home, an environment built from nothing, whole answers back. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { canariesIn, strayIn, tokensIn } from "./canaries.ts";

export const ROOT = join(import.meta.dirname, "../..");
export const BINARY = join(ROOT, "dist/fermix");

/** Whether a binary is newer than everything it is made of. */
export function isCurrent(binary: string): boolean {
  if (!existsSync(binary)) return false;
  const built = statSync(binary).mtimeMs;
  const sources = new Bun.Glob("{src,catalog}/**/*").scanSync({ cwd: ROOT, onlyFiles: true });
  return [...sources, "build.ts", "package.json"].every((path) => statSync(join(ROOT, path)).mtimeMs <= built);
}

/** The folder of a program that this machine must have; the set-up brings it. */
export function folderOf(program: string): string {
  const path =
    Bun.which(program) ??
    Bun.which(program, { PATH: join(process.env["HOME"] ?? "/", ".local/share/fermix/cosign/usr/bin") });
  if (path === null) throw new Error(`not run: ${program} is missing; \`npm run setup\` brings it`);
  return dirname(path);
}

export interface Answer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly input?: string;
  readonly binary?: string;
  /** Words put before the binary: `ip netns exec lab`, `setpriv ...`. */
  readonly through?: readonly string[];
}

/** What is shorter could stand anywhere by chance. */
const MIN_SECRET_LENGTH = 8;
/** Keys given by the environment; a file's name is none. */
const KEY_VARIABLE = /^FERMIX_PLUGIN_KEY_(?!.*_FILE$)/;

/**
 * One Fermix home in a temp folder, with `fermix(...)` run on the compiled binary against it. Secrets that a run is given
 * by `--stdin` or a key's variable, that stand-ins honour, or that auth.json holds, may neither be printed nor lie in
 * another file of the home: a run that prints one fails, and so does the end of a home that has one.
 */
export class FlowHome implements Disposable {
  readonly folder: string;
  readonly root: string;
  /** Secrets that the home's owner put into config.toml. */
  readonly inClear = new Set<string>();
  private readonly planted = new Set<string>();
  private readonly said: string[] = [];

  constructor(name = "home") {
    this.folder = mkdtempSync(join(tmpdir(), "fermix-flow-"));
    this.root = join(this.folder, name);
    mkdirSync(join(this.folder, "user"));
  }

  /** The whole environment a run gets: nothing of the test's own leaks in. */
  env(more: Readonly<Record<string, string>> = {}): Record<string, string> {
    const path = [folderOf("node"), folderOf("cosign"), "/usr/bin", "/bin"].join(delimiter);
    return { PATH: path, HOME: join(this.folder, "user"), FERMIX_HOME: this.root, LANG: "C.UTF-8", ...more };
  }

  /** Runs `fermix` with these words to its end. */
  async fermix(words: string | readonly string[], options: StartOptions = {}): Promise<Answer> {
    const args = typeof words === "string" ? words.split(" ").filter((word) => word !== "") : words;
    const child = Bun.spawn([...(options.through ?? []), options.binary ?? BINARY, ...args], {
      env: this.env(options.env),
      cwd: options.cwd ?? this.folder,
      stdin: options.input === undefined ? "ignore" : new TextEncoder().encode(options.input),
      stdout: "pipe",
      stderr: "pipe",
    });
    if (args.includes("--stdin") && options.input !== undefined) this.plant(options.input);
    for (const [name, value] of Object.entries(options.env ?? {})) if (KEY_VARIABLE.test(name)) this.plant(value);
    const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    this.expectNoSecret(args.join(" "), stdout + stderr);
    return { code, stdout, stderr };
  }

  /** Names a secret of this home, for one that no run is given in a usual way. */
  plant(secret: string): void {
    if (secret.trim().length >= MIN_SECRET_LENGTH) this.planted.add(secret.trim());
  }

  /** Fails when a secret is in what was printed. */
  expectNoSecret(what: string, said: string): void {
    this.said.push(said);
    const secrets = canariesIn(said, [...this.planted]);
    if (secrets.length > 0) throw new Error(`fermix ${what} printed ${secrets.join(", ")}: ${said}`);
  }

  [Symbol.dispose](): void {
    const allowed = [...this.inClear].map((secret) => `config.toml: ${secret}`);
    const stray = strayIn(this.root, [...this.planted]).filter((found) => !allowed.includes(found));
    const printed = tokensIn(this.root).filter((token) => this.said.some((text) => text.includes(token)));
    rmSync(this.folder, { recursive: true, force: true });
    const all = [...stray, ...printed.map((token) => `printed: ${token}`)];
    if (all.length > 0) throw new Error(`secrets where they do not belong: ${all.join(", ")}`);
  }
}
