/** What a provider may report inside an answer whose status is success, and the small table of hosts that do so (DECISIONS 18). */
import type { JsonObject, JsonValue } from "../../kernel/json.ts";
import { isRecord } from "./extract.ts";
import { slackFailure } from "./slack-failure.ts";

export type InsideFailure =
  | { readonly kind: "credential" }
  | { readonly kind: "rate_limited" }
  /** No scopes: the provider did not say which. */
  | { readonly kind: "scope"; readonly scopes: readonly string[] }
  | {
      readonly kind: "failed";
      /** The provider's own code. */
      readonly reported: string;
      /** Its own words, empty when it gave none. */
      readonly explained: string;
      /** What to do, in Fermix's words. */
      readonly hint?: string;
    };

type Judge = (body: JsonObject) => InsideFailure | undefined;

const HOSTS: Readonly<Record<string, Judge>> = {
  "slack.com": slackFailure,
  "slack-gov.com": slackFailure,
  "api.x.com": xFailure,
  "api.twitter.com": xFailure,
  "api.github.com": githubFailure,
  "api.monday.com": graphqlFailure,
};

const GRAPHQL_CREDENTIAL: ReadonlySet<string> = new Set(["UNAUTHENTICATED", "AUTHENTICATION_ERROR"]);
const GRAPHQL_RATE: ReadonlySet<string> = new Set(["RATE_LIMITED", "RATELIMITED", "THROTTLED", "ComplexityException"]);

/** The failure that an answer of this address reports in its body; undefined when it reports none. */
export function insideFailure(url: URL, body: JsonValue): InsideFailure | undefined {
  if (!isRecord(body)) return undefined;
  if (/\/graphql(?:\.json)?$/.test(url.pathname)) return graphqlFailure(body);
  return Object.hasOwn(HOSTS, url.hostname) ? HOSTS[url.hostname]?.(body) : undefined;
}

/**
 * X: `errors` with no `data` (docs.x.com, "Partial errors": with `data` the answer holds what could be given).
 * Each error's `type` is an address whose last part names the problem.
 */
function xFailure(body: JsonObject): InsideFailure | undefined {
  const error = firstError(body);
  if (error === undefined || (body["data"] ?? null) !== null) return undefined;
  const problem = text(error["type"]).match(/\/problems\/([\w-]+)$/)?.[1];
  return {
    kind: "failed",
    reported: problem ?? (text(error["title"]) || "error"),
    explained: text(error["detail"]) || text(error["message"]),
    hint: "check the id or name in the arguments; what is deleted, suspended or protected can't be read",
  };
}

/** GitHub's error body: `message` with `documentation_url`, which nothing that GitHub gives has together (docs.github.com). */
function githubFailure(body: JsonObject): InsideFailure | undefined {
  const { message, documentation_url, status } = body;
  if (typeof message !== "string" || typeof documentation_url !== "string") return undefined;
  if (text(status) === "401") return { kind: "credential" };
  if (/\brate limit\b/i.test(message)) return { kind: "rate_limited" };
  return { kind: "failed", reported: text(status) || "error", explained: message };
}

/**
 * GraphQL answers 200 with `errors`; it failed when no field has data (GraphQL over HTTP, 6.4). What it could give
 * beside its errors is for the agent to read. GitHub names the code `type`, the others `extensions.code`.
 */
function graphqlFailure(body: JsonObject): InsideFailure | undefined {
  const error = firstError(body);
  if (error === undefined || holdsData(body["data"])) return undefined;
  const extensions = isRecord(error["extensions"]) ? error["extensions"] : {};
  const code = text(extensions["code"]) || text(error["type"]) || text(body["error_code"]);
  const status = text(extensions["status_code"]) || text(body["status_code"]);
  if (status === "401" || GRAPHQL_CREDENTIAL.has(code)) return { kind: "credential" };
  if (status === "429" || GRAPHQL_RATE.has(code)) return { kind: "rate_limited" };
  return { kind: "failed", reported: code || "GraphQL error", explained: text(error["message"]) };
}

/** The first of a body's `errors`; a plain sentence in the list counts as its message. */
function firstError(body: JsonObject): JsonObject | undefined {
  const errors = body["errors"];
  if (!Array.isArray(errors) || errors.length === 0) return undefined;
  const first: JsonValue = errors[0];
  return isRecord(first) ? first : { message: text(first) };
}

function holdsData(data: JsonValue | undefined): boolean {
  if (Array.isArray(data)) return data.length > 0;
  return isRecord(data) && Object.values(data).some((member) => (member ?? null) !== null);
}

/** A short value as text; anything else is the empty string. */
export function text(value: JsonValue | undefined): string {
  if (typeof value === "string") return value;
  return typeof value === "number" ? String(value) : "";
}
