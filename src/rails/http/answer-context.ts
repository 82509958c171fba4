/** What judging an answer needs to know of the call it answers, and the facts that every refusal carries. */
import { FermixError } from "../../kernel/error.ts";
import type { PluginName } from "../../kernel/names.ts";
import type { PluginAuth } from "../../manifest/manifest.ts";
import type { ApiRequest } from "./api.ts";

export interface AnswerContext {
  readonly plugin: PluginName;
  readonly tool: string;
  readonly auth: PluginAuth;
  readonly requiresScopes: readonly string[];
  /** What the manifest says of the tool; where it is not said, the method tells (some providers search by POST). */
  readonly readOnly?: boolean;
  /** Unix time in milliseconds: a Retry-After may be a date. */
  readonly now: () => number;
  /** Masks every credential of the call in text that the provider wrote. */
  readonly mask: (text: string) => string;
}

/** The details every refusal of an answer carries. */
export function callOf({ plugin, tool }: AnswerContext): { plugin: PluginName; tool: string } {
  return { plugin, tool };
}

/** The details of an answer that cannot be used, with whether the request may have changed something. */
export function unusable(request: ApiRequest, context: AnswerContext) {
  return { ...callOf(context), write: context.readOnly === undefined ? request.method !== "GET" : !context.readOnly };
}

/** The provider does not take the credential: the refusal that `ask` may try again with a fresh one (spec 3.6, 3.7). */
export function credentialRejected(context: AnswerContext): FermixError {
  const { plugin, auth } = context;
  if (auth.type === "oauth2") return new FermixError("reauthorization_required", { plugin });
  if (auth.type === "api_key") return new FermixError("api_key_rejected", { plugin });
  return new FermixError("unauthorized", callOf(context));
}

/** The credential is good and lacks a scope; `scopes` are those the provider named, else those the tool needs. */
export function scopeMissing(context: AnswerContext, scopes: readonly string[] = context.requiresScopes): FermixError {
  const held = context.auth.type === "oauth2" ? {} : ({ held: "key" } as const);
  return new FermixError("missing_scope", { ...callOf(context), scopes, ...held });
}
