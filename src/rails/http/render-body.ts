/** Fills in a template's JSON body: arguments keep their types, and what was not given leaves no trace (spec 1.6). */
import { isJsonObject, type JsonObject, type JsonValue } from "../../kernel/json.ts";
import { fillPlaceholders, onlyPlaceholder } from "../../manifest/placeholders.ts";
import type { Arguments } from "./api.ts";
import { textOf } from "./url-text.ts";

/**
 * The body. A text that is one placeholder becomes the argument itself; other texts have theirs written in. An absent
 * argument takes its member or item with it, and so does a list or object that this leaves empty; `{}` when nothing
 * is left. The template's author bounds the nesting (manifests are at most 64 levels deep).
 */
export function renderBody(template: JsonValue, args: Arguments): JsonValue {
  return filled(template, args) ?? {};
}

/** undefined for what is left out. */
function filled(template: JsonValue | undefined, args: Arguments): JsonValue | undefined {
  if (typeof template === "string") return filledText(template, args);
  if (Array.isArray(template)) return filledList(template, args);
  return isJsonObject(template) ? filledObject(template, args) : template;
}

function filledText(template: string, args: Arguments): JsonValue | undefined {
  const argument = onlyPlaceholder(template);
  if (argument !== undefined) return args.get(argument);
  return fillPlaceholders(template, (name) => textOf(args.get(name) ?? ""));
}

function filledList(template: readonly JsonValue[], args: Arguments): JsonValue | undefined {
  const items = template.map((item) => filled(item, args)).filter((item) => item !== undefined);
  return items.length === 0 && template.length > 0 ? undefined : items;
}

function filledObject(template: JsonObject, args: Arguments): JsonValue | undefined {
  const members = Object.entries(template)
    .map(([key, value]) => [key, filled(value, args)] as const)
    .filter(([, value]) => value !== undefined);
  return members.length === 0 && Object.keys(template).length > 0 ? undefined : Object.fromEntries(members);
}
