/** A keychain that knows the items it was told of; a question about any other fails the test. */
import type {
  KeychainAnswer,
  KeychainChange,
  KeychainChangeOptions,
  KeychainItem,
  WritableKeychain,
} from "../../src/kernel/ports.ts";

type Trouble = Exclude<KeychainAnswer, { readonly state: "found" | "missing" }>;
type Refusal = Trouble | Extract<KeychainChange, { readonly state: "refused" }>;

export class FakeKeychain implements WritableKeychain {
  /** Every question, each item as `service/name`. */
  readonly asked: (readonly string[])[] = [];
  /** How many questions were put together, each time. */
  readonly batches: number[] = [];
  /** What is wrong with the keychain itself; undefined lets it answer. */
  trouble: Trouble | undefined;
  /** Called with each question before it is answered. */
  onFind: () => void | Promise<void> = () => {};
  /** What is wrong with changes alone; `trouble` is wrong with them too. */
  refusal: Refusal | undefined;
  /** Every change that was asked for: `set service/name`, `remove service/name`, behind it ` unlock` where allowed. */
  readonly changes: string[] = [];
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

  /** Put one after another, so that a test sees each; the first that tells of trouble answers the rest. */
  async findEach(questions: readonly (readonly KeychainItem[])[]): Promise<readonly KeychainAnswer[]> {
    this.batches.push(questions.length);
    const answers: KeychainAnswer[] = [];
    for (const items of questions)
      answers.push(this.trouble !== undefined && answers[0] ? answers[0] : await this.find(items));
    return answers;
  }

  async set(item: KeychainItem, value: string, options?: KeychainChangeOptions): Promise<KeychainChange> {
    const [name = ""] = this.#change("set", [item], options);
    const refusal = this.trouble ?? this.refusal;
    if (refusal !== undefined) return refusal;
    if (value === "") throw new Error(`keychain.set(${name}) of nothing`);
    const changed = this.#values.get(name) !== value;
    this.#values.set(name, value);
    return { state: "done", changed };
  }

  async remove(items: readonly KeychainItem[], options?: KeychainChangeOptions): Promise<KeychainChange> {
    const names = this.#change("remove", items, options);
    const refusal = this.trouble ?? this.refusal;
    if (refusal !== undefined) return refusal;
    const changed = names.some((name) => this.#values.get(name) !== undefined);
    for (const name of names) this.#values.set(name, undefined);
    return { state: "done", changed };
  }

  /** What is stored now, by `service/name`. */
  stored(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      [...this.#values].flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
  }

  #change(verb: string, items: readonly KeychainItem[], options: KeychainChangeOptions | undefined): string[] {
    const names = items.map(({ service, name }) => `${service}/${name}`);
    this.changes.push(`${verb} ${names.join(" ")}${options?.unlock === true ? " unlock" : ""}`);
    const unknown = names.find((name) => !this.#values.has(name));
    if (unknown !== undefined) throw new Error(`unexpected keychain.${verb}(${unknown})`);
    return names;
  }
}
