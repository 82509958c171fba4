/** Collects every broken rule of one manifest, field by field, and gives them back in document order. */
import * as v from "valibot";
import type { ManifestProblem } from "../kernel/codes/manifest.ts";
import { quote } from "../kernel/codes/row.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../kernel/json.ts";
import { formatJsonPath, type JsonPath } from "../kernel/json-path.ts";
import { isRule, type Rule, rules } from "./rules.ts";

/** The manifest's author controls how many rules it breaks; more than this would only bury the first. */
export const MAX_REPORTED_PROBLEMS = 100;

type Schema = v.GenericSchema<unknown, unknown>;
type Entries = Readonly<Record<string, Schema>>;
/** What each field holds when it is sound, its default when it is absent, and undefined when it broke a rule. */
export type Fields<E extends Entries> = { readonly [K in keyof E]: v.InferOutput<E[K]> | undefined };

interface Found {
  readonly path: JsonPath;
  readonly rule: Rule;
  readonly says: string;
}

export class Problems {
  readonly #found: Found[] = [];
  readonly #warnings: Found[] = [];

  get any(): boolean {
    return this.#found.length > 0;
  }

  /** Notes a broken rule; `detail` adds the facts of this case. */
  add(path: JsonPath, rule: Rule, detail?: string): void {
    this.#found.push({ path, rule, says: sentence(rule, detail) });
  }

  /** Notes something that is tolerated, for `validate` and `--json`. */
  warn(path: JsonPath, rule: Rule, detail?: string): void {
    this.#warnings.push({ path, rule, says: sentence(rule, detail) });
  }

  /** Reads the named fields, each by its own schema, so that one bad field hides no other. Other keys are left alone. */
  fields<E extends Entries>(raw: JsonObject, path: JsonPath, entries: E): Fields<E> {
    const read: Record<string, unknown> = {};
    for (const key in entries) {
      const schema = entries[key];
      // Own members only: a manifest must not be read through Object.prototype.
      if (schema !== undefined)
        read[key] = this.value(Object.hasOwn(raw, key) ? raw[key] : undefined, [...path, key], schema);
    }
    return read as Fields<E>;
  }

  /** Reads one value; undefined when it broke a rule or is absent without a default. */
  value<S extends Schema>(raw: JsonValue | undefined, path: JsonPath, schema: S): v.InferOutput<S> | undefined {
    const result = v.safeParse(schema, raw, { abortPipeEarly: true });
    if (result.success) return result.output;
    if (raw === undefined) this.add(path, "missing_required");
    else for (const issue of result.issues) this.#issue(path, issue);
    return undefined;
  }

  /** Refuses (or only warns of) every key outside the set, each at its own path. */
  closed(raw: JsonObject, path: JsonPath, keys: ReadonlySet<string>, how: "refuse" | "warn" = "refuse"): void {
    for (const key of Object.keys(raw)) {
      if (keys.has(key)) continue;
      if (how === "warn") this.warn([...path, key], "unknown_fields");
      else this.add([...path, key], "unknown_fields");
    }
  }

  /** The problems in the order their places have in the document, bounded; a missing key comes after its siblings. */
  inOrder(document: JsonValue): readonly ManifestProblem[] {
    const sorted = this.#found
      .map((problem) => ({ problem, place: placeOf(document, problem.path) }))
      .sort((a, b) => comparePlaces(a.place, b.place))
      .map(({ problem }) => view(problem));
    if (sorted.length <= MAX_REPORTED_PROBLEMS) return sorted;
    const more = `${sorted.length - MAX_REPORTED_PROBLEMS} more rules`;
    const rest = { path: "$", rule: "too_many_problems", says: `${more} ${rules.too_many_problems}` };
    return [...sorted.slice(0, MAX_REPORTED_PROBLEMS), rest];
  }

  /** The warnings as lines, `path: what is tolerated there`, in the order they were found. */
  warnings(): readonly string[] {
    const lines = this.#warnings.slice(0, MAX_REPORTED_PROBLEMS);
    return lines.map((warning) => `${formatJsonPath(warning.path)}: ${warning.says}`);
  }

  #issue(path: JsonPath, issue: v.BaseIssue<unknown>): void {
    const inner = (issue.path ?? []).map((item) => (typeof item.key === "number" ? item.key : String(item.key)));
    const at = [...path, ...inner];
    if (isRule(issue.message)) this.add(at, issue.message, `it is ${shown(issue.input)}`);
    else this.add(at, "wrong_type", `it must be ${issue.expected ?? "something else"}, not ${shown(issue.input)}`);
  }
}

function sentence(rule: Rule, detail: string | undefined): string {
  return detail === undefined ? rules[rule] : `${rules[rule]}; ${detail}`;
}

function view(problem: Found): ManifestProblem {
  return { path: formatJsonPath(problem.path), rule: problem.rule, says: problem.says };
}

/** An untrusted value made short and safe for a message. */
export function shown(value: unknown): string {
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  return String(value);
}

/** The path as positions among siblings, so that document order is plain comparison. */
function placeOf(document: JsonValue, path: JsonPath): readonly number[] {
  const place: number[] = [];
  let value: JsonValue | undefined = document;
  for (const part of path) {
    if (typeof part === "number") {
      place.push(part);
      value = Array.isArray(value) ? value[part] : undefined;
    } else {
      const position: number = isJsonObject(value) ? Object.keys(value).indexOf(part) : -1;
      place.push(position === -1 ? Number.POSITIVE_INFINITY : position);
      value = isJsonObject(value) && position !== -1 ? value[part] : undefined;
    }
  }
  return place;
}

function comparePlaces(a: readonly number[], b: readonly number[]): number {
  for (let level = 0; level < Math.min(a.length, b.length); level += 1) {
    const left = a[level] ?? 0;
    const right = b[level] ?? 0;
    if (left !== right) return left < right ? -1 : 1;
  }
  return a.length - b.length;
}
