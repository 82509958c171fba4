/** The one failure of reading strict JSON: which rule was broken, and where in the text. */
import { formatJsonPath, type JsonPath } from "./json-path.ts";

/** Why a text is no strict JSON. */
export type StrictJsonReason =
  | "too_large"
  | "invalid_utf8"
  | "byte_order_mark"
  | "empty"
  | "syntax"
  | "trailing_content"
  | "too_deep"
  | "duplicate_key"
  | "unsafe_integer"
  | "number_out_of_range"
  | "lone_surrogate";

/** Why a text is no strict JSON, and where: line and column count from 1, in characters. */
export class StrictJsonError extends Error {
  readonly reason: StrictJsonReason;
  readonly line: number;
  readonly column: number;
  /** The value or key at fault. */
  readonly path: JsonPath;
  /** What is wrong, without the place. */
  readonly says: string;

  constructor(reason: StrictJsonReason, says: string, at: { line: number; column: number; path: JsonPath }) {
    super(`${says} (line ${at.line}, column ${at.column}, at ${formatJsonPath(at.path)})`);
    this.name = "StrictJsonError";
    this.reason = reason;
    this.says = says;
    this.line = at.line;
    this.column = at.column;
    this.path = at.path;
  }
}
