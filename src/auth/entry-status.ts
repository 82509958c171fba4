/** What auth.json says about a sign-in, without giving its tokens away: is it there, is it usable, whose is it (spec 8.1). */
import type { Home } from "../files/home.ts";
import { type FermixError, isFermixError } from "../kernel/error.ts";
import { type AuthDocument, entryIn, readAuthFile } from "./auth-file.ts";
import { accountLabel, foreignness, readEntry } from "./sign-in-entry.ts";

export type SignIn =
  | { readonly state: "absent" }
  /** `expiresAt`: when its access token ends, in Unix milliseconds; undefined: not by itself. */
  | { readonly state: "connected"; readonly account: string | undefined; readonly expiresAt?: number | undefined }
  | { readonly state: "reauthorize"; readonly account: string | undefined }
  /** Present, but the provider refused the OAuth client that it was made with. */
  | { readonly state: "client_rejected"; readonly account: string | undefined; readonly reason: string }
  /** Present, but of no use here; `reason` says why. */
  | { readonly state: "refused"; readonly account: string | undefined; readonly reason: string }
  /** Whether it is present nobody can tell, because the file itself can't be used. */
  | { readonly state: "unreadable"; readonly account: undefined; readonly error: FermixError };

/** The sign-ins of one home, by profile (`gmail:primary`). */
export interface SignIns {
  /** `provider`: whose sign-in it must be to be of use; any when left out. */
  of(profile: string, provider?: string): SignIn;
}

const ABSENT: SignIn = { state: "absent" };
const FILE_FAULTS = ["auth_file_exposed", "auth_file_unusable", "auth_file_malformed", "home_unusable"] as const;

/** Reads auth.json once. A missing file has no sign-ins; an unusable one makes every profile `unreadable`. */
export function readSignIns(home: Home): SignIns {
  let document: AuthDocument;
  try {
    document = readAuthFile(home);
  } catch (error) {
    if (!FILE_FAULTS.some((code) => isFermixError(error, code))) throw error;
    const unreadable: SignIn = { state: "unreadable", account: undefined, error: error as FermixError };
    return { of: () => unreadable };
  }
  return {
    of(profile, provider) {
      const raw = entryIn(document, profile);
      return raw === undefined ? ABSENT : judge(raw, provider);
    },
  };
}

function judge(raw: unknown, provider: string | undefined): SignIn {
  const account = accountLabel(raw);
  const read = readEntry(raw);
  if (!read.ok) return { state: "refused", account, reason: read.reason };
  const standing = standingOf(read.entry.status);
  if (standing === "ended") return { state: "reauthorize", account };
  const { expiresAt } = read.entry;
  if (standing === "usable") {
    const foreign = provider === undefined ? undefined : foreignness(read.entry, provider);
    return foreign === undefined
      ? { state: "connected", account, expiresAt }
      : { state: "refused", account, reason: foreign };
  }
  const state = read.entry.status === "client_rejected" ? "client_rejected" : "refused";
  return { state, account, reason: standing.reason };
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
      return { reason: "auth.json has the status client_rejected" };
    case "wrong_region":
      return { reason: "the account belongs to another region" };
    default:
      return { reason: `auth.json has the status ${JSON.stringify(status)}` };
  }
}
