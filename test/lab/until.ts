/** Waiting for the outside world to reach a state; the bound only keeps a broken run from hanging. */

const EVERY_MS = 10;
const TRIES = 3000;

/** Resolves when the condition holds; fails when it never does. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (await holds()) return;
    await Bun.sleep(EVERY_MS);
  }
  throw new Error(`never came true: ${what}`);
}
