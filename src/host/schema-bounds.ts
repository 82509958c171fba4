/** How much work one judgement by an input schema can be, so that neither its author nor a model can stall the process. */
import type { JsonObject, JsonValue } from "../kernel/json.ts";

/** The plugin's author writes the schema: past this it is not even looked at. */
const MAX_SCHEMA_CHARACTERS = 256 * 1024;
const MAX_SCHEMA_DEPTH = 200;
/** Schema nodes with every local reference written out: a chain of references that doubles at each step passes it at once. */
export const MAX_SCHEMA_NODES = 20_000;
/** Schema nodes times argument nodes; the model writes the arguments. About 0.1 s of judging. */
const MAX_JUDGED_WORK = 5_000_000;

/**
 * The schema's nodes with every `$ref` written out, Infinity when that has no end or cannot be told: a recursive
 * schema (its work can double with each level of the arguments), a reference to anything but a place in the schema
 * itself (nothing is ever fetched), or a pattern over property names (a stranger's pattern can hang). CASE-76.
 */
export function schemaNodes(schema: JsonObject): number {
  if (JSON.stringify(schema).length > MAX_SCHEMA_CHARACTERS) return Number.POSITIVE_INFINITY;
  const known = new Map<object, number>();
  const count = (node: unknown, depth: number): number => {
    if (typeof node !== "object" || node === null) return 1;
    if (depth > MAX_SCHEMA_DEPTH) return Number.POSITIVE_INFINITY;
    const before = known.get(node);
    if (before !== undefined) return before;
    // Seen again before it is finished, the node contains itself.
    known.set(node, Number.POSITIVE_INFINITY);
    let total = 1;
    for (const [key, value] of Object.entries(node)) {
      if (key === "patternProperties") total = Number.POSITIVE_INFINITY;
      else if (typeof value !== "string") total += count(value, depth + 1);
      else if (key === "$ref") total += count(targetOf(schema, value), depth + 1);
      else if (key === "$dynamicRef" || key === "$recursiveRef") total = Number.POSITIVE_INFINITY;
      else if (key === "$id" && depth > 0) total = Number.POSITIVE_INFINITY;
      else total += 1;
    }
    known.set(node, total);
    return total;
  };
  return count(schema, 0);
}

/** What a reference of the form `#/…` points at; the schema itself, and so no end, for every other form. */
function targetOf(schema: JsonObject, reference: string): unknown {
  if (!reference.startsWith("#/")) return schema;
  let node: unknown = schema;
  for (const step of reference.slice(2).split("/")) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, key)) return undefined;
    node = Object.entries(node).find(([name]) => name === key)?.[1];
  }
  return node;
}

/** Whether judging these arguments by a schema of `nodes` nodes stays within the bound. */
export function isWorthJudging(args: JsonValue, nodes: number): boolean {
  let left = MAX_JUDGED_WORK / nodes;
  const open: (JsonValue | undefined)[] = [args];
  while (open.length > 0) {
    left -= 1;
    if (left < 0) return false;
    const value = open.pop();
    if (typeof value !== "object" || value === null) continue;
    for (const key in value) {
      if (open.length > left) return false;
      open.push((value as JsonObject)[key]);
    }
  }
  return true;
}
