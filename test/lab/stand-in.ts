/**
 * What a stand-in of a provider is, what the lab records about each request, and answers prepared for a route.
 *
 * How to use it (`http-lab.ts` has the rest):
 * - `test/lab/stand-ins/<name>.ts` exports `standIn: StandIn`, written from the provider's public documentation. It runs
 *   in a process inside the lab's namespace, so it shares no memory with the test; what it must know is in the file.
 * - It answers every unknown route, parameter or missing header with the provider's own error (DECISIONS 46). A throw in
 *   `handle` fails the test's next `calls()`. Another host than `hosts` is answered with 421 before it is asked.
 * - `using lab = await openHttpLab(["slack", "github"])` starts the namespace, certificates and servers.
 * - `using home = await lab.home({ plugins: ["slack"], keys: { slack: "xoxb-..." } })` is a Fermix home with these
 *   plugins enabled by the real verbs and the credentials in place; `signIns` puts OAuth entries into auth.json.
 * - `await home.call("slack_team_info", {})` runs `fermix call` inside the namespace; `await home.callAsAgent(...)` does
 *   the same through `fermix mcp serve` with the MCP SDK's client; `home.agent(use)` gives that client itself.
 * - `await lab.calls()` gives every request since the last `calls()`, whole; compare it with literals.
 * - `await lab.prepare({ host, method, path, answers })` answers a route from a list, once each, before the stand-in is
 *   asked again (429 then 200). `calls()` fails when a prepared answer was never asked for.
 * - A prepared answer that is `held` waits: `await lab.holding()` until its request is there, look at the world, then
 *   `await lab.release()`.
 * - `openHttpLab(names, { dns: {...} })` takes names out of the hosts file and answers them by a DNS server with a
 *   script (`dns-server.ts`); `await lab.queries()` gives what was asked.
 */

export interface StandIn {
  /** The names it is reached under, each with a certificate of its own; https on port 443 only. */
  readonly hosts: readonly string[];
  /** The request as it arrived, its url absolute, its body unread. */
  handle(request: Request): Response | Promise<Response>;
}

/** One request as it arrived. */
export interface Call {
  readonly method: string;
  readonly host: string;
  /** As sent, percent-encoding kept. */
  readonly path: string;
  /** As sent, without the question mark; "" without one. */
  readonly query: string;
  /** By lower-case name, without `host`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The text as sent; `base64:...` when it is not UTF-8; "" without one. */
  readonly body: string;
  /** Where it was received, when that is not the lab's own IPv4 address. */
  readonly address?: string;
}

/** An answer that a test wrote; `body` other than text is sent as JSON. */
export interface PreparedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Whether it waits for `release()`. */
  readonly held?: boolean;
}

export interface Preparation {
  readonly host: string;
  /** Default GET. */
  readonly method?: string;
  readonly path: string;
  /** `null` lets the stand-in answer in its turn. */
  readonly answers: readonly (PreparedAnswer | null)[];
}

/** What every request of the HTTP rail carries, besides the credential and what a template adds or replaces. */
export const TRANSPORT_HEADERS = {
  accept: "application/json",
  "accept-encoding": "identity",
  connection: "keep-alive",
  "user-agent": "fermix",
} as const;

/** An answer in JSON, as most providers write it. */
export function json(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
  });
}
