/** A provider's answer, whose body tells whether it was cancelled, and the context in which it is judged. */
import type { GuardedReply } from "../../../src/egress/guarded-fetch.ts";
import type { PluginName } from "../../../src/kernel/names.ts";
import type { PluginAuth } from "../../../src/manifest/manifest.ts";
import type { AnswerContext } from "../../../src/rails/http/answer-context.ts";
import type { ApiReply, ApiRequest } from "../../../src/rails/http/api.ts";
import { readReply } from "../../../src/rails/http/read-reply.ts";

/** Monday, 30 November 2026, 12:00:00 GMT. */
export const NOW = Date.UTC(2026, 10, 30, 12);
export const SECRET = "s3cret-of-the-test-9f8e";

export const OAUTH: PluginAuth = {
  type: "oauth2",
  provider: "github",
  scopes: ["repo"],
  profileKey: undefined,
  header: "Authorization",
  scheme: "Bearer",
};
export const GOOGLE: PluginAuth = { ...OAUTH, provider: "google" };
export const API_KEY: PluginAuth = {
  type: "api_key",
  keyName: undefined,
  header: "Authorization",
  scheme: "Bearer",
  prompt: undefined,
  helpUrl: undefined,
  validation: undefined,
};

export function context(more: Partial<AnswerContext> = {}): AnswerContext {
  return {
    plugin: "web" as PluginName,
    tool: "web_look",
    auth: OAUTH,
    requiresScopes: [],
    now: () => NOW,
    mask: (text) => text.replaceAll(SECRET, "[REDACTED]"),
    ...more,
  };
}

/** What every refusal of an answer carries in these tests. */
export const CALL = { plugin: "web" as PluginName, tool: "web_look" };
/** The same for an answer that cannot be used. */
export const READ = { ...CALL, write: false };

export function request(more: Partial<ApiRequest> = {}): ApiRequest {
  return { method: "GET", url: "https://api.example.com/look", headers: {}, success: [200], ...more };
}

export interface Answer extends GuardedReply {
  /** What became of the body. */
  readonly fate: () => "unread" | "reading" | "ended" | "cancelled";
}

type Body = string | Uint8Array | readonly (string | Uint8Array)[] | null;

/** An answer; a body that is not given as bytes or text is given as JSON's content type says. */
export function answer(
  status: number,
  body: Body = null,
  headers: Readonly<Record<string, string>> = { "content-type": "application/json" },
  url = "https://api.example.com/look",
): Answer {
  const chunks = body === null ? [] : typeof body === "string" || body instanceof Uint8Array ? [body] : [...body];
  let fate: ReturnType<Answer["fate"]> = "unread";
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const next = chunks.shift();
        fate = next === undefined ? "ended" : "reading";
        if (next === undefined) controller.close();
        else controller.enqueue(typeof next === "string" ? Buffer.from(next) : next);
      },
      cancel() {
        fate = "cancelled";
      },
    },
    { highWaterMark: 0 },
  );
  return {
    url: new URL(url),
    status,
    headers: new Headers(headers),
    body: body === null ? null : stream,
    fate: () => fate,
  };
}

/** An answer with this value as JSON. */
export function jsonAnswer(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}, url?: string) {
  return answer(status, JSON.stringify(value), { "content-type": "application/json", ...headers }, url);
}

/** Judges an answer as the call of a test would. */
export function judge(
  given: GuardedReply,
  more: Partial<AnswerContext> = {},
  asked: Partial<ApiRequest> = {},
): Promise<ApiReply> {
  return readReply(given, request(asked), context(more));
}
