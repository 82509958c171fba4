/** The body of an answer as its reader gets it: every read within the request's time, and its end made known. */
import type { Watch } from "./deadlines.ts";

/** What is used of a stream's reader. */
export interface BodyReader {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
  cancel(reason?: unknown): Promise<void>;
}

/** What is used of a stream: a ReadableStream of bytes is one. */
export interface ByteBody {
  readonly locked: boolean;
  getReader(): BodyReader;
  cancel(reason?: unknown): Promise<void>;
}

/** A second stream around the first would cost as much as the request; this only stands before its reader. */
export class WatchedBody implements ByteBody, BodyReader {
  readonly #reader: BodyReader;
  readonly #watch: Watch;
  readonly #finish: () => void;
  readonly #fault: (cause: unknown) => Error;
  #failed: { readonly error: unknown } | undefined;
  locked = false;

  /** `finish` is called at the end of the body, however it ends; `fault` names what broke it. */
  constructor(stream: ByteBody, watch: Watch, finish: () => void, fault: (cause: unknown) => Error) {
    this.#reader = stream.getReader();
    this.#watch = watch;
    this.#finish = finish;
    this.#fault = fault;
  }

  getReader(): BodyReader {
    if (this.locked) throw new TypeError("the body has a reader already");
    this.locked = true;
    return this;
  }

  async read(): Promise<{ done: boolean; value?: Uint8Array | undefined }> {
    if (this.#failed !== undefined) throw this.#failed.error;
    try {
      const part = await this.#watch.race(this.#reader.read());
      if (part.done) this.#finish();
      return part;
    } catch (cause) {
      const { stopped } = this.#watch;
      this.#finish();
      this.#reader.cancel(cause).catch(() => undefined);
      this.#failed = { error: stopped === undefined ? this.#fault(cause) : stopped.reason };
      throw this.#failed.error;
    }
  }

  async cancel(reason?: unknown): Promise<void> {
    this.#finish();
    await this.#reader.cancel(reason);
  }
}
