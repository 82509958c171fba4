/** Decides how deep JSON from the other side of a pipe may nest, before anything that walks it by recursion does. */
import { isJsonObject, type JsonValue } from "./json.ts";

/** The other side controls it. JSON.parse takes millions of levels; JSON.stringify and every walk run out of stack long before. */
export const MAX_MESSAGE_DEPTH = 500;

/** Whether objects and arrays nest in more than `levels` levels; looks no deeper than that, and allocates nothing. */
export function nestsDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((item) => typeof item === "object" && nestsDeeper(item, levels - 1));
  for (const key in value) {
    const item = (value as Readonly<Record<string, unknown>>)[key];
    if (typeof item === "object" && nestsDeeper(item, levels - 1)) return true;
  }
  return false;
}

/** The value itself when it has at most `levels` levels, else a copy in which what nests deeper is empty: `{}` or `[]`. */
export function cutToDepth<T extends JsonValue>(value: T, levels: number): T {
  return nestsDeeper(value, levels) ? (cut(value, levels) as T) : value;
}

function cut(value: JsonValue | undefined, levels: number): JsonValue | undefined {
  if (Array.isArray(value)) return levels <= 0 ? [] : value.map((item) => cut(item, levels - 1) ?? null);
  if (!isJsonObject(value)) return value;
  if (levels <= 0) return {};
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cut(item, levels - 1)]));
}
