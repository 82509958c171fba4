/** Reads what a hosted tool's calls are held to before any network: its collection policy and argument guards (spec 1.8). */

import * as v from "valibot";
import type { JsonObject } from "../kernel/json.ts";
import { parsePointer, schemaAt } from "./json-pointer.ts";
import type { ArgumentGuard, CollectionPolicy } from "./manifest.ts";
import { listOr, objectOr, oneOf, textThat, wholeNumber } from "./parts.ts";
import { below, type Place } from "./place.ts";
import type { Reading } from "./reading.ts";

/** The manifest's author writes the guards; each is run on every call. */
const MAX_ARGUMENT_GUARDS = 16;
const MAX_ITEMS = 100;

const pointer = textThat((text) => parsePointer(text) !== undefined, "invalid_pointer");
const policyFields = {
  paginated: v.literal(true, "invalid_collection_policy"),
  request_limit_pointer: pointer,
  default_limit: wholeNumber(1, MAX_ITEMS, "invalid_collection_policy"),
  result_items_pointer: pointer,
  max_returned_items: wholeNumber(1, MAX_ITEMS, "invalid_collection_policy"),
};
const POLICY_KEYS: ReadonlySet<string> = new Set(Object.keys(policyFields));
const guardFields = {
  pointer,
  kind: oneOf(["public_http_url_array", "bounded_visible_ascii_array"], "invalid_argument_guard"),
  max_items: wholeNumber(1, MAX_ITEMS, "invalid_argument_guard"),
};
const GUARD_KEYS: ReadonlySet<string> = new Set(Object.keys(guardFields));
const policyField = { collection_policy: v.nullable(objectOr("invalid_collection_policy")) };
const guardsField = { argument_guards: listOr("invalid_argument_guard") };
const guardObject = objectOr("invalid_argument_guard");

/** The schemas a tool carries inline; absent together when the contract is the hash alone. */
export interface InlineSchemas {
  readonly parameters: JsonObject;
  readonly outputSchema: JsonObject | null;
  readonly annotations: JsonObject | null;
}

/** The policy, null for a tool that lists nothing; undefined when a rule was broken. */
export function readCollectionPolicy(
  { problems }: Reading,
  tool: JsonObject,
  toolPath: Place,
  schemas: InlineSchemas | undefined,
): CollectionPolicy | null | undefined {
  const path = below(toolPath, "collection_policy");
  const raw = problems.fields(tool, toolPath, policyField).collection_policy;
  if (raw === null || raw === undefined) return raw;
  problems.closed(raw, path, POLICY_KEYS);
  const read = problems.fields(raw, path, policyFields);
  const { request_limit_pointer, result_items_pointer, default_limit, max_returned_items } = read;
  // Without inline schemas these run on the live ones at connect (DECISIONS 9).
  if (schemas !== undefined && request_limit_pointer !== undefined) {
    const type = schemaAt(schemas.parameters, request_limit_pointer)?.["type"];
    if (type !== "integer" && type !== "number") {
      problems.add(below(path, "request_limit_pointer"), "unresolved_pointer", "in parameters, an integer or number");
    }
  }
  if (schemas?.outputSchema && result_items_pointer !== undefined) {
    if (schemaAt(schemas.outputSchema, result_items_pointer)?.["type"] !== "array") {
      problems.add(below(path, "result_items_pointer"), "unresolved_pointer", "in output_schema, an array");
    }
  }
  if (request_limit_pointer === undefined || result_items_pointer === undefined) return undefined;
  if (read.paginated === undefined || default_limit === undefined || max_returned_items === undefined) return undefined;
  return {
    requestLimitPointer: request_limit_pointer,
    defaultLimit: default_limit,
    resultItemsPointer: result_items_pointer,
    maxReturnedItems: max_returned_items,
  };
}

/** The sound guards; undefined when the list itself is none. */
export function readArgumentGuards(
  { problems }: Reading,
  tool: JsonObject,
  toolPath: Place,
  schemas: InlineSchemas | undefined,
): readonly ArgumentGuard[] | undefined {
  const path = below(toolPath, "argument_guards");
  const list = problems.fields(tool, toolPath, guardsField).argument_guards;
  if (list === undefined) return undefined;
  if (list.length > MAX_ARGUMENT_GUARDS) problems.add(path, "too_many_argument_guards");
  const guards: ArgumentGuard[] = [];
  for (const [index, item] of list.entries()) {
    const at = below(path, index);
    const raw = problems.value(item, at, guardObject);
    if (raw === undefined) continue;
    problems.closed(raw, at, GUARD_KEYS);
    const read = problems.fields(raw, at, guardFields);
    if (read.pointer === undefined) continue;
    if (schemas !== undefined && schemaAt(schemas.parameters, read.pointer)?.["type"] !== "array") {
      problems.add(below(at, "pointer"), "unresolved_pointer", "in parameters, an array");
    }
    if (read.kind === undefined || read.max_items === undefined) continue;
    guards.push({ pointer: read.pointer, kind: read.kind, maxItems: read.max_items });
  }
  return guards;
}
