/** A tool whose requests are written in code because no template can say them (spec 11: parts of the Google trio). */
import type { JsonValue } from "../../../kernel/json.ts";
import type { Arguments, Ask } from "../api.ts";

export interface NativeTool {
  /** Whether it may undo or overwrite something that exists (MCP `destructiveHint`). */
  readonly destructive: boolean;
  /** Asks the provider as often as it needs; gives what the agent reads. Throws what `ask` throws, and its own refusals. */
  run(args: Arguments, ask: Ask): Promise<JsonValue>;
}
