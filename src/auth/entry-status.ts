/** What auth.json says about a sign-in, without touching its tokens: is it there, is it usable, whose is it (spec 8.1). */
import { reasonFor } from "../files/fs-failure.ts";
import type { Home } from "../files/home.ts";
import { readRegularText } from "../files/read-regular.ts";
import { hasErrno } from "../kernel/error.ts";
import { isJsonObject, type JsonObject } from "../kernel/json.ts";

/** `refused`: present, but the provider or the region does not accept it; `reason` says which. */
export type SignIn =
  | { readonly state: "absent" }
  | { readonly state: "connected"; readonly account: string | undefined }
  | { readonly state: "reauthorize"; readonly account: string | undefined }
  | { readonly state: "refused"; readonly account: string | undefined; readonly reason: string };

/** The sign-ins of one home, by profile (`gmail:primary`). */
export interface SignIns {
  of(profile: string): SignIn;
}

/** Other programs write it too; a sign-in is a few kilobytes. */
const MAX_AUTH_BYTES = 8 * 1024 * 1024;
const ABSENT: SignIn = { state: "absent" };

/** Reads auth.json once. A missing file has no sign-ins; an unreadable one makes every profile `refused` with the reason. */
export function readSignIns(home: Home): SignIns {
  let text: string;
  try {
    text = readRegularText(home.authFile, MAX_AUTH_BYTES);
  } catch (cause) {
    if (hasErrno(cause, "ENOENT")) return { of: () => ABSENT };
    const reason = reasonFor(cause);
    if (reason === undefined) throw cause;
    return unreadable(`auth.json cannot be read: ${reason}`);
  }
  const file = parseObject(text);
  if (file === undefined) return unreadable("auth.json is not valid JSON");
  const providers = file["providers"];
  // A flat file at the top is the oldest layout: it holds one Codex sign-in and none of a plugin (spec 8.1).
  if (providers === undefined && isJsonObject(file["tokens"])) return { of: () => ABSENT };
  if (!isJsonObject(providers)) return unreadable("auth.json has no providers");
  return { of: (profile) => (Object.hasOwn(providers, profile) ? judgeEntry(providers[profile]) : ABSENT) };
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const raw: unknown = JSON.parse(text);
    return isJsonObject(raw) ? raw : undefined;
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}

function unreadable(reason: string): SignIns {
  return { of: () => ({ state: "refused", account: undefined, reason }) };
}

function judgeEntry(entry: unknown): SignIn {
  const tokens = isJsonObject(entry) ? entry["tokens"] : undefined;
  if (!isJsonObject(entry) || !isJsonObject(tokens) || !isText(tokens["access_token"])) {
    return { state: "refused", account: undefined, reason: "its entry in auth.json has no access token" };
  }
  const account = accountLabel(entry["account"]);
  switch (entry["status"]) {
    case undefined:
    case "ready":
      return { state: "connected", account };
    case "reauthorization_required":
    case "invalidated":
      return { state: "reauthorize", account };
    case "client_rejected":
      return { state: "refused", account, reason: "the provider refused the OAuth client" };
    case "wrong_region":
      return { state: "refused", account, reason: "the account belongs to another region" };
    default:
      return { state: "refused", account, reason: `auth.json has the status ${JSON.stringify(entry["status"])}` };
  }
}

function accountLabel(account: unknown): string | undefined {
  if (!isJsonObject(account)) return undefined;
  return [account["email"], account["display_name"], account["subject"]].find(isText);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
