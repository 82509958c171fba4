/** A terminal, or a pipe, that remembers what was said and gives what it was told to give. */
import { PassThrough, type Readable } from "node:stream";
import type { Terminal } from "../../src/kernel/ports.ts";

export class FakeTerminal implements Terminal {
  readonly stdinIsTty: boolean;
  readonly stdoutIsTty: boolean;
  readonly stderrIsTty: boolean;
  readonly columns: number;
  private readonly input: string | undefined;
  /** Everything said on stderr so far. */
  said = "";
  /** What the test types; refused unless this is a terminal. */
  readonly typed = new PassThrough();
  readonly #interrupts = new Set<() => void>();

  constructor(is: { tty?: boolean; stdout?: boolean; stderr?: boolean; columns?: number; input?: string } = {}) {
    const tty = is.tty ?? false;
    this.stdinIsTty = tty;
    this.stdoutIsTty = is.stdout ?? tty;
    this.stderrIsTty = is.stderr ?? tty;
    this.columns = is.columns ?? 80;
    this.input = is.input;
  }

  talk(text: string): void {
    this.said += text;
  }

  async readInput(maxBytes: number): Promise<string> {
    if (this.input === undefined) throw new Error("unexpected terminal.readInput");
    if (Buffer.byteLength(this.input) > maxBytes) throw new Error(`input over ${maxBytes} bytes`);
    return this.input;
  }

  keys(): Readable {
    if (!this.stdinIsTty) throw new Error("unexpected terminal.keys");
    return this.typed;
  }

  onInterrupt(listener: () => void): () => void {
    this.#interrupts.add(listener);
    return () => void this.#interrupts.delete(listener);
  }

  /** Ctrl-C while nothing reads keys; true when somebody listened, else the process would have ended. */
  interrupt(): boolean {
    const listeners = [...this.#interrupts];
    for (const listener of listeners) listener();
    return listeners.length > 0;
  }
}
