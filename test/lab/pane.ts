/** A real terminal for a program: a tmux server of its own, whose screen and raw output a test reads and types into. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "./until.ts";

/** What this machine lacks for one, or undefined. In CI a lack is a failure; elsewhere the suite says it was not run. */
export function paneMissing(): string | undefined {
  const missing = ["tmux", "stty"].find((program) => Bun.which(program) === null);
  if (missing !== undefined && process.env["CI"] !== undefined) throw new Error(`not run: ${missing} is missing`);
  return missing;
}

/** Written behind the program's last byte: a terminal shows nothing of it. */
const LAST = "\u001b_the program ended\u001b\\";

/**
 * Waits until the test listens, runs the command, notes its exit status and how it left the terminal, then stays. The
 * trap keeps Ctrl-C, which goes to the whole foreground group, from ending this shell too.
 */
const SCRIPT =
  'trap : INT; read -r go; "$@"; echo "$?" >"$PANE.exit"; stty -a >"$PANE.stty"; printf %s "$LAST"; read -r end';

export interface PaneOptions {
  /** Where the pane keeps its socket and its notes. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly columns?: number;
}

export class Pane implements Disposable {
  readonly #options: PaneOptions;
  readonly #notes: string;

  /** Starts the command with this whole environment in a terminal. */
  constructor(command: readonly string[], options: PaneOptions) {
    this.#options = options;
    this.#notes = join(options.folder, "pane");
    const size = ["-x", String(options.columns ?? 120), "-y", "60"];
    const env = Object.entries({ TERM: "screen-256color", ...options.env, PANE: this.#notes, LAST });
    const words = env.map(([name, value]) => `${name}=${value}`);
    this.#tmux(
      "-f",
      "/dev/null",
      "new-session",
      "-d",
      ...size,
      "-c",
      options.cwd,
      "--",
      "env",
      "-i",
      ...words,
      "sh",
      "-c",
      SCRIPT,
      "sh",
      ...command,
    );
    this.#tmux("pipe-pane", `cat >'${this.#notes}.raw'`);
    this.type("Enter");
  }

  /** What is on the screen now, without the spaces at the end of lines and the empty lines below. */
  get screen(): string {
    return this.#tmux("capture-pane", "-p", "-J").replace(/ +$/gm, "").trimEnd();
  }

  /** Every byte the program wrote to the terminal, once it has ended; before that some may be on their way. */
  get raw(): string {
    return existsSync(`${this.#notes}.raw`) ? readFileSync(`${this.#notes}.raw`, "utf8").replace(LAST, "") : "";
  }

  /** Presses keys by their tmux names, `Enter` or `C-c`; other words are typed letter by letter. */
  type(...keys: readonly string[]): void {
    this.#tmux("send-keys", ...keys);
  }

  /** Pastes as a terminal does: a line's end becomes what Enter sends, and marks go around where the program wants them. */
  paste(text: string): void {
    this.#tmux("set-buffer", "--", text);
    this.#tmux("paste-buffer", "-d", "-p");
  }

  /** Resolves when this is on the screen. */
  async shows(text: string): Promise<void> {
    await until(`on the screen: ${text}`, () => this.screen.includes(text));
  }

  /** Resolves with the first match among the bytes that were written. */
  async wrote(wanted: RegExp): Promise<string> {
    await until(`written to the terminal: ${wanted}`, () => wanted.test(this.raw));
    return wanted.exec(this.raw)?.[0] ?? "";
  }

  /**
   * Resolves with the exit status, and whether the terminal was left as it was: echoing, line by line. All that the
   * program wrote has arrived then: what tmux hands on and what it shows comes to it in one stream.
   */
  async ended(): Promise<{ readonly code: number; readonly sane: boolean }> {
    const [exit, stty] = [`${this.#notes}.exit`, `${this.#notes}.stty`];
    await until("the program ended", () => existsSync(stty) && readFileSync(stty, "utf8").endsWith("\n"));
    await until("its last bytes arrived", () => readFileSync(`${this.#notes}.raw`, "utf8").endsWith(LAST));
    const modes = readFileSync(stty, "utf8").split(/[\s;]+/);
    return { code: Number(readFileSync(exit, "utf8")), sane: modes.includes("icanon") && modes.includes("echo") };
  }

  #tmux(...words: readonly string[]): string {
    const { exitCode, stdout, stderr } = this.#ask(...words);
    if (exitCode !== 0) throw new Error(`tmux ${words[0]}: ${stderr.toString()}`);
    return stdout.toString();
  }

  #ask(...words: readonly string[]): Bun.SyncSubprocess<"pipe", "pipe"> {
    const env = { PATH: process.env["PATH"] ?? "", LANG: "C.UTF-8" };
    return Bun.spawnSync(["tmux", "-u", "-S", join(this.#options.folder, "tmux"), ...words], { env });
  }

  /** Ends the server, if it has not ended with its shell. */
  [Symbol.dispose](): void {
    this.#ask("kill-server");
  }
}
