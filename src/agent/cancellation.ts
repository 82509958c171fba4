/** One call that may be given up, and whoever must hear of it. */
import type { CallSignal } from "../rails/rail.ts";

/** An AbortController with its signal would be a tenth of what a call costs. Listeners hear it once. */
export class Cancellation implements CallSignal {
  #listeners: readonly (() => void)[] = [];
  #aborted = false;

  get aborted(): boolean {
    return this.#aborted;
  }

  addEventListener(_type: "abort", listener: () => void): void {
    this.#listeners = [...this.#listeners, listener];
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    this.#listeners = this.#listeners.filter((other) => other !== listener);
  }

  /** Gives the call up; a second time does nothing. */
  abort(): void {
    const listeners = this.#listeners;
    this.#aborted = true;
    this.#listeners = [];
    for (const listener of listeners) listener();
  }
}
