/** Gives the JavaScript engine its usual eagerness to compile once this process is a server that stays. */

/** Until then it loads plugins and starts their servers, which it does once. */
const START_MS = 1_000;

/**
 * The binary starts with a compiler that hardly ever steps in (`jitPolicy` in build.ts): code that runs for 50 ms never
 * repays being compiled, and an install waits for system calls and for cosign. Code that serves call after call does.
 */
export function compileOnceServing(): void {
  setTimeout(() => Bun.unsafe.setJITPolicy(1), START_MS).unref();
}
