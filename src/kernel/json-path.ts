/** How a place inside a JSON document is written for people: `tools[2].request.url`, or `$` for the whole document. */
import { quote } from "./codes/row.ts";

/** Object keys and array indexes from the root of a document down to one value. */
export type JsonPath = readonly (string | number)[];

const PLAIN_KEY = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** The path as text; keys that are no plain word (the document's author chooses them) are quoted. */
export function formatJsonPath(path: JsonPath): string {
  if (path.length === 0) return "$";
  let text = "";
  for (const part of path) {
    if (typeof part === "number") text += `[${part}]`;
    else if (!PLAIN_KEY.test(part)) text += `[${quote(part)}]`;
    else text += text === "" ? part : `.${part}`;
  }
  return text;
}
