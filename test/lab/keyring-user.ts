/** The user whom a locked keyring asks: each prompt gets the next answer. */
import { dlopen, FFIType } from "bun:ffi";
import { join } from "node:path";

/** Every gnome-keyring comes with one of them. */
const LIBRARIES = ["libgcr-base-3.so.1", "libgcr-4.so.4"] as const;
const { cstring, ptr, void: nothing, i32 } = FFIType;

/** The prompter that GNOME's own tests use; undefined where it is not to be had. */
export function openPrompter() {
  for (const name of LIBRARIES) {
    try {
      return dlopen(name, {
        gcr_mock_prompter_start: { args: [], returns: cstring },
        gcr_mock_prompter_expect_password_ok: { args: [cstring, ptr], returns: nothing },
        gcr_mock_prompter_expect_password_cancel: { args: [], returns: nothing },
        gcr_mock_prompter_is_expecting: { args: [], returns: i32 },
      }).symbols;
    } catch {
      // The other one.
    }
  }
  return undefined;
}

/** What this machine lacks for one, or undefined. In CI a lack is a failure; elsewhere the suite says it was not run. */
export function keyringUserMissing(): string | undefined {
  const missing = openPrompter() === undefined ? LIBRARIES[0] : undefined;
  if (missing !== undefined && process.env["CI"] !== undefined) throw new Error(`not run: ${missing} is missing`);
  return missing;
}

export class KeyringUser implements Disposable {
  /** Where a keyring finds them on the bus. */
  readonly busName: string;
  readonly #child: Bun.Subprocess<"pipe", "pipe", "inherit">;
  readonly #lines: AsyncIterator<string>;

  private constructor(child: Bun.Subprocess<"pipe", "pipe", "inherit">, lines: AsyncIterator<string>, name: string) {
    this.#child = child;
    this.#lines = lines;
    this.busName = name;
  }

  /** Sits down at the session of this environment; "" dismisses a prompt, anything else is typed as the password. */
  static async at(env: Record<string, string>, answers: readonly string[]): Promise<KeyringUser> {
    const command = [process.execPath, join(import.meta.dir, "keyring-user-child.ts"), ...answers];
    const child = Bun.spawn(command, { env, stdin: "pipe", stdout: "pipe", stderr: "inherit" });
    const lines = linesOf(child.stdout)[Symbol.asyncIterator]();
    const { value } = await lines.next();
    if (typeof value !== "string") throw new Error("nobody sat down at the keyring");
    return new KeyringUser(child, lines, value);
  }

  /** Whether an answer was not asked for yet. */
  async hasAnswersLeft(): Promise<boolean> {
    this.#child.stdin.write("\n");
    await this.#child.stdin.flush();
    return (await this.#lines.next()).value === "true";
  }

  [Symbol.dispose](): void {
    this.#child.kill("SIGKILL");
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let text = "";
  for await (const chunk of stream) {
    text += Buffer.from(chunk).toString();
    const lines = text.split("\n");
    text = lines.pop() ?? "";
    yield* lines;
  }
}
