/** JSON pointers of hosted contracts: their narrow grammar, and where they lead in a schema (RFC 6901, spec 1.8). */
import { isJsonObject, type JsonObject } from "../kernel/json.ts";

/** The manifest's author writes the pointer; a deeper one would only serve to hide what it points at. */
const MAX_POINTER_SEGMENTS = 8;

/** The unescaped segments, undefined when the pointer is outside the grammar. */
export function parsePointer(pointer: string): readonly string[] | undefined {
  if (!pointer.startsWith("/") || pointer.includes("*") || /~(?![01])/.test(pointer)) return undefined;
  const segments = pointer.slice(1).split("/");
  if (segments.length > MAX_POINTER_SEGMENTS || segments.includes("")) return undefined;
  return segments.map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The schema a pointer leads to, walking `properties` only; undefined when it leads nowhere or is no pointer. */
export function schemaAt(schema: JsonObject, pointer: string): JsonObject | undefined {
  const segments = parsePointer(pointer);
  if (segments === undefined) return undefined;
  let here: JsonObject = schema;
  for (const segment of segments) {
    const properties = here["properties"];
    if (!isJsonObject(properties) || !Object.hasOwn(properties, segment)) return undefined;
    const next = properties[segment];
    if (!isJsonObject(next)) return undefined;
    here = next;
  }
  return here;
}
