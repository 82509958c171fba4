/** Where a rail gets the credential of one plugin, and a fresh one after the provider refused it. Types only. */
import type { Credential } from "./credential.ts";

export interface Grant {
  readonly credential: Credential;
  /** What the provider said it granted, where that was recorded; undefined means unknown (DECISIONS 21). */
  readonly grantedScopes: readonly string[] | undefined;
  /** The account's region, for a template with regional addresses. */
  readonly region: string | undefined;
}

export interface CredentialSource {
  /**
   * The credential to send now; an OAuth token that ends within 10 s is refreshed first (spec 8.3). Throws
   * key_missing, not_connected, reauthorization_required, or what the keychain or auth.json has wrong.
   */
  current(): Promise<Grant>;
  /**
   * A credential other than `rejected`, which the provider answered with 401: a key that was replaced meanwhile, or a
   * refreshed token. undefined when there is no other one to try. Throws what a failed refresh means.
   */
  renew(rejected: Credential): Promise<Grant | undefined>;
  /**
   * Resolves when no refresh is under way: whoever ends the process waits for it, because a single-use token that was
   * spent and not stored is a sign-in lost. Absent where nothing is ever refreshed.
   */
  settled?(): Promise<void>;
}
