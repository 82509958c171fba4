/** What the parts of the http rail hand each other: arguments, one request to a provider, its answer. Types only. */
import type { JsonValue } from "../../kernel/json.ts";

/** A tool's arguments after `read-arguments.ts`: declared ones only, defaults in, JSON strings decoded. */
export type Arguments = ReadonlyMap<string, JsonValue>;

/** One request as a template or a native tool makes it; the credential is added later, by `ask` alone. */
export interface ApiRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Absolute, https, everything filled in and encoded. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Statuses that mean success. */
  readonly success: readonly number[];
  /** A path into the answer that must be true for it to be a success (DECISIONS 20). */
  readonly okField?: string | undefined;
}

/** A provider's answer that counts as success. */
export interface ApiReply {
  readonly status: number;
  /** `{}` for an empty one; numbers keep their digits. */
  readonly body: JsonValue;
  /** Bytes of the body as received. */
  readonly bytes: number;
}

/**
 * Sends one request with the plugin's credential and gives a successful answer. Everything else is thrown as the
 * FermixError that the agent sees: refused addresses, transport failures, statuses, failures inside 200.
 */
export type Ask = (request: ApiRequest) => Promise<ApiReply>;
