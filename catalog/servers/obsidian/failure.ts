/** A failure that the agent should read: what is wrong and what to do. Anything else is reported without its details. */
export class ToolFailure extends Error {}

/** Whether a caught value is a system error with one of these names. */
export function isErrno(error: unknown, ...names: readonly string[]): boolean {
  return error instanceof Error && "code" in error && names.includes(String(error.code));
}

/** A path or text somebody sent, short and quoted. */
export function shown(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}
