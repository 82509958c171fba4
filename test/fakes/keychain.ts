/** A keychain that knows the items it was told of; a question about any other fails the test. */
import type { Keychain, KeychainAnswer, KeychainItem } from "../../src/kernel/ports.ts";

type Trouble = Exclude<KeychainAnswer, { readonly state: "found" | "missing" }>;

export class FakeKeychain implements Keychain {
  /** Every question, each item as `service/name`. */
  readonly asked: (readonly string[])[] = [];
  /** What is wrong with the keychain itself; undefined lets it answer. */
  trouble: Trouble | undefined;
  /** Called with each question before it is answered. */
  onFind: () => void | Promise<void> = () => {};
  readonly #values = new Map<string, string | undefined>();

  /** It holds this item; without a value it may be asked for, and is missing. */
  item(service: string, name: string, value?: string): this {
    this.#values.set(`${service}/${name}`, value);
    return this;
  }

  async find(items: readonly KeychainItem[]): Promise<KeychainAnswer> {
    const names = items.map(({ service, name }) => `${service}/${name}`);
    this.asked.push(names);
    await this.onFind();
    if (this.trouble !== undefined) return this.trouble;
    for (const name of names) {
      if (!this.#values.has(name)) throw new Error(`unexpected keychain.find(${name})`);
      const value = this.#values.get(name);
      if (value !== undefined) return { state: "found", value };
    }
    return { state: "missing" };
  }
}
