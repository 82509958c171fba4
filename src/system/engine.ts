/** Gives the JavaScript engine its usual eagerness to compile once the process outlives a short command. */

/** Longer than a command takes that only reads what is installed; a server or an install runs on for seconds. */
const SHORT_COMMAND_MS = 250;

/**
 * The binary starts with a compiler that hardly ever steps in (`jitPolicy` in build.ts), because code that runs for
 * 50 ms never repays being compiled. What is still running after a short command's time is compiled as usual.
 */
export function compileWhenRunningOn(): void {
  setTimeout(() => Bun.unsafe.setJITPolicy(1), SHORT_COMMAND_MS).unref();
}
