/** Says of each model provider whether somebody is signed in, how, and until when; no token leaves auth.json (spec 7.2). */
import type { Home } from "../../files/home.ts";
import { isJsonObject } from "../../kernel/json.ts";
import type { Ports } from "../../kernel/ports.ts";
import { type AuthDocument, entryIn, readAuthFile } from "../auth-file.ts";
import { accountLabel, readEntry } from "../sign-in-entry.ts";
import { isStale } from "../stale.ts";
import type { ModelProvider } from "./model-providers.ts";

/** How an entry without the key was made (spec 8.1). */
const DEFAULT_MODE = "chatgpt";

export type ModelStatus =
  | { readonly provider: ModelProvider; readonly state: "signed_out" }
  /** There is an entry, and it can't be used; `reason` ends a sentence. */
  | { readonly provider: ModelProvider; readonly state: "unusable"; readonly reason: string }
  | {
      readonly provider: ModelProvider;
      readonly state: "signed_in";
      readonly authMode: string;
      readonly account: string | undefined;
      /** Unix time in milliseconds; undefined: it does not end by itself. */
      readonly expiresAt: number | undefined;
      /** As it stands in the file. */
      readonly lastRefresh: string | undefined;
      /** As it stands in the file, such as `reauthorization_required`. */
      readonly status: string | undefined;
      /** Whether it has to be connected anew: the token is stale, or the provider ended the grant. */
      readonly reconnect: boolean;
    };

/** What auth.json says about these providers. Throws the faults of `readAuthFile`. */
export function modelStatus(
  { clock }: Pick<Ports, "clock">,
  home: Home,
  providers: readonly ModelProvider[],
): readonly ModelStatus[] {
  const document = readAuthFile(home);
  return providers.map((provider) => statusOf(document, provider, clock.now()));
}

function statusOf(document: AuthDocument, provider: ModelProvider, now: number): ModelStatus {
  const raw = entryIn(document, provider.profile);
  if (raw === undefined) return { provider, state: "signed_out" };
  const read = readEntry(raw);
  if (!read.ok) return { provider, state: "unusable", reason: read.reason };
  const { authMode = DEFAULT_MODE, expiresAt, status } = read.entry;
  const lastRefresh = isJsonObject(raw) && typeof raw["last_refresh"] === "string" ? raw["last_refresh"] : undefined;
  const ended = status !== undefined && status !== "ready";
  const reconnect = ended || isStale(expiresAt, now);
  return {
    provider,
    state: "signed_in",
    authMode,
    account: accountLabel(raw),
    expiresAt,
    lastRefresh,
    status,
    reconnect,
  };
}
