/** A resolver that knows the names it was told; a lookup of any other name fails the test. */
import type { Dns } from "../../src/kernel/ports.ts";

export class FakeDns implements Dns {
  /** Every name looked up, in order. */
  readonly asked: string[] = [];
  readonly #answers = new Map<string, readonly (readonly string[])[]>();

  /** Each set of answers is given once, the last one again and again. */
  answer(host: string, ...answers: readonly (readonly string[])[]): this {
    this.#answers.set(host, answers);
    return this;
  }

  async lookup(host: string): Promise<readonly string[]> {
    const [first, ...rest] = this.#answers.get(host) ?? [];
    if (first === undefined) throw new Error(`unexpected dns.lookup(${host})`);
    this.asked.push(host);
    if (rest.length > 0) this.#answers.set(host, rest);
    return first;
  }
}

/** Offline: no name resolves, and each attempt is remembered. */
export class OfflineDns implements Dns {
  readonly asked: string[] = [];

  async lookup(host: string): Promise<readonly string[]> {
    this.asked.push(host);
    return [];
  }
}
