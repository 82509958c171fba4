/** Turns what an agent gave into a tool's arguments: declared ones only, defaults in, each of its declared type. */
import { quote } from "../../kernel/codes/row.ts";
import { FermixError } from "../../kernel/error.ts";
import { rawDigits, withPlainNumbers } from "../../kernel/exact-json.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../kernel/json.ts";
import { MAX_MESSAGE_DEPTH, nestsDeeper } from "../../kernel/json-depth.ts";
import { formatJsonPath, type JsonPath } from "../../kernel/json-path.ts";
import type { Arguments } from "./api.ts";
import { readTyped } from "./argument-types.ts";
import { isUnsafeInteger } from "./whole-number.ts";

/** The agent chooses how long the keys inside an argument are. */
const MAX_PLACE_CHARS = 200;

/** The manifest's author chooses how many values an enum has; more would bury the advice. */
const MAX_ENUM_SHOWN = 20;

/**
 * The arguments of one call, in the order in which the parameters are declared (spec 1.5, DECISIONS 17): what is not
 * declared is dropped, text for a list or object is decoded, defaults are filled in, then type, enum and required are
 * checked on the top level alone. Throws argument_invalid, or argument_missing for the first required one that is not
 * there.
 */
export function readArguments(tool: string, parameters: JsonObject | undefined, given: JsonObject): Arguments {
  const declared = parameters?.["properties"];
  const read = new Map<string, JsonValue>();
  for (const [argument, schema] of Object.entries(isJsonObject(declared) ? declared : {})) {
    const value = Object.hasOwn(given, argument) ? given[argument] : ownMember(schema, "default");
    if (value !== undefined) read.set(argument, readArgument(tool, argument, schema, value));
  }
  const required = parameters?.["required"];
  for (const argument of Array.isArray(required) ? required : []) {
    // One that is required but not declared reaches no template; that it was given is all that can be asked.
    if (typeof argument !== "string" || read.has(argument) || Object.hasOwn(given, argument)) continue;
    throw new FermixError("argument_missing", { tool, argument });
  }
  return read;
}

/** Never what Object.prototype has under that name: agents and authors choose it. */
function ownMember(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function readArgument(tool: string, argument: string, schema: JsonValue | undefined, given: JsonValue): JsonValue {
  const invalid = (reason: string) => new FermixError("argument_invalid", { tool, argument, reason });
  const refuseUnsafe = (value: JsonValue): void => {
    const path = unsafeIntegerIn(value);
    if (path !== undefined) throw invalid(`${placeOf([argument, ...path])} is beyond 2^53 - 1, send it as a string`);
  };
  if (nestsDeeper(given, MAX_MESSAGE_DEPTH)) throw invalid(`it nests deeper than ${MAX_MESSAGE_DEPTH} levels`);
  // Before the type, because whoever sent an id as a number is helped by this advice alone (DECISIONS 17).
  refuseUnsafe(given);
  const read = readTyped(given, ownMember(schema, "type"));
  if ("problem" in read) throw invalid(read.problem);
  const { value } = read;
  if (value !== given && rawDigits(value) === undefined) refuseUnsafe(value);
  const allowed = ownMember(schema, "enum");
  if (Array.isArray(allowed) && !isMember(value, allowed)) throw invalid(`it must be one of ${listed(allowed)}`);
  return value;
}

/**
 * Where inside the value the first whole number is whose digits a double cannot count; undefined when there is none.
 * The agent chooses how much there is to look through, so nothing is allocated before something is found.
 */
function unsafeIntegerIn(value: JsonValue | undefined): JsonPath | undefined {
  if (isUnsafeInteger(value)) return [];
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const found = unsafeIntegerIn(value[index]);
      if (found !== undefined) return [index, ...found];
    }
  } else if (isJsonObject(value)) {
    for (const key in value) {
      const found = unsafeIntegerIn(value[key]);
      if (found !== undefined) return [key, ...found];
    }
  }
  return undefined;
}

function placeOf(path: JsonPath): string {
  const place = formatJsonPath(path);
  return place.length > MAX_PLACE_CHARS ? `${place.slice(0, MAX_PLACE_CHARS)}…` : place;
}

function isMember(value: JsonValue, allowed: readonly JsonValue[]): boolean {
  if (allowed.includes(value)) return true;
  if (typeof value !== "object" || value === null) return false;
  const wanted = JSON.stringify(withPlainNumbers(value));
  return allowed.some((one) => JSON.stringify(one) === wanted);
}

function listed(allowed: readonly JsonValue[]): string {
  const shown = allowed.slice(0, MAX_ENUM_SHOWN).map(shownAs);
  return `${shown.join(", ")}${allowed.length > shown.length ? `, and ${allowed.length - shown.length} more` : ""}`;
}

function shownAs(one: JsonValue): string {
  return typeof one === "string" ? quote(one) : quote(JSON.stringify(one)).slice(1, -1);
}
