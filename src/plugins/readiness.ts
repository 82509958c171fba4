/** Whether a plugin can be used right now, and if not, what its fix needs (spec 6.1, product document "Readiness states"). */

export type Readiness =
  | { readonly status: "ready" }
  | { readonly status: "not_configured" }
  | { readonly status: "missing_host_runtime"; readonly wanted: string; readonly detail: string }
  | { readonly status: "needs_config"; readonly key: string }
  | { readonly status: "needs_secret" }
  | { readonly status: "needs_workspace" }
  | { readonly status: "invalid_remote_config"; readonly key: string }
  | { readonly status: "needs_client_config"; readonly provider: string }
  | { readonly status: "needs_auth" }
  | { readonly status: "reauthorization_required" }
  | { readonly status: "not_installed" }
  | { readonly status: "incompatible"; readonly reason: string }
  | { readonly status: "error"; readonly reason: string };
