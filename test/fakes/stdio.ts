/** The two pipes of a process, held by the test: it writes what the client says and reads what was answered. */
import type { Stdio } from "../../src/kernel/ports.ts";

export class FakeStdio implements Stdio {
  /** Every line written, parsed. */
  readonly written: unknown[] = [];
  paused = false;
  closed = false;
  /** While set, the client reads nothing: writes wait for it. */
  stalled: PromiseWithResolvers<void> | undefined;
  #listener: Parameters<Stdio["read"]>[0] | undefined;
  #onBroken: () => void = () => {};
  #onTerminate: () => void = () => {};
  readonly #waiting: { readonly wants: (message: unknown) => boolean; readonly done: (message: unknown) => void }[] =
    [];

  read(listener: Parameters<Stdio["read"]>[0]): void {
    this.#listener = listener;
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
  }

  write(text: string): Promise<void> | undefined {
    if (!text.endsWith("\n") || text.indexOf("\n") !== text.length - 1) throw new Error(`not one line: ${text}`);
    const message: unknown = JSON.parse(text);
    this.written.push(message);
    for (const { done } of this.#waiting.filter(({ wants }) => wants(message))) done(message);
    return this.stalled?.promise;
  }

  onBroken(listener: () => void): void {
    this.#onBroken = listener;
  }

  onTerminate(listener: () => void): void {
    this.#onTerminate = listener;
  }

  close(): void {
    this.closed = true;
  }

  /** The client writes a line: text as it is, anything else as JSON. */
  say(message: unknown): void {
    this.bytes(`${typeof message === "string" ? message : JSON.stringify(message)}\n`);
  }

  bytes(text: string): void {
    if (this.#listener === undefined) throw new Error("nobody reads stdin");
    this.#listener.onChunk(Buffer.from(text));
  }

  /** The first answer, past or future, that fits. */
  answer(wants: (message: unknown) => boolean): Promise<unknown> {
    const past = this.written.find(wants);
    if (past !== undefined) return Promise.resolve(past);
    return new Promise((done) => this.#waiting.push({ wants, done }));
  }

  end(): void {
    this.#listener?.onEnd();
  }

  breakPipe(): void {
    this.#onBroken();
  }

  terminate(): void {
    this.#onTerminate();
  }
}
