/** The strictness of a stand-in: only what the provider documents is answered, everything else gets its own error (DECISIONS 46). */
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/kernel/json.ts";

/** What is wrong with a value, or undefined. */
export type Check = (value: JsonValue) => string | undefined;
export type Checks = Readonly<Record<string, Check>>;
export type Where = "query" | "body";

/** A request that passed every check. */
export interface Admitted {
  readonly request: Request;
  /** What the braces of the operation's path stood for, decoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

export interface Operation {
  /** `GET /repos/{owner}/{repo}/issues`: each brace is one segment that is not empty. */
  readonly route: string;
  readonly path?: Checks;
  readonly query?: Checks;
  /** Without it the operation takes no body. */
  readonly body?: Checks;
  /** Query or body fields that must be there. */
  readonly required?: readonly string[];
  /** Scopes that the token needs, all of them. */
  readonly scopes?: readonly string[];
  answer(admitted: Admitted): Response | Promise<Response>;
}

/** The provider's own words for each refusal. */
export interface Refusals {
  unknownRoute(request: Request): Response;
  /** Headers, version and token; undefined lets the request in. Scopes are those of the operation. */
  admit(request: Request, scopes: readonly string[]): Response | undefined;
  notJson(): Response;
  unknownField(where: Where, name: string, value: JsonValue): Response;
  missingField(where: Where, name: string): Response;
  /** A path value is named like a query parameter. */
  wrongField(where: Where, name: string, value: JsonValue, reason: string): Response;
}

/** Answers one request: route, then admission, then every parameter, in the order in which providers judge. */
export async function answerStrictly(
  operations: readonly Operation[],
  refuse: Refusals,
  request: Request,
): Promise<Response> {
  const url = new URL(request.url);
  const found = find(operations, request.method, url.pathname);
  if (found === undefined) return refuse.unknownRoute(request);
  const { operation, path } = found;
  const refused = refuse.admit(request, operation.scopes ?? []);
  if (refused !== undefined) return refused;
  const text = await request.text();
  const body = text === "" ? {} : parsed(text);
  if (body === undefined || (text !== "" && !isJsonType(request))) return refuse.notJson();
  const query = Object.fromEntries(url.searchParams);
  const doubled = [...url.searchParams.keys()].find((name, at, all) => all.indexOf(name) !== at);
  if (doubled !== undefined)
    return refuse.wrongField("query", doubled, query[doubled] ?? "", "is given more than once");
  return (
    judge(refuse, "query", path, operation.path ?? {}, Object.keys(path)) ??
    judge(refuse, "query", query, operation.query ?? {}, operation.required ?? []) ??
    judge(refuse, "body", body, operation.body ?? {}, operation.required ?? []) ??
    operation.answer({ request, path, query, body })
  );
}

function isJsonType(request: Request): boolean {
  return /^application\/json\b/.test(request.headers.get("content-type") ?? "");
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function find(
  operations: readonly Operation[],
  method: string,
  pathname: string,
): { operation: Operation; path: Record<string, string> } | undefined {
  for (const operation of operations) {
    const [verb, template = ""] = operation.route.split(" ");
    const path = verb === method ? matched(template.split("/"), pathname.split("/")) : undefined;
    if (path !== undefined) return { operation, path };
  }
  return undefined;
}

function matched(template: readonly string[], given: readonly string[]): Record<string, string> | undefined {
  if (template.length !== given.length) return undefined;
  const values: Record<string, string> = {};
  for (const [at, part] of template.entries()) {
    const value = given[at] ?? "";
    if (!part.startsWith("{")) {
      if (part !== value) return undefined;
    } else if (value === "") return undefined;
    else values[part.slice(1, -1)] = decodeURIComponent(value);
  }
  return values;
}

function judge(
  refuse: Refusals,
  where: Where,
  values: JsonObject,
  checks: Checks,
  required: readonly string[],
): Response | undefined {
  const absent = required.find((name) => name in checks && values[name] === undefined);
  if (absent !== undefined) return refuse.missingField(where, absent);
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    const check = checks[name];
    if (check === undefined) return refuse.unknownField(where, name, value);
    const reason = check(value);
    if (reason !== undefined) return refuse.wrongField(where, name, value, reason);
  }
  return undefined;
}

export const text: Check = (value) => (typeof value === "string" && value !== "" ? undefined : "is not a string");
export const list: Check = (value) => (Array.isArray(value) ? undefined : "is not an array");
export const object: Check = (value) => (isJsonObject(value) ? undefined : "is not an object");

/** A text of this pattern. */
export function like(pattern: RegExp): Check {
  return (value) => (typeof value === "string" && pattern.test(value) ? undefined : `does not match ${pattern.source}`);
}

/** One of these texts. */
export function oneOf(...allowed: readonly string[]): Check {
  return (value) =>
    typeof value === "string" && allowed.includes(value) ? undefined : `is not one of ${allowed.join(", ")}`;
}

/** Some of these texts, separated by commas, none twice. */
export function someOf(...allowed: readonly string[]): Check {
  return (value) => {
    const parts = String(value).split(",");
    const fine = parts.every((part, at) => allowed.includes(part) && parts.indexOf(part) === at);
    return fine ? undefined : `is not a list of ${allowed.join(", ")}`;
  };
}

/** A whole number in this range, as a number or in digits. */
export function whole(from: number, to: number): Check {
  return (value) =>
    /^\d{1,9}$/.test(String(value)) && Number(value) >= from && Number(value) <= to
      ? undefined
      : `is not between ${from} and ${to}`;
}

/** The fields of an object, each checked, these ones required. */
export function shaped(checks: Checks, required: readonly string[] = []): Check {
  return (value) => {
    if (!isJsonObject(value)) return "is not an object";
    const absent = required.find((name) => value[name] === undefined);
    if (absent !== undefined) return `has no ${absent}`;
    const wrong = Object.entries(value).find(([name, item]) => {
      const check = checks[name];
      return check === undefined || check(item ?? null) !== undefined;
    });
    return wrong === undefined ? undefined : `has a wrong ${wrong[0]}`;
  };
}

/** A list whose items all pass, at most this many. */
export function listOf(check: Check, most = 100): Check {
  return (value) =>
    Array.isArray(value) && value.length <= most && value.every((item: JsonValue) => check(item) === undefined)
      ? undefined
      : `is not a list of at most ${most} valid items`;
}
