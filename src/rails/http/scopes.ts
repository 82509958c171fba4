/** Refuses a call whose scope was certainly not granted, before any request is made (BUN-3, spec 3.1). */
import type { Grant } from "../../auth/credential-source.ts";
import { FermixError } from "../../kernel/error.ts";
import type { HttpTool, Manifest } from "../../manifest/manifest.ts";

/**
 * Scopes that include others, as the providers document them: GitHub's `repo` and `user`, Google's full scopes over
 * their `.readonly` and narrower ones. What is not listed here is left to the provider to judge (DECISIONS 21).
 */
const INCLUDES: Readonly<Record<string, readonly string[]>> = {
  repo: ["public_repo", "repo:status", "repo_deployment", "repo:invite", "security_events"],
  user: ["read:user", "user:email", "user:follow"],
  "https://mail.google.com/": [
    "https://www.googleapis.com/auth/gmail.readonly",
    "https://www.googleapis.com/auth/gmail.send",
    "https://www.googleapis.com/auth/gmail.compose",
    "https://www.googleapis.com/auth/gmail.modify",
  ],
  "https://www.googleapis.com/auth/gmail.modify": [
    "https://www.googleapis.com/auth/gmail.readonly",
    "https://www.googleapis.com/auth/gmail.send",
    "https://www.googleapis.com/auth/gmail.compose",
  ],
  "https://www.googleapis.com/auth/gmail.compose": ["https://www.googleapis.com/auth/gmail.send"],
  "https://www.googleapis.com/auth/calendar": [
    "https://www.googleapis.com/auth/calendar.readonly",
    "https://www.googleapis.com/auth/calendar.events",
  ],
  "https://www.googleapis.com/auth/drive": [
    "https://www.googleapis.com/auth/drive.readonly",
    "https://www.googleapis.com/auth/drive.metadata",
    "https://www.googleapis.com/auth/drive.metadata.readonly",
    "https://www.googleapis.com/auth/drive.file",
  ],
};

/** What Google records for `email` and `profile`: they open nothing else. */
const IDENTITY: ReadonlySet<string> = new Set([
  "https://www.googleapis.com/auth/userinfo.email",
  "https://www.googleapis.com/auth/userinfo.profile",
]);

/**
 * Throws missing_scope when the sign-in recorded what was granted and a scope that the tool requires is not among it,
 * nor included in a broader one. Nothing recorded, or a plugin without OAuth, is the provider's to judge.
 */
export function assertGranted({ name, auth }: Manifest, tool: HttpTool, grant: Grant): void {
  if (auth.type !== "oauth2" || grant.grantedScopes === undefined || grant.grantedScopes.length === 0) return;
  const isKnown = (scope: string): boolean =>
    auth.scopes.includes(scope) || Object.hasOwn(INCLUDES, scope) || IDENTITY.has(scope);
  // What a scope that this plugin never asks for covers, only the provider knows.
  if (!grant.grantedScopes.every(isKnown)) return;
  const granted = new Set(grant.grantedScopes.flatMap((scope) => [scope, ...(INCLUDES[scope] ?? [])]));
  const missing = tool.requiresScopes.filter((scope) => !granted.has(scope));
  if (missing.length > 0) throw new FermixError("missing_scope", { plugin: name, tool: tool.name, scopes: missing });
}
