/** A server of the lab in a process of its own: commands go in as lines of JSON, and what it says comes back as lines. */

/** What a server prints: it is up, a fact worth recording, or the end of a command. */
export type Said<Fact> = { readonly up: true } | { readonly fact: Fact } | { readonly done: number };

export class LineServer<Fact> implements Disposable {
  private readonly child: Bun.Subprocess<"pipe", "pipe", "inherit">;
  private readonly facts: Fact[] = [];
  private readonly waiting = new Map<number, () => void>();
  private readonly up = Promise.withResolvers<void>();
  private asked = 0;

  private constructor(command: readonly string[]) {
    this.child = Bun.spawn([...command], { stdin: "pipe", stdout: "pipe", stderr: "inherit" });
    void this.listen(command);
  }

  /** Starts a server; resolves when it is up, rejects when it ends before. */
  static async start<Fact>(command: readonly string[]): Promise<LineServer<Fact>> {
    const server = new LineServer<Fact>(command);
    await server.up.promise;
    return server;
  }

  /** Resolves when the server has done it; everything it said before is then in `take()`. */
  async command(what: Readonly<Record<string, unknown>>): Promise<void> {
    this.asked += 1;
    const id = this.asked;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.waiting.set(id, resolve);
    this.child.stdin.write(`${JSON.stringify({ ...what, id })}\n`);
    this.child.stdin.flush();
    await Promise.race([promise, this.child.exited.then(gone)]);
  }

  /** The facts since the last time. */
  take(): Fact[] {
    return this.facts.splice(0);
  }

  private async listen(command: readonly string[]): Promise<void> {
    let rest = "";
    for await (const chunk of this.child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.hear(JSON.parse(line));
    }
    this.up.reject(new Error(`${command.join(" ")} ended before it was up`));
  }

  private hear(said: Said<Fact>): void {
    if ("up" in said) this.up.resolve();
    else if ("fact" in said) this.facts.push(said.fact);
    else this.waiting.get(said.done)?.();
  }

  [Symbol.dispose](): void {
    this.child.kill("SIGKILL");
  }
}

function gone(): never {
  throw new Error("a server of the lab ended while the test was using it");
}

/** The server's side: says something to the test. */
export function say<Fact>(what: Said<Fact>): void {
  process.stdout.write(`${JSON.stringify(what)}\n`);
}

/** The server's side: obeys commands until stdin ends, and says after each that it is done. */
export async function obey<Command extends { readonly id: number }>(
  run: (command: Command) => void | Promise<void>,
): Promise<void> {
  for await (const line of console) {
    const command: Command = JSON.parse(line);
    await run(command);
    say({ done: command.id });
  }
}
