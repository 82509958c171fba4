/** How this very Fermix is started: the compiled binary, or Bun with the sources. */

/** Where Bun puts the files of a compiled binary. */
const INSIDE_BINARY = /^(\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/;

/** The program and the words that come before a verb. */
export function ownCommand(executable = process.execPath, entry = Bun.main): readonly string[] {
  return INSIDE_BINARY.test(entry) ? [executable] : [executable, entry];
}
