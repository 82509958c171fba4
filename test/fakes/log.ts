/** A log in memory. */
import type { Log, LogFacts } from "../../src/kernel/ports.ts";

export class FakeLog implements Log {
  readonly lines: (LogFacts & { readonly level: string; readonly event: string })[] = [];

  write(level: "info" | "warn" | "error", event: string, facts: LogFacts = {}): void {
    this.lines.push({ level, event, ...facts });
  }
}
