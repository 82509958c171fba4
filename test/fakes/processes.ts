/** A process port that starts nothing: each program must be allowed by the test, and children speak only as told. */
import type { Child, ChildExit, ChildSpec, Processes, RunResult, RunSpec } from "../../src/kernel/ports.ts";

export class FakeChild implements Child {
  readonly pid = 4242;
  /** Everything written to stdin. */
  readonly written: string[] = [];
  /** What was done to it, in order. */
  readonly events: ("eof" | "stop")[] = [];
  readonly exited: Promise<ChildExit>;
  /** Called with each write, so that a test can answer. */
  onWrite: (text: string) => void = () => {};
  readonly #stdout: ((chunk: Uint8Array) => void)[] = [];
  readonly #stderr: ((chunk: Uint8Array) => void)[] = [];
  #resolve: (exit: ChildExit) => void = () => {};

  constructor() {
    this.exited = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  async write(text: string): Promise<void> {
    this.written.push(text);
    this.onWrite(text);
  }

  endInput(): void {
    this.events.push("eof");
  }

  onStdout(listener: (chunk: Uint8Array) => void): void {
    this.#stdout.push(listener);
  }

  onStderr(listener: (chunk: Uint8Array) => void): void {
    this.#stderr.push(listener);
  }

  async stop(): Promise<void> {
    this.events.push("stop");
    this.exit({ exitCode: 0, signal: undefined });
  }

  /** The child writes this to stdout. */
  say(text: string | Uint8Array): void {
    for (const listener of this.#stdout) listener(Buffer.from(text));
  }

  /** The child writes this to stderr. */
  complain(text: string): void {
    for (const listener of this.#stderr) listener(Buffer.from(text));
  }

  exit(exit: ChildExit): void {
    this.#resolve(exit);
  }
}

export class FakeProcesses implements Processes {
  /** What was run, in order. */
  readonly ran: RunSpec[] = [];
  /** What was started, in order. */
  readonly started: ChildSpec[] = [];
  readonly #runs = new Map<string, (spec: RunSpec) => Partial<RunResult>>();
  readonly #starts = new Map<string, (spec: ChildSpec) => Child>();

  allowRun(command: string, answer: (spec: RunSpec) => Partial<RunResult>): this {
    this.#runs.set(command, answer);
    return this;
  }

  allowStart(command: string, make: (spec: ChildSpec) => Child): this {
    this.#starts.set(command, make);
    return this;
  }

  async run(spec: RunSpec): Promise<RunResult> {
    const answer = this.#runs.get(spec.command);
    if (answer === undefined) throw new Error(`unexpected processes.run(${spec.command} ${spec.args.join(" ")})`);
    this.ran.push(spec);
    return { exitCode: 0, stdout: "", stderr: "", timedOut: false, ...answer(spec) };
  }

  start(spec: ChildSpec): Child {
    const make = this.#starts.get(spec.command);
    if (make === undefined) throw new Error(`unexpected processes.start(${spec.command} ${spec.args.join(" ")})`);
    this.started.push(spec);
    return make(spec);
  }
}
