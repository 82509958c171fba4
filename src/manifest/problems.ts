/** Collects every broken rule of one manifest, field by field, and gives them back in document order. */
import * as v from "valibot";
import type { ManifestProblem } from "../kernel/codes/manifest.ts";
import { quote } from "../kernel/codes/row.ts";
import type { JsonObject, JsonValue } from "../kernel/json.ts";
import { formatJsonPath } from "../kernel/json-path.ts";
import { inDocumentOrder } from "./document-order.ts";
import { below, type Place, pathTo } from "./place.ts";
import { isRule, type Rule, rules } from "./rules.ts";

/** The manifest's author controls how many rules it breaks; more than this would only bury the first. */
export const MAX_REPORTED_PROBLEMS = 100;
/** And this many are looked at to find the first ones in document order; what comes after is only counted. */
const MAX_COLLECTED_PROBLEMS = 10_000;

type Schema = v.GenericSchema<unknown, unknown>;
type Entries = Readonly<Record<string, Schema>>;
/** What each field holds when it is sound, its default when it is absent, and undefined when it broke a rule. */
export type Fields<E extends Entries> = { readonly [K in keyof E]: v.InferOutput<E[K]> | undefined };

const EARLY = { abortPipeEarly: true } as const;

interface Found {
  readonly path: Place;
  readonly rule: Rule;
  readonly says: string;
}

export class Problems {
  readonly #found: Found[] = [];
  readonly #warnings: Found[] = [];
  #count = 0;

  get any(): boolean {
    return this.#count > 0;
  }

  /** Notes a broken rule; `detail` adds the facts of this case. */
  add(path: Place, rule: Rule, detail?: string): void {
    this.#count += 1;
    if (this.#found.length < MAX_COLLECTED_PROBLEMS) this.#found.push({ path, rule, says: sentence(rule, detail) });
  }

  /** Notes something that is tolerated, for `validate` and `--json`. */
  warn(path: Place, rule: Rule, detail?: string): void {
    if (this.#warnings.length < MAX_REPORTED_PROBLEMS)
      this.#warnings.push({ path, rule, says: sentence(rule, detail) });
  }

  /** Reads the named fields, each by its own schema, so that one bad field hides no other. Other keys are left alone. */
  fields<E extends Entries>(raw: JsonObject, path: Place, entries: E): Fields<E> {
    const read: Record<string, unknown> = {};
    for (const key in entries) {
      const schema = entries[key];
      if (schema === undefined) continue;
      // Own members only: a manifest must not be read through Object.prototype.
      if (Object.hasOwn(raw, key)) {
        const result = v.safeParse(schema, raw[key]);
        read[key] = result.success ? result.output : this.#refuse(raw[key], below(path, key), schema);
      } else if (schema.type === "optional") read[key] = v.getDefault(schema);
      else this.add(below(path, key), "missing_required");
    }
    return read as Fields<E>;
  }

  /** Reads one value that is there; undefined when it broke a rule. */
  value<S extends Schema>(raw: JsonValue | undefined, path: Place, schema: S): v.InferOutput<S> | undefined {
    const result = v.safeParse(schema, raw);
    return result.success ? result.output : this.#refuse(raw, path, schema);
  }

  /** Refuses (or only warns of) every key outside the set, each at its own path. */
  closed(raw: JsonObject, path: Place, keys: ReadonlySet<string>, how: "refuse" | "warn" = "refuse"): void {
    for (const key of Object.keys(raw)) {
      if (keys.has(key)) continue;
      if (how === "warn") this.warn(below(path, key), "unknown_fields");
      else this.add(below(path, key), "unknown_fields");
    }
  }

  /** The problems in document order, bounded. */
  inOrder(document: JsonValue): readonly ManifestProblem[] {
    const first = inDocumentOrder(document, this.#found).slice(0, MAX_REPORTED_PROBLEMS).map(view);
    if (this.#count <= MAX_REPORTED_PROBLEMS) return first;
    const says = `${this.#count - MAX_REPORTED_PROBLEMS} more rules ${rules.too_many_problems}`;
    return [...first, { path: "$", rule: "too_many_problems", says }];
  }

  /** The warnings as lines, `path: what is tolerated there`, in the order they were found. */
  warnings(): readonly string[] {
    return this.#warnings.map((warning) => `${formatJsonPath(pathTo(warning.path))}: ${warning.says}`);
  }

  /** Notes why; a value is read once more for it, so that sound ones, which are all but a few, cost no options object. */
  #refuse(raw: JsonValue | undefined, path: Place, schema: Schema): undefined {
    for (const issue of v.safeParse(schema, raw, EARLY).issues ?? []) this.#issue(path, issue);
    return undefined;
  }

  #issue(path: Place, issue: v.BaseIssue<unknown>): void {
    let at = path;
    for (const { key } of issue.path ?? []) at = below(at, typeof key === "number" ? key : String(key));
    if (isRule(issue.message)) this.add(at, issue.message, `it is ${shown(issue.input)}`);
    else this.add(at, "wrong_type", `it must be ${issue.expected ?? "something else"}, not ${shown(issue.input)}`);
  }
}

function sentence(rule: Rule, detail: string | undefined): string {
  return detail === undefined ? rules[rule] : `${rules[rule]}; ${detail}`;
}

function view(problem: Found): ManifestProblem {
  return { path: formatJsonPath(pathTo(problem.path)), rule: problem.rule, says: problem.says };
}

/** An untrusted value made short and safe for a message. */
function shown(value: unknown): string {
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  return String(value);
}
