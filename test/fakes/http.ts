/** An HTTP port that answers only the requests a test expects, and remembers them all. */
import type { Http, HttpReply, HttpRequest } from "../../src/kernel/ports.ts";

type Answer = (request: HttpRequest) => HttpReply | Promise<HttpReply>;

export class FakeHttp implements Http {
  /** Every request, in order. */
  readonly sent: HttpRequest[] = [];
  readonly #answers = new Map<string, Answer>();

  /** Answers requests to exactly this URL. */
  on(url: string, answer: Answer): this {
    this.#answers.set(url, answer);
    return this;
  }

  async send(request: HttpRequest): Promise<HttpReply> {
    const answer = this.#answers.get(request.url.href);
    if (answer === undefined) throw new Error(`unexpected http.send(${request.method} ${request.url.href})`);
    this.sent.push(request);
    return answer(request);
  }
}

/** A reply with this body, given in one chunk or in several. */
export function reply(
  status: number,
  body: string | Uint8Array | readonly (string | Uint8Array)[] | null = null,
  headers: Readonly<Record<string, string>> = {},
): HttpReply {
  const chunks = body === null ? null : Array.isArray(body) ? body : [body];
  return { status, headers: new Headers(headers), body: chunks && streamOf(chunks) };
}

/** A stream of these chunks. */
export function streamOf(chunks: readonly (string | Uint8Array)[]): ReadableStream<Uint8Array> {
  const left = [...chunks];
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = left.shift();
      if (next === undefined) controller.close();
      else controller.enqueue(Buffer.from(next));
    },
  });
}

/** A stream that gives these chunks and then nothing more, for ever. */
export function stalledAfter(chunks: readonly (string | Uint8Array)[]): ReadableStream<Uint8Array> {
  const left = [...chunks];
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = left.shift();
      if (next === undefined) return new Promise(() => undefined);
      controller.enqueue(Buffer.from(next));
    },
  });
}
