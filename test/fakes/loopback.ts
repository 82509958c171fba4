/** A loopback that listens to nobody but the test, which sends requests as a browser would. */
import type { Loopback, LoopbackAnswer, LoopbackReply, LoopbackRequest } from "../../src/kernel/ports.ts";

type Receive = (request: LoopbackRequest) => Promise<LoopbackReply>;

export class FakeLoopback implements Loopback {
  /** Ports that others hold. */
  readonly taken = new Map<number, { readonly pid: number; readonly name: string } | undefined>();
  /** Ports that the system refuses, with its reason. */
  readonly refused = new Map<number, string>();
  /** Every port that was tried, in order. */
  readonly tried: number[] = [];
  readonly #open = new Map<number, Receive>();

  /** The ports that are listened at now. */
  get open(): readonly number[] {
    return [...this.#open.keys()];
  }

  async listen(port: number, answer: Receive): Promise<LoopbackAnswer> {
    this.tried.push(port);
    const reason = this.refused.get(port);
    if (reason !== undefined) return { state: "refused", reason };
    if (this.taken.has(port)) return { state: "in_use", holder: this.taken.get(port) };
    if (this.#open.has(port)) return { state: "in_use", holder: { pid: 4711, name: "fermix" } };
    this.#open.set(port, answer);
    const close = async (): Promise<void> => {
      this.#open.delete(port);
    };
    return { state: "listening", listener: { port, close } };
  }

  /** What the listener answers to a GET of this address. Throws when nobody listens. */
  async visit(
    address: string,
    more: { readonly method?: string; readonly host?: string } = {},
  ): Promise<LoopbackReply> {
    const { port, host, pathname, search } = new URL(address);
    const headers = new Headers({ host: more.host ?? host });
    return await this.send(Number(port), { method: more.method ?? "GET", target: pathname + search, headers });
  }

  /** What the listener answers to this request. Throws when nobody listens. */
  async send(port: number, request: LoopbackRequest): Promise<LoopbackReply> {
    const receive = this.#open.get(port);
    if (receive === undefined) throw new Error(`nobody listens at ${port}`);
    return await receive(request);
  }
}
