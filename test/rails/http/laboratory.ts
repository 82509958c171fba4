/** An http plugin from a manifest, its session over ports of the test, and a credential source that counts what it is asked. */
import { Credential } from "../../../src/auth/credential.ts";
import type { CredentialSource, Grant } from "../../../src/auth/credential-source.ts";
import { DIRECT, type NetworkPolicy } from "../../../src/egress/network-policy.ts";
import type { FermixError } from "../../../src/kernel/error.ts";
import type { JsonObject } from "../../../src/kernel/json.ts";
import type { HttpReply } from "../../../src/kernel/ports.ts";
import type { LoadedPlugin } from "../../../src/manifest/manifest.ts";
import { parseManifest } from "../../../src/manifest/parse.ts";
import { openHttpSession } from "../../../src/rails/http/session.ts";
import type { CallOptions, RailSession, ToolOutcome } from "../../../src/rails/rail.ts";
import { FakeDns } from "../../fakes/dns.ts";
import { FakeHttp, reply } from "../../fakes/http.ts";
import { ManualClock } from "../../fakes/manual-clock.ts";

export const API = "https://api.example.com";

/** A tool with a template; whatever the test does not say is a GET of `/<name>`. */
export function tool(name: string, more: JsonObject = {}, request: JsonObject = {}): JsonObject {
  return {
    name: `web_${name}`,
    description: `Does ${name}.`,
    read_only: true,
    rail: "http",
    parameters: { type: "object", properties: {} },
    request: { method: "GET", url: `${API}/${name}`, ...request },
    ...more,
  };
}

export function plugin(tools: readonly JsonObject[], auth: JsonObject = { type: "none" }): LoadedPlugin {
  const manifest = parseManifest(
    JSON.stringify({
      schema_version: 2,
      plugin_api: 2,
      name: "web",
      display_name: "Web",
      description: "A plugin of the test.",
      category: "test",
      version: "1.0.0",
      auth,
      health_check: { kind: "local_readiness" },
      tools,
    }),
    {},
  );
  return { name: manifest.name, version: manifest.version, origin: "installed", dir: undefined, manifest };
}

export const OAUTH = { type: "oauth2", provider: "github", scopes: ["read:things", "write:things"] };
export const API_KEY = { type: "api_key", key_name: "WEB_KEY", header: "X-Web-Key", scheme: "Bot", prompt: "Key" };

/** Gives these secrets one after another, the next at each renewal; renewals past the last give nothing. */
export class ScriptedSource implements CredentialSource {
  readonly renewed: Credential[] = [];
  readonly #secrets: string[];
  readonly #more: Partial<Grant>;

  constructor(secrets: readonly string[], more: Partial<Grant> = {}) {
    this.#secrets = [...secrets];
    this.#more = more;
  }

  async current(): Promise<Grant> {
    return this.#grant(this.#secrets[0] ?? "");
  }

  async renew(rejected: Credential): Promise<Grant | undefined> {
    this.renewed.push(rejected);
    this.#secrets.shift();
    const [next] = this.#secrets;
    return next === undefined ? undefined : this.#grant(next);
  }

  #grant(secret: string): Grant {
    return { credential: new Credential(secret), grantedScopes: undefined, region: undefined, ...this.#more };
  }
}

export class HttpRailLab {
  readonly http = new FakeHttp();
  readonly dns = new FakeDns().answer("api.example.com", ["93.184.216.34"]);
  readonly clock = new ManualClock();
  readonly session: RailSession;

  constructor(loaded: LoadedPlugin, source?: CredentialSource, network: NetworkPolicy = DIRECT) {
    const ports = { dns: this.dns, http: this.http, clock: this.clock };
    this.session = openHttpSession(ports, loaded, { source, network });
  }

  /** Answers a URL with these replies in turn, the last one again and again. */
  answers(path: string, ...replies: readonly (() => HttpReply)[]): this {
    let at = 0;
    this.http.on(`${API}${path}`, () => {
      const next = replies[Math.min(at, replies.length - 1)];
      at += 1;
      if (next === undefined) throw new Error(`no reply for ${path}`);
      return next();
    });
    return this;
  }

  call(name: string, args: JsonObject = {}, options: CallOptions = {}): Promise<ToolOutcome> {
    const found = this.session.tools().find((candidate) => candidate.upstreamName === name);
    if (found === undefined) throw new Error(`no tool ${name}`);
    return this.session.call(found, args, options);
  }

  /** `METHOD path` of every request so far. */
  sent(): readonly string[] {
    return this.http.sent.map(({ method, url }) => `${method} ${url.pathname}${url.search}`);
  }
}

/** A JSON answer. */
export function json(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): () => HttpReply {
  return () => reply(status, JSON.stringify(body), { "content-type": "application/json", ...headers });
}

/** What the agent reads of a successful call. */
export function read(outcome: ToolOutcome): unknown {
  if (!outcome.ok) throw outcome.error;
  const content = outcome.result["content"] as readonly { type: string; text: string }[];
  if (content.length !== 1 || content[0]?.type !== "text") throw new Error("one text is expected");
  return JSON.parse(content[0].text);
}

/** The failure of a call. */
export function failure(outcome: ToolOutcome): FermixError {
  if (outcome.ok) throw new Error(`unexpected success: ${JSON.stringify(outcome.result)}`);
  return outcome.error;
}
