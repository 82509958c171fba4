/** Finds out whose sign-in it is, as far as the provider says: a label for people, which decides nothing (spec 8.2). */
import { guardedFetch } from "../../egress/guarded-fetch.ts";
import type { NetworkPolicy } from "../../egress/network-policy.ts";
import { readCapped } from "../../egress/read-capped.ts";
import { FermixError, isFermixError } from "../../kernel/error.ts";
import { isJsonObject, type JsonObject } from "../../kernel/json.ts";
import type { Ports } from "../../kernel/ports.ts";
import { claimsIn } from "../jwt-claims.ts";
import type { NewTokens } from "../request-tokens.ts";
import type { LoginProvider } from "./login-providers.ts";

/** The sign-in is done but for its label, and somebody waits. */
const DEADLINES = { connectMs: 5000, firstByteMs: 5000, totalMs: 5000 } as const;
/** The provider controls the length; who somebody is takes a few kilobytes. */
const MAX_USERINFO_BYTES = 64 * 1024;
/** A name is shown in tables. */
const MAX_LABEL_LENGTH = 200;

interface Asked {
  readonly provider: LoginProvider;
  readonly client: { readonly id: string };
  readonly network: NetworkPolicy;
  readonly signal?: AbortSignal | undefined;
}

/** The account for auth.json; undefined when nobody says. Whatever is wrong with the answer, the sign-in stands. */
export async function whoSignedIn(
  ports: Pick<Ports, "clock" | "dns" | "http">,
  asked: Asked,
  tokens: NewTokens,
  nonce: string,
): Promise<JsonObject | undefined> {
  const endpoint = asked.provider.userinfoEndpoint;
  const said = endpoint === undefined ? undefined : await userinfo(ports, asked, endpoint, tokens.accessToken);
  return accountFrom(said) ?? accountFrom(idClaims(asked, tokens.answer, nonce)) ?? workspaceIn(tokens.answer);
}

async function userinfo(
  ports: Pick<Ports, "clock" | "dns" | "http">,
  { network, signal }: Asked,
  url: string,
  accessToken: string,
): Promise<JsonObject | undefined> {
  try {
    const headers = { accept: "application/json", authorization: `Bearer ${accessToken}` };
    const options = { network, deadlines: DEADLINES, ...(signal === undefined ? {} : { signal }) };
    const reply = await guardedFetch(ports, { url, headers }, options);
    const bytes = await readCapped(
      reply.body,
      MAX_USERINFO_BYTES,
      () => new FermixError("reply_too_large", { host: reply.url.hostname, limit: MAX_USERINFO_BYTES }),
    );
    const value: unknown = reply.status === 200 ? JSON.parse(new TextDecoder().decode(bytes)) : undefined;
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    signal?.throwIfAborted();
    if (isFermixError(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The token came from the provider itself over TLS, so what it says of its owner needs no signature (OpenID Connect Core 3.1.3.7). */
function idClaims({ provider, client }: Asked, answer: JsonObject, nonce: string): JsonObject | undefined {
  const claims = typeof answer["id_token"] === "string" ? claimsIn(answer["id_token"]) : undefined;
  if (claims === undefined || ![claims["aud"]].flat().includes(client.id)) return undefined;
  return provider.nonce && claims["nonce"] !== nonce ? undefined : claims;
}

/** OpenID Connect's names, and GitHub's `id` and `login`. */
function accountFrom(said: JsonObject | undefined): JsonObject | undefined {
  if (said === undefined) return undefined;
  const id = said["sub"] ?? said["id"];
  return account(typeof id === "number" ? String(id) : id, said["email"], said["login"] ?? said["name"]);
}

/** Notion names its workspace beside the tokens. */
function workspaceIn(answer: JsonObject): JsonObject | undefined {
  return account(answer["workspace_id"], undefined, answer["workspace_name"]);
}

function account(subject: unknown, email: unknown, name: unknown): JsonObject | undefined {
  const found = Object.entries({ subject: label(subject), email: label(email), display_name: label(name) });
  const said = found.filter((entry): entry is [string, string] => entry[1] !== undefined);
  return said.length === 0 ? undefined : Object.fromEntries(said);
}

function label(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim().slice(0, MAX_LABEL_LENGTH) : undefined;
}
