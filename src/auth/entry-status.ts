/** What auth.json says about a sign-in, without giving its tokens away: is it there, is it usable, whose is it (spec 8.1). */
import type { Home } from "../files/home.ts";
import { type FermixError, isFermixError } from "../kernel/error.ts";
import { type AuthDocument, entryIn, readAuthFile } from "./auth-file.ts";
import { accountLabel, readEntry } from "./sign-in-entry.ts";

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

const ABSENT: SignIn = { state: "absent" };
const FILE_FAULTS = ["auth_file_exposed", "auth_file_unusable", "auth_file_malformed", "home_unusable"] as const;

/** Reads auth.json once. A missing file has no sign-ins; an unusable one makes every profile `refused` with the reason. */
export function readSignIns(home: Home): SignIns {
  let document: AuthDocument;
  try {
    document = readAuthFile(home);
  } catch (error) {
    if (!FILE_FAULTS.some((code) => isFermixError(error, code))) throw error;
    const { message, fix } = error as FermixError;
    const refused: SignIn = { state: "refused", account: undefined, reason: `${message.replace(/\.$/, "")} (${fix})` };
    return { of: () => refused };
  }
  return {
    of(profile) {
      const raw = entryIn(document, profile);
      return raw === undefined ? ABSENT : judge(raw);
    },
  };
}

function judge(raw: unknown): SignIn {
  const account = accountLabel(raw);
  const read = readEntry(raw);
  if (!read.ok) return { state: "refused", account, reason: read.reason };
  const standing = standingOf(read.entry.status);
  switch (standing) {
    case "usable":
      return { state: "connected", account };
    case "ended":
      return { state: "reauthorize", account };
    default:
      return { state: "refused", account, reason: standing.reason };
  }
}

/** What an entry's status means: usable, ended by the provider, or kept from use for a reason. */
export function standingOf(status: string | undefined): "usable" | "ended" | { readonly reason: string } {
  switch (status) {
    case undefined:
    case "ready":
      return "usable";
    case "reauthorization_required":
    case "invalidated":
      return "ended";
    case "client_rejected":
      return { reason: "the provider refused the OAuth client" };
    case "wrong_region":
      return { reason: "the account belongs to another region" };
    default:
      return { reason: `auth.json has the status ${JSON.stringify(status)}` };
  }
}
