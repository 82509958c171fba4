/** How a failure is told on stderr when it is not the whole answer. */

/** What happened and what to run; the latter on a line of its own behind a list of problems. */
export function failureNotice({ message, fix }: { readonly message: string; readonly fix: string }): string {
  // Some reasons are written to stand within a sentence.
  const sentence = /[.!?:]$/.test(message) || message.includes("\n") ? message : `${message}.`;
  return `${sentence}${message.includes("\n") ? "\n" : " "}Fix: ${fix}`;
}
