/** The requirement ledger: every id and sentence of the product's requirement list, split into clauses. Pure data. */

export interface Requirement {
  readonly id: string;
  readonly sentence: string;
  /** Each is cited as `ID/clause` by a test; empty while nothing of it is built. */
  readonly clauses: readonly string[];
}

export const requirements: readonly Requirement[] = [
  {
    id: "BUN-1",
    sentence:
      "Gmail, Google Calendar and Google Drive are always present; `uninstall` refuses them and names `disable` instead",
    clauses: ["always-present", "uninstall-refused"],
  },
  {
    id: "BUN-2",
    sentence:
      "All three authenticate through the Google OAuth client and register ALL their tools whatever scopes were granted",
    clauses: ["all-tools", "every-tool-runs", "each-tool-flows", "whatever-scopes", "google-client"],
  },
  {
    id: "BUN-3",
    sentence:
      "A tool whose scope was not granted returns a reauthorize error that names the missing scope; it stays visible",
    clauses: ["preflight", "named", "stays-visible", "from-provider"],
  },
  {
    id: "BUN-4",
    sentence:
      "Google 403s are told apart: missing scope, no access to that file, organizer-only, rate limit; each message says what failed",
    clauses: ["missing-scope", "no-access", "organizer-only", "rate-limit"],
  },
  {
    id: "BUN-5",
    sentence: "Tool names are `<plugin>_<tool>`; two plugins can never own the same tool name",
    clauses: ["named-by-plugin", "never-two-owners"],
  },
  {
    id: "CAT-1",
    sentence: "The catalog is embedded in the binary; there is no remote index and no runtime refresh",
    clauses: ["embedded", "no-remote"],
  },
  {
    id: "CAT-2",
    sentence:
      "The catalog index is itself signed; a binary whose embedded catalog does not verify refuses to install anything and says so",
    clauses: ["signed", "tampered-refuses-install"],
  },
  {
    id: "CAT-3",
    sentence:
      "The catalog ships github, notion, x (HTTP, OAuth), slack, discord, agentmail (HTTP, api_key), obsidian (local MCP, none), eden (hosted MCP, api_key) and the computer_use_sidecar card",
    clauses: ["entries"],
  },
  {
    id: "CAT-4",
    sentence:
      "`plugins catalog` shows all this binary knows: bundled, installed, dev-local and every catalog entry not yet installed, with version, rail and auth; `--json` too",
    clauses: ["shows-all", "json"],
  },
  {
    id: "CAT-5",
    sentence: "A yanked version cannot be newly installed or upgraded to; an installed yanked version keeps loading",
    clauses: ["no-new-install", "no-upgrade", "keeps-loading"],
  },
  {
    id: "CAT-6",
    sentence:
      "The compatibility window is checked at install and at every load: plugin_api 2..3, min_core_version <= this version",
    clauses: ["at-install", "at-load", "plugin-api", "min-core-version"],
  },
  {
    id: "CAT-7",
    sentence:
      "A newer plugin version arrives only with a Fermix release: `plugins upgrade` with nothing newer says so and names `fermix upgrade`",
    clauses: ["nothing-newer-names-upgrade"],
  },
  {
    id: "CAT-8",
    sentence: "Nothing at run time can change the catalog, the publishers or the trust root of a shipped binary",
    clauses: ["no-switch"],
  },
  {
    id: "INS-1",
    sentence:
      "The artifact streams to disk while its sha256 is computed; a mismatch is refused and nothing is left behind",
    clauses: ["streams-and-hashes", "mismatch-refused", "nothing-left"],
  },
  {
    id: "INS-2",
    sentence:
      "A cosign signature by the exact expected publisher is required; a wrong signer is a different error from a bad signature",
    clauses: ["signature-required", "wrong-signer-differs", "exact-publisher"],
  },
  {
    id: "INS-3",
    sentence:
      "A missing cosign is refused with an install hint and is never reported as a bad signature, also when cosign is installed outside the daemon's PATH",
    clauses: ["missing-cosign-hint", "found-outside-path"],
  },
  {
    id: "INS-4",
    sentence:
      "The decoded manifest is re-validated with the same code the loader uses: a plugin that installs will load",
    clauses: ["same-code", "install-implies-load"],
  },
  {
    id: "INS-5",
    sentence:
      "Activation is atomic into a versioned store; a crash at any step leaves the old version live and no debris after the next start",
    clauses: ["atomic", "crash-keeps-old", "no-debris"],
  },
  {
    id: "INS-6",
    sentence:
      "Hostile archives are refused whole: traversal, absolute paths, links, devices, duplicate or case-colliding names, oversize, too many entries, setuid bits",
    clauses: ["traversal", "absolute", "links", "devices", "duplicates", "oversize", "too-many", "setuid"],
  },
  {
    id: "INS-7",
    sentence: "The content allowlist holds: a hosted plugin's artifact carries no code and no executable file",
    clauses: ["no-code", "no-executable"],
  },
  {
    id: "INS-8",
    sentence:
      "`install NAME[@VERSION]`, `upgrade`, `pin`, `uninstall`, `gc` work; gc keeps the active version and one older for rollback",
    clauses: ["install-version", "upgrade", "pin", "uninstall", "gc"],
  },
  {
    id: "INS-9",
    sentence:
      "Two installs at once (two processes) never corrupt the store; the loser waits or gets a named busy error",
    clauses: ["two-processes"],
  },
  {
    id: "INS-10",
    sentence: "A corrupt lock or record file is a loud error, never treated as empty",
    clauses: ["corrupt-record", "corrupt-lock"],
  },
  {
    id: "INS-11",
    sentence: "Installing shows progress on a terminal and stays quiet when piped",
    clauses: ["terminal-progress", "piped-quiet"],
  },
  {
    id: "INS-12",
    sentence:
      "A cosign that accepts a known-bad signature, or disagrees with Fermix's own check, is refused as untrusted",
    clauses: ["yes-sayer-refused", "disagreement-refused"],
  },
  {
    id: "INS-13",
    sentence:
      "Everything but install, upgrade and hosted proof works without cosign; the hint names the install command for this system",
    clauses: ["works-without", "hint-for-system"],
  },
  {
    id: "INS-14",
    sentence:
      "An installed plugin stays provable after Fermix is upgraded: public halves of all listed versions are kept",
    clauses: ["old-keys-kept"],
  },
  {
    id: "CUA-1",
    sentence:
      "The computer_use_sidecar helper is fetched from its own release, checked against a sha256 baked into the build, cached under plugins/compux; `fermix plugins` does not manage it",
    clauses: [],
  },
  {
    id: "CUA-2",
    sentence: 'Only Apple Silicon macOS and Linux x86_64 have a build; others get a clear "no build for this machine"',
    clauses: [],
  },
  {
    id: "CUA-3",
    sentence:
      "Its setup card downloads the helper and sets `[fermix_core.computer_use] enabled`; it takes effect on the next daemon start",
    clauses: [],
  },
  {
    id: "CUA-4",
    sentence:
      "A daemon that has it enabled but lacks the matching helper fetches it at boot only, within 30 s, and carries on without it on failure",
    clauses: [],
  },
  { id: "CUA-5", sentence: "Off by default; its card shows Ready or Needs setup from the feature itself", clauses: [] },
  {
    id: "HTTP-1",
    sentence:
      "Templates are validated at install: https only, no userinfo, no placeholder in host or headers, every placeholder declared",
    clauses: ["https-only", "no-userinfo", "no-placeholder-host", "no-placeholder-header", "declared-placeholders"],
  },
  {
    id: "HTTP-2",
    sentence:
      "The SSRF floor blocks loopback, private, link-local, metadata and other non-global addresses, for literals, for every DNS answer, and at connect time (the checked address is the dialled one)",
    clauses: ["literals", "dns-answers", "dialled-is-checked"],
  },
  {
    id: "HTTP-3",
    sentence: "Redirects are never followed; the error names the status and the Location",
    clauses: ["never-followed", "names-status-and-location"],
  },
  {
    id: "HTTP-4",
    sentence: "Only JSON is accepted; the body is capped at 5 MiB while it streams",
    clauses: ["json-only", "size-cap"],
  },
  { id: "HTTP-5", sentence: "Compressed responses are refused with a named error", clauses: ["compressed"] },
  {
    id: "HTTP-6",
    sentence:
      "Listings page through bounded pagination (cursor and id-window, query or body), with a page cap and a cumulative byte cap; an empty cursor ends it",
    clauses: [
      "page-cursor",
      "continued",
      "cursor",
      "id-window",
      "query-or-body",
      "page-cap",
      "byte-cap",
      "empty-cursor",
    ],
  },
  {
    id: "HTTP-7",
    sentence:
      "Parameters: defaults, enum, types, required; a JSON string given for an object or array is decoded; undeclared arguments are dropped; path values are percent-encoded",
    clauses: ["defaults", "enum", "types", "required", "json-text", "undeclared", "path-encoded"],
  },
  {
    id: "HTTP-8",
    sentence: "`extract` path and fields shape the answer; empty 204 bodies become {}",
    clauses: ["path", "fields", "empty-204"],
  },
  {
    id: "HTTP-9",
    sentence:
      "A provider that reports failure inside HTTP 200 (Slack `ok:false`, GitHub-style error bodies) is an error, not a success",
    clauses: ["slack", "github-body", "x", "graphql", "ok-field"],
  },
  {
    id: "HTTP-10",
    sentence:
      "429 names Retry-After; 5xx, 4xx and transport failures each have their own message with a bounded, redacted body",
    clauses: ["rate-limit", "own-message", "transport", "bounded", "redacted"],
  },
  {
    id: "ENV-1",
    sentence:
      "Every variable of the document's table is read in one place and listed by `doctor --env` as set or unset",
    clauses: ["every-variable", "one-place", "set-or-unset", "listed"],
  },
  {
    id: "EGR-1",
    sentence:
      "No environment variable can switch off TLS checks, add a proxy, or print requests: a binary started with all of them set behaves the same",
    clauses: ["same-with-all-set"],
  },
  {
    id: "LOC-1",
    sentence: "The daemon launches and supervises the process; its tools register as `<plugin>_<tool>`",
    clauses: ["supervised", "named"],
  },
  {
    id: "LOC-2",
    sentence:
      "Install probes the declared runtime (node, python, vendored binary, escript); missing or too old is `missing_host_runtime`",
    clauses: ["node", "python", "vendored", "escript", "missing-or-old"],
  },
  {
    id: "LOC-3",
    sentence:
      "Discovery is tried at most five times with exponential backoff, then the plugin is quarantined: process tree torn down, tools unregistered",
    clauses: [],
  },
  { id: "LOC-4", sentence: "A live transport drop reconnects by itself", clauses: [] },
  { id: "LOC-5", sentence: "enable, disable, reload and daemon restart start a quarantined server fresh", clauses: [] },
  {
    id: "LOC-6",
    sentence:
      "The child gets a scrubbed environment: only an allowlist, its declared config values and pass_env; never fermix's secrets or BUN_*/FERMIX_* variables",
    clauses: ["allowlist", "config-and-pass-env", "never-secrets"],
  },
  {
    id: "LOC-7",
    sentence:
      "Stopping takes down the whole process tree, grandchildren included; nothing outlives the daemon, even after kill -9 of the daemon",
    clauses: [],
  },
  {
    id: "LOC-8",
    sentence:
      "Noise on the child's stdout and a flood on its stderr neither break the protocol nor grow memory; the last lines are kept for doctor",
    clauses: [],
  },
  {
    id: "LOC-9",
    sentence: "`[mcp.servers.<name>]` servers wired by hand work beside plugin servers, named `mcp_<server>_<tool>`",
    clauses: [],
  },
  {
    id: "LOC-10",
    sentence:
      "Results are capped in size by default with a truncation the agent can see; arguments up to 5 MiB work on every transport",
    clauses: [],
  },
  {
    id: "HOST-1",
    sentence:
      "The plugin ships no code; the signed manifest fixes endpoint, tool names, input and output schema and annotations",
    clauses: [],
  },
  {
    id: "HOST-2",
    sentence:
      "The live tool list is checked all-or-none; a missing tool or changed descriptor registers none and sets `upstream_contract_mismatch`, with no retry",
    clauses: [],
  },
  {
    id: "HOST-3",
    sentence: "Tools the vendor offers beyond the signed ones are dropped by name, before any of their schema is read",
    clauses: [],
  },
  {
    id: "HOST-4",
    sentence:
      "Provenance (signature, checksum, file-tree digest) is proved again on every registry read; an edited manifest refuses to load",
    clauses: [],
  },
  {
    id: "HOST-5",
    sentence:
      "Startup retries only unreachability: three attempts within 60 s; rejected token, policy, protocol or contract failures stop at once",
    clauses: [],
  },
  {
    id: "HOST-6",
    sentence: "Calls leave at most every 500 ms; 16 may wait; the next one gets `remote_busy`",
    clauses: [],
  },
  {
    id: "HOST-7",
    sentence: "Results are text only; images, audio, base64 and embedded resources are refused",
    clauses: [],
  },
  {
    id: "HOST-8",
    sentence:
      "Live state is memory-only; doctor shows `(remote; ...)` from the daemon, and says unavailable when none runs",
    clauses: [],
  },
  {
    id: "HOST-9",
    sentence: "The pre-install consent line is derived from the manifest and discloses hosted execution",
    clauses: [],
  },
  {
    id: "HOST-10",
    sentence:
      "Turn budgets, collection limits and argument guards of the manifest are enforced before any network call",
    clauses: [],
  },
  {
    id: "HOST-11",
    sentence:
      "The agent is shown the signed description of a hosted tool, never the vendor's live text; a mismatch is explained by a diff that names tool and JSON path",
    clauses: [],
  },
  {
    id: "HOST-12",
    sentence: "The fix of `upstream_contract_mismatch` says that a re-signed plugin arrives with `fermix upgrade`",
    clauses: [],
  },
  {
    id: "HOST-13",
    sentence:
      "The disclosure names vendor and endpoint, and says that queries and content leave the machine and that results reach model, history and, with content tracing, local traces",
    clauses: [],
  },
  {
    id: "HOST-14",
    sentence: "Nothing in the code names Eden: another hosted manifest is set up the same way",
    clauses: [],
  },
  {
    id: "EDEN-1",
    sentence:
      "Exactly one workspace is pinned; discovery runs once at setup and is never visible to the agent; a model-supplied workspace is refused before any network request",
    clauses: [],
  },
  {
    id: "EDEN-2",
    sentence: "With no workspace chosen the plugin has zero tools and its status is `needs_workspace`",
    clauses: [],
  },
  {
    id: "EDEN-3",
    sentence:
      "The default access profile registers no write tools; the write profile is an explicit web choice and needs a read/write token",
    clauses: [],
  },
  {
    id: "EDEN-4",
    sentence: "`out_of_credits` reaches the agent as that named error while the free tools go on working",
    clauses: [],
  },
  {
    id: "EDEN-5",
    sentence: "Workspace and profile can be set on the web page only; `plugins config set` cannot reach those keys",
    clauses: [],
  },
  { id: "EDEN-6", sentence: "The catalog signs no delete tool for Eden", clauses: [] },
  {
    id: "EDEN-7",
    sentence:
      "Semantic search, board reads and highlight search cost credits; literal search, listing and note reads go on without them",
    clauses: [],
  },
  {
    id: "AUTH-1",
    sentence:
      "The credential is injected with the manifest's scheme (Bearer by default, Bot for Discord) and header, and never appears in a log, error, trace or tool result",
    clauses: ["header-and-scheme", "bot", "no-log", "no-error", "no-trace", "no-result"],
  },
  {
    id: "AUTH-2",
    sentence: "`plugins auth login NAME` runs the PKCE loopback flow, stores the token and enables the plugin",
    clauses: ["pkce", "stores", "enables", "browser"],
  },
  {
    id: "AUTH-3",
    sentence:
      "`plugins auth set NAME` asks without echo; `--stdin` reads a pipe; a positional value is refused with a usage error and exit 2",
    clauses: ["prompt", "stdin", "positional", "exit-2"],
  },
  {
    id: "AUTH-4",
    sentence:
      "`plugins auth clear NAME` deletes the keychain item first, then the config reference, and says it revokes nothing upstream",
    clauses: ["keychain-then-config", "keychain-first", "revokes-nothing"],
  },
  {
    id: "AUTH-5",
    sentence: "`plugins auth reauthorize | refresh | logout | status` work for OAuth plugins",
    clauses: ["reauthorize", "refresh", "logout", "status"],
  },
  {
    id: "AUTH-6",
    sentence:
      "A rejected OAuth token, a rejected API key and a never-connected plugin each give the exact named error with the exact command",
    clauses: ["key-missing", "oauth", "api-key", "not-connected"],
  },
  {
    id: "AUTH-7",
    sentence: "On a 401 an OAuth tool marked read-only gets one silent refresh and one retry; a write never does",
    clauses: ["read-only-retried", "once", "write-never", "together"],
  },
  {
    id: "AUTH-8",
    sentence: "A stored credential of the wrong kind or a refused OAuth client is told apart from an expired sign-in",
    clauses: ["wrong-kind", "refused-client"],
  },
  {
    id: "AUTH-9",
    sentence: "Each OAuth provider listens on its own port, on loopback, for the sign-in only",
    clauses: ["own-port", "loopback", "for-the-sign-in-only"],
  },
  {
    id: "AUTH-10",
    sentence: "Disable, clear and revoke are three different things; clear and logout say which one they did",
    clauses: ["clear", "apart", "purge", "logout"],
  },
  {
    id: "AUTH-11",
    sentence:
      "An OAuth client id and secret can be entered from the command line before any web page, and the redirect URI to register is printed",
    clauses: ["stored", "redirect-uri", "told", "binary"],
  },
  {
    id: "RDY-1",
    sentence:
      "needs_client_config, needs_auth, reauthorization_required, needs_secret, needs_config, needs_workspace, missing_host_runtime, not_installed and incompatible are each reached, shown with their fix, and leave when fixed",
    clauses: ["reached", "fix", "leaves"],
  },
  {
    id: "RDY-2",
    sentence: "`list`, the agent's prompt section, doctor and the web page give the same status for the same plugin",
    clauses: ["same-everywhere"],
  },
  {
    id: "RDY-3",
    sentence: "A plugin with auth none is ready once enabled and its required config is set",
    clauses: ["none-ready"],
  },
  {
    id: "RDY-4",
    sentence: "Setting a key, signing in or setting config clears the status by the agent's next turn",
    clauses: ["key", "sign-in", "config"],
  },
  {
    id: "AGT-1",
    sentence:
      "The `## Plugins` section lists ready plugins with their tool names and not-ready ones with `status=` and the fix",
    clauses: ["ready-listed", "not-ready-with-fix"],
  },
  {
    id: "AGT-2",
    sentence:
      "The agent has no tool for listing plugins; calling a tool of a disabled plugin is refused with how to enable it",
    clauses: ["no-list-tool", "disabled-refused"],
  },
  {
    id: "AGT-3",
    sentence:
      "Switching a plugin on or off, or signing out, shows on the next turn of the agent with no restart; MCP clients get tools/list_changed",
    clauses: [],
  },
  {
    id: "AGT-4",
    sentence: "Any MCP client can use every ready tool over stdio and over Streamable HTTP on loopback with a token",
    clauses: [],
  },
  {
    id: "AGT-5",
    sentence: "Tool-schema deferral: a client can run with search, describe and call instead of all schemas",
    clauses: [],
  },
  { id: "AGT-6", sentence: "Skills of ready plugins can be read by the agent on demand", clauses: [] },
  { id: "AGT-7", sentence: "`fermix capabilities` lists what is registered, by kind", clauses: ["by-kind"] },
  {
    id: "AGT-8",
    sentence:
      "Both MCP eras are spoken: initialize-based revisions up to 2025-11-25 and the stateless 2026-07-28, on the agent's face and towards servers; a revision that is not implemented is never claimed",
    clauses: [],
  },
  {
    id: "AGT-9",
    sentence: "tools/list is byte-identical from call to call and after a restart while nothing changed",
    clauses: [],
  },
  {
    id: "AGT-10",
    sentence:
      "Exported tool names fit ^[a-zA-Z0-9_-]{1,51}$ (64 less the longest usual client prefix); a longer one gets a stable short name and keeps its original as title",
    clauses: [],
  },
  {
    id: "AGT-11",
    sentence:
      "`fermix connect CLIENT` adds Fermix to the configuration of Claude Code, Claude Desktop, Cursor, VS Code, Codex and Windsurf without touching another byte, keeps a backup, and refuses a file it cannot parse",
    clauses: [],
  },
  { id: "AGT-12", sentence: "One bad plugin, tool or schema never removes another from the list", clauses: [] },
  {
    id: "AGT-13",
    sentence:
      "The prompt section tells the agent to prefer a connected plugin's tools over browser, fetch and shell, and to offer connecting instead of scraping",
    clauses: ["prefer-and-connect"],
  },
  {
    id: "AGT-14",
    sentence:
      "A hosted plugin's tools are ordinary mcp capabilities: `capabilities` and `plugins list` do not tell hosted from local",
    clauses: ["hosted-ordinary"],
  },
  {
    id: "CLI-1",
    sentence:
      "Every verb of the plugins group: list catalog installed doctor, enable disable reload, install upgrade pin uninstall gc, auth (login reauthorize refresh logout set clear status), config and config set",
    clauses: ["every-verb"],
  },
  {
    id: "CLI-2",
    sentence:
      "Every verb has --json, --help, a documented exit code, and an error that says what happened and what to run",
    clauses: ["json", "help", "exit-codes", "errors"],
  },
  {
    id: "CLI-3",
    sentence: "Unknown flags, surplus arguments and unknown commands are usage errors (exit 2) with a suggestion",
    clauses: ["unknown-flag", "surplus", "unknown-command", "suggestion"],
  },
  {
    id: "CLI-4",
    sentence: "`enable` of an uninstalled catalog plugin installs it first",
    clauses: ["enable-installs"],
  },
  {
    id: "CLI-5",
    sentence:
      "`plugins config NAME` shows declared keys, values and whether required; `config set` takes declared keys only, checks the kind, and survives disable and enable",
    clauses: ["shows-declared", "set-declared-only", "checks-kind", "survives-disable"],
  },
  { id: "CLI-6", sentence: "Shell completions for bash, zsh and fish", clauses: [] },
  {
    id: "CLI-7",
    sentence: "`plugins list` shows status and connected account; `installed` shows the local store only",
    clauses: ["status-and-account", "installed-local-only"],
  },
  {
    id: "CLI-8",
    sentence: "`plugins info` and `plugins verify` show what a plugin is and prove it again",
    clauses: ["info", "verify"],
  },
  {
    id: "WEB-1",
    sentence:
      "The setup page renders the full catalog as cards with status, rail, auth and a consent line, and installs on connect with the same verification",
    clauses: [],
  },
  {
    id: "WEB-2",
    sentence: "OAuth client id and secret are entered per provider; the redirect URI to register is shown",
    clauses: [],
  },
  {
    id: "WEB-3",
    sentence:
      "API keys can be set and cleared; config values set; workspace and profile chosen; enable, disable, disconnect",
    clauses: [],
  },
  {
    id: "WEB-4",
    sentence: "A dormant token shows Reconnect needed; final checks show the auth tokens line",
    clauses: [],
  },
  {
    id: "WEB-5",
    sentence:
      "The page is reachable on loopback only, through a one-time launch token; wrong Host or Origin and CSRF are refused",
    clauses: [],
  },
  {
    id: "WEB-6",
    sentence: "The page works by keyboard, in light and dark, on a narrow window, and without scripts for every form",
    clauses: [],
  },
  {
    id: "DEV-1",
    sentence:
      "`dev_local` loads each immediate subdirectory as a plugin with full validation and skills in place; a bad path, a bad manifest or a name clash fails loading loudly",
    clauses: ["full-validation", "loud-failures"],
  },
  {
    id: "DEV-2",
    sentence:
      "A hosted plugin under dev_local is refused with `unverified_remote_runtime`, logged, and only that one is excluded",
    clauses: [],
  },
  {
    id: "DEV-3",
    sentence: "`fermix plugins validate DIR`, `pack` and `sign` let an author produce an artifact that installs",
    clauses: [],
  },
  {
    id: "TOK-1",
    sentence: "auth.json version 2 keyed by profile; writes go to a temp file, 0600, then rename",
    clauses: ["version-2", "private", "whole"],
  },
  {
    id: "TOK-2",
    sentence: "A mode other than 0600 stops the daemon at start with the path, the mode found and the chmod to run",
    clauses: ["stops-server"],
  },
  {
    id: "TOK-3",
    sentence: "A malformed file is set aside as auth.json.broken.<time> and the write is refused",
    clauses: ["set-aside", "write-refused"],
  },
  {
    id: "TOK-4",
    sentence:
      "Refresh is proactive, single-flight per profile across processes, stores the rotated token before using it, and never resurrects a logged-out profile",
    clauses: ["proactive", "single-flight", "stored-first", "logged-out", "model-providers"],
  },
  {
    id: "TOK-5",
    sentence: "auth.json is created by the first login or setup, never empty beforehand",
    clauses: ["first-login", "never-empty"],
  },
  {
    id: "COD-1",
    sentence:
      "`fermix auth login` runs the Codex PKCE flow on 127.0.0.1:1455 and stores openai_codex; Fermix keeps its own grant",
    clauses: ["pkce-on-1455", "stored", "own-grant"],
  },
  {
    id: "COD-2",
    sentence:
      "`auth login --provider xai` (loopback) and `--provider anthropic` with --setup-token, --import-claude-code or CLAUDE_CODE_OAUTH_TOKEN work; both set auth_mode oauth; logout reverts to api_key",
    clauses: [
      "setup-token",
      "auth-mode-set",
      "variable",
      "import-claude-code",
      "logout-reverts",
      "xai-loopback",
      "no-secret-argument",
    ],
  },
  {
    id: "COD-3",
    sentence: "`auth status` and `auth logout` accept --provider; an xAI 403 is explained as a plan without API access",
    clauses: ["provider-named", "xai-403", "xai-403-doctor", "status-provider", "logout-provider"],
  },
  {
    id: "COD-4",
    sentence: "Signing in and out of anthropic and xai say that a daemon restart is needed",
    clauses: ["login", "logout"],
  },
  {
    id: "KEY-1",
    sentence:
      "A provider key resolves from the environment, then config.toml, where @keyring means the OS keychain (openai, anthropic, xai, mistral, openrouter)",
    clauses: ["environment-first", "then-config", "keyring-means-keychain", "each-provider", "source"],
  },
  {
    id: "KEY-2",
    sentence:
      "Transcription keys override or fall through to the chat provider's key; Deepgram needs its own; xAI transcription never uses the OAuth token; doctor reports offline whether the active one resolves",
    clauses: ["overrides", "falls-through", "deepgram-own", "xai-never-oauth", "doctor-offline", "set-into-keychain"],
  },
  {
    id: "KEY-3",
    sentence:
      "Realtime voice resolves an OpenAI API key even when the text provider is openai_codex; its own key overrides",
    clauses: ["own-overrides", "api-key-even-with-codex", "doctor"],
  },
  {
    id: "KEY-4",
    sentence:
      "A headless machine can give plugin keys through FERMIX_PLUGIN_KEY_<NAME> or its _FILE form; they never reach a child",
    clauses: ["never-in-a-child", "variable", "file"],
  },
  {
    id: "STA-1",
    sentence:
      "A token more than an hour past expiry is shown on the setup page, in `fermix doctor` (auth tokens, no network) and in the final checks, each naming the reconnect command",
    clauses: ["past-an-hour", "list", "doctor", "reconnect", "auth-status", "info"],
  },
  {
    id: "STA-2",
    sentence:
      "Doctor's texts are `no stale OAuth tokens` and `stale, re-auth may be needed: <names>`; a token in use is refreshed and never stale",
    clauses: ["texts"],
  },
  {
    id: "CHN-1",
    sentence:
      "Channel secrets saved through setup go to the keychain and config keeps @keyring; they resolve at boot and never reach a subprocess",
    clauses: ["never-in-a-child", "resolve-at-boot", "saved-to-keychain", "set-into-keychain"],
  },
  {
    id: "CHN-2",
    sentence:
      "TELEGRAM_BOT_TOKEN in the environment never overrides config; WhatsApp, Discord, Slack and Signal may come from their variables",
    clauses: ["telegram-config-only", "others-from-variables", "doctor"],
  },
  {
    id: "KCH-1",
    sentence:
      "Secrets are stored through the OS keychain with a short timeout; macOS items are re-created with an open access list on every real write; an unchanged secret is not rewritten",
    clauses: ["recreated", "unchanged", "timeout"],
  },
  {
    id: "KCH-2",
    sentence:
      "With no usable keychain a new or changed secret fails loudly and nothing is written in clear; an existing plaintext secret stays, with a warning naming --migrate-secrets",
    clauses: [
      "unavailable",
      "nothing-in-clear",
      "left-in-clear",
      "warning",
      "migrate-refused",
      "client",
      "migrate-binary",
    ],
  },
  {
    id: "KCH-3",
    sentence:
      "`setup --migrate-secrets` moves plaintext secrets from config.toml into the keychain and leaves comments and order of the file alone",
    clauses: ["moved", "comments", "all-or-none", "binary"],
  },
  {
    id: "KCH-4",
    sentence:
      "Names are namespaced by `[fermix_core] profile`: fermix:<KEY>, or fermix:<profile>:<KEY>; two homes with two profiles never collide",
    clauses: ["apart", "profile", "two-homes"],
  },
  {
    id: "KCH-5",
    sentence: "A locked or hanging keychain gives a named error within the timeout, never a hang",
    clauses: ["change", "hanging", "named-change", "set-named", "doctor", "unlocked", "dismissed"],
  },
  {
    id: "KCH-6",
    sentence:
      '`[fermix_core.plugin_secrets] NAME = "@keyring"`, keyed by plugin name; no static key is ever in auth.json or in clear in config',
    clauses: ["sentinel", "nowhere-in-clear"],
  },
  {
    id: "KCH-7",
    sentence: "OAuth client secrets are kept in the keychain; config holds the sentinel",
    clauses: ["sentinel", "keychain", "binary"],
  },
  {
    id: "KCH-8",
    sentence: "Changing `profile` orphans items; doctor warns that secrets must be entered again; nothing migrates",
    clauses: ["doctor-warns", "orphaned", "nothing-migrates"],
  },
  {
    id: "KCH-9",
    sentence:
      "Without a helper the text says `could not be stored in the OS keyring: no supported OS secret helper is available`",
    clauses: ["words", "loudly"],
  },
  {
    id: "KCH-10",
    sentence: "Setting and clearing also remove the same secret in the ecosystem's other keychain layout",
    clauses: ["set", "clear"],
  },
  {
    id: "RED-1",
    sentence:
      "Log file, console and crash reports mask openai, github, slack, aws, xai, google, telegram and bearer shapes as [REDACTED:name]; paging tokens and ordinary words in tool results survive",
    clauses: ["log-file", "console", "crash", "shapes", "words-survive"],
  },
  {
    id: "RED-2",
    sentence: "sk-ant- keys are marked openai; crash output passes the same formatter",
    clauses: ["sk-ant-openai", "crash-same"],
  },
  {
    id: "SET-1",
    sentence:
      "`fermix setup` is a terminal wizard, and opens the web page; every step also has a flag for headless use",
    clauses: [],
  },
  {
    id: "DOC-1",
    sentence:
      "`fermix doctor` prints one row a check (config, auth file mode, auth tokens, plaintext secrets, keychain, cosign, catalog, plugins, daemon, transcription) with the fix, exit 1 on failure; --full adds the network checks",
    clauses: ["rows", "fix", "exit", "plaintext", "full"],
  },
  {
    id: "DMN-1",
    sentence:
      "`fermix run` in the foreground; start, stop, restart, status; a user service on systemd and launchd that pins PATH; one instance per home",
    clauses: [],
  },
  {
    id: "DMN-2",
    sentence: "The daemon survives every plugin failure; one bad plugin never takes another down",
    clauses: [],
  },
  {
    id: "AUD-1",
    sentence:
      "Installs, credential changes, supervision events and calls (plugin, tool, outcome, duration, sizes; never arguments or results unless content tracing is on) are kept in a local log that `fermix logs` reads",
    clauses: [],
  },
  {
    id: "UPG-1",
    sentence:
      "`fermix upgrade` fetches release metadata, checks sha256 and cosign, swaps the binary atomically, restarts, checks the new version answers, and rolls back when it does not",
    clauses: [],
  },
  {
    id: "UPG-2",
    sentence:
      "A package-manager install is detected and told which command to use; `--check` only reports; every attempt is recorded",
    clauses: [],
  },
  {
    id: "GUM-1",
    sentence:
      "A plugin with manifest.json (manifest_schema_version 1, shape mcp-plugin) installs from a directory, github_release, git pin or PyPI pin with its checksum, under every manifest rule of the contract and with its error codes",
    clauses: [],
  },
  {
    id: "GUM-2",
    sentence:
      "Command normalization, executable binding and re-hash before every spawn; mismatch quarantines and refuses",
    clauses: [],
  },
  {
    id: "GUM-3",
    sentence:
      "Environment denylist at build, install and spawn; credential descriptors; auth_components checklist; setup by alias with the keychain; no raw variable name in any user-facing text",
    clauses: [],
  },
  {
    id: "GUM-4",
    sentence: "OS sandbox enforces network=false and fs_write_dir on Linux and macOS and fails closed elsewhere",
    clauses: [],
  },
  {
    id: "GUM-5",
    sentence:
      "Statuses active, installed_pending_restart, needs_configuration, quarantined; canary probe; backoff ladder; reload and unquarantine",
    clauses: [],
  },
  {
    id: "GUM-6",
    sentence:
      "plugin-catalog.json, plugins.lock and plugin-state.json publish together under one generation; readers never see a mix",
    clauses: [],
  },
  {
    id: "GUM-7",
    sentence: "schema_ref bundles, JCS digests, SCHEMA_REF_COLLISION; namespace ownership, first claim wins",
    clauses: [],
  },
  {
    id: "GUM-8",
    sentence: "gum://plugins and gum://plugin/{name} resources with the fixed shapes; op ids plug.<id>.<tool>",
    clauses: [],
  },
  { id: "GUM-9", sentence: "The 13-rule description sanitizer, with its token and code point budgets", clauses: [] },
  {
    id: "GUM-10",
    sentence:
      "google_access_token forwarding only for all-compound plugins, only the short-lived token, with an audit entry",
    clauses: [],
  },
  {
    id: "BI-1",
    sentence:
      "A directory under .bi/plugins with plugin.json, the executable and SKILL.md becomes one tool; scanned at start and on each conversation loop",
    clauses: [],
  },
  {
    id: "BI-2",
    sentence:
      "name, entry, command, defaults, schema, toggle, enabled and retry (on_error, on_empty, max_attempts, param_fallbacks) behave as documented",
    clauses: [],
  },
  {
    id: "BI-3",
    sentence: "{entry}, {dir} and {key} fill the template; argument, then default, then empty",
    clauses: [],
  },
  {
    id: "BI-4",
    sentence:
      "Calls ask for permission by default; the same timeout, process-tree kill and GBK-aware decoding as any executed program",
    clauses: [],
  },
  {
    id: "BI-5",
    sentence:
      "A broken bundle is skipped and logged and never breaks the conversation; the six built-in names cannot be taken",
    clauses: [],
  },
  {
    id: "BI-6",
    sentence: 'toggle "search" unmounts the tool entirely when smart search is off; plan mode mounts none',
    clauses: [],
  },
];
