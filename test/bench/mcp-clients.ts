/** The smallest MCP clients there are, so that what is measured is the server's side: over stdio and over HTTP with SSE. */

export interface BenchClient extends AsyncDisposable {
  /** The raw message that answers a request. */
  ask(method: string, params: object): Promise<string>;
  note(method: string): Promise<void>;
}

/** Greets the server as a client of this revision and reads its list of tools. */
export async function greet(client: BenchClient): Promise<void> {
  const clientInfo = { name: "bench", version: "1.0.0" };
  await client.ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  await client.note("notifications/initialized");
  await client.ask("tools/list", {});
}

/** As much of a stream's reader as is used here. */
interface Chunks {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/** Whether a message answers this request; servers may ask and tell things of their own in between. */
function answers(message: string, id: number): boolean {
  return message.includes(`"id":${id}`) && !message.includes('"method"');
}

export class StdioClient implements BenchClient {
  readonly #child: Bun.Subprocess<"pipe", "pipe", "ignore">;
  readonly #reader: Chunks;
  readonly #decoder = new TextDecoder();
  #rest = "";
  #lastId = 0;

  constructor(command: readonly string[], env: Readonly<Record<string, string>>) {
    this.#child = Bun.spawn([...command], { env, stdin: "pipe", stdout: "pipe", stderr: "ignore" });
    this.#reader = this.#child.stdout.getReader();
  }

  get pid(): number {
    return this.#child.pid;
  }

  async ask(method: string, params: object): Promise<string> {
    this.#lastId += 1;
    const id = this.#lastId;
    this.#send({ id, method, params });
    for (;;) {
      const message = await this.#line();
      if (answers(message, id)) return message;
    }
  }

  async note(method: string): Promise<void> {
    this.#send({ method });
  }

  #send(message: object): void {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    this.#child.stdin.flush();
  }

  async #line(): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf("\n");
      if (end !== -1) {
        const line = this.#rest.slice(0, end);
        this.#rest = this.#rest.slice(end + 1);
        return line;
      }
      const { done, value } = await this.#reader.read();
      if (done) throw new Error("the server ended");
      this.#rest += this.#decoder.decode(value, { stream: true });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.stdin.end();
    this.#child.kill();
    await this.#child.exited;
  }
}

/** The HTTP+SSE transport of MCP 2024-11-05, which is what the peers speak. */
export class SseClient implements BenchClient {
  readonly #reader: Chunks;
  readonly #decoder = new TextDecoder();
  readonly #base: string;
  #endpoint = "";
  #rest = "";
  #lastId = 0;

  private constructor(base: string, body: ReadableStream<Uint8Array>) {
    this.#base = base;
    this.#reader = body.getReader();
  }

  static async open(url: string): Promise<SseClient> {
    const reply = await fetch(url, { headers: { accept: "text/event-stream" } });
    if (!reply.ok || reply.body === null) throw new Error(`${url} answered ${reply.status}`);
    const client = new SseClient(url, reply.body);
    client.#endpoint = new URL(await client.#event(), client.#base).href;
    return client;
  }

  async ask(method: string, params: object): Promise<string> {
    this.#lastId += 1;
    const id = this.#lastId;
    await this.#post({ id, method, params });
    for (;;) {
      const message = await this.#event();
      if (answers(message, id)) return message;
    }
  }

  async note(method: string): Promise<void> {
    await this.#post({ method });
  }

  async #post(message: object): Promise<void> {
    const reply = await fetch(this.#endpoint, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    });
    await reply.arrayBuffer();
    if (!reply.ok) throw new Error(`${this.#endpoint} answered ${reply.status}`);
  }

  /** The data of the next event that has some. */
  async #event(): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf("\n\n");
      if (end !== -1) {
        const block = this.#rest.slice(0, end);
        this.#rest = this.#rest.slice(end + 2);
        const data = block.split("\n").flatMap((line) => (line.startsWith("data: ") ? [line.slice(6)] : []));
        if (data.length > 0) return data.join("\n");
        continue;
      }
      const { done, value } = await this.#reader.read();
      if (done) throw new Error("the event stream ended");
      this.#rest += this.#decoder.decode(value, { stream: true }).replaceAll("\r", "");
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reader.cancel();
  }
}
