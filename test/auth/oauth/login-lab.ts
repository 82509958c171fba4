/** A sign-in under way: a home in a temp folder, a provider that answers as a test says, and a browser that the test is. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Callback, callbackOf } from "../../../src/auth/oauth/callback.ts";
import { type FreshSignIn, type LoginPage, type LoginRequest, signIn } from "../../../src/auth/oauth/login-flow.ts";
import { findLoginProvider, type LoginProvider } from "../../../src/auth/oauth/login-providers.ts";
import { DIRECT } from "../../../src/egress/network-policy.ts";
import { homeAt } from "../../../src/files/home.ts";
import type { HttpReply, HttpRequest, LoopbackReply } from "../../../src/kernel/ports.ts";
import { FakeDns } from "../../fakes/dns.ts";
import { FakeHttp, reply } from "../../fakes/http.ts";
import { FakeLoopback } from "../../fakes/loopback.ts";
import { ManualClock } from "../../fakes/manual-clock.ts";
import { FakeRandom } from "../../fakes/random.ts";

export const CLIENT = { id: "client-1", secret: "s3cret-of-the-client" } as const;
export const CODE = "code-of-the-test";

/** What a provider gives for the code unless a test says otherwise. */
export const TOKENS = {
  access_token: "access-1",
  refresh_token: "refresh-1",
  expires_in: 3600,
  token_type: "Bearer",
} as const;

export function loginProvider(id: string): LoginProvider {
  const provider = findLoginProvider(id);
  if (provider === undefined) throw new Error(`no provider ${id}`);
  return provider;
}

export type Answer = (request: HttpRequest) => HttpReply | Promise<HttpReply>;

export const json =
  (body: unknown, status = 200): Answer =>
  () =>
    reply(status, JSON.stringify(body), { "content-type": "application/json" });

export class LoginLab implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), "fermix-login-"));
  readonly home = homeAt(this.root);
  readonly clock = new ManualClock();
  readonly random = new FakeRandom();
  readonly dns = new FakeDns();
  readonly http = new FakeHttp();
  readonly loopback = new FakeLoopback();
  /** Addresses that a browser was asked to open. */
  readonly opened: string[] = [];
  /** Whether there is a browser. */
  hasBrowser = true;
  /** Until then the program that opens pages stays. */
  opening: Promise<void> | undefined;
  readonly provider: LoginProvider;

  constructor(provider = "google") {
    this.provider = loginProvider(provider);
    this.on(this.provider.tokens.tokenEndpoint, json(TOKENS));
    if (this.provider.userinfoEndpoint !== undefined) this.on(this.provider.userinfoEndpoint, json({}));
  }

  /** Answers one after another, the last one again and again. */
  on(url: string, ...answers: readonly Answer[]): this {
    let at = 0;
    this.dns.answer(new URL(url).hostname, ["93.184.216.34"]);
    this.http.on(url, (request) => {
      const answer = answers[Math.min(at, answers.length - 1)];
      at += 1;
      if (answer === undefined) throw new Error("the provider was asked");
      return answer(request);
    });
    return this;
  }

  get ports() {
    const { clock, random, dns, http, loopback } = this;
    const browser = {
      open: async (url: string) => {
        if (this.hasBrowser) this.opened.push(url);
        await this.opening;
        return this.hasBrowser;
      },
    };
    return { browser, clock, random, dns, http, loopback };
  }

  /** Starts a sign-in; resolves when it waits, or when it failed before. */
  async start(more: Partial<LoginRequest> = {}, keep: (fresh: FreshSignIn) => Promise<void> = async () => {}) {
    const shown = Promise.withResolvers<LoginPage>();
    const kept: FreshSignIn[] = [];
    const request: LoginRequest = {
      provider: this.provider,
      client: CLIENT,
      scopes: ["read", "write"],
      callback: callbackOf(this.provider),
      network: DIRECT,
      timeoutMs: 300_000,
      openBrowser: true,
      onPage: shown.resolve,
      ...more,
    };
    const outcome = signIn({ ports: this.ports, home: this.home }, request, async (fresh) => {
      await keep(fresh);
      kept.push(fresh);
      return "kept" as const;
    });
    outcome.catch(() => undefined);
    const page = await Promise.race([
      shown.promise,
      outcome.then(
        () => undefined,
        () => undefined,
      ),
    ]);
    return new Attempt(this, request.callback, page, outcome, kept);
  }

  /** What lies in the home. */
  get debris(): readonly string[] {
    return readdirSync(this.root);
  }

  /** The bodies of the requests for tokens. */
  get asked(): readonly string[] {
    const { tokenEndpoint } = this.provider.tokens;
    return this.http.sent.filter(({ url }) => url.href === tokenEndpoint).map(({ body }) => String(body));
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

class Attempt {
  readonly lab: LoginLab;
  readonly callback: Callback;
  readonly page: LoginPage | undefined;
  readonly outcome: Promise<"kept">;
  readonly kept: readonly FreshSignIn[];

  constructor(
    lab: LoginLab,
    callback: Callback,
    page: LoginPage | undefined,
    outcome: Promise<"kept">,
    kept: readonly FreshSignIn[],
  ) {
    this.lab = lab;
    this.callback = callback;
    this.page = page;
    this.outcome = outcome;
    this.kept = kept;
  }

  get url(): URL {
    if (this.page === undefined) throw new Error("no page was shown");
    return new URL(this.page.url);
  }

  get state(): string {
    return this.url.searchParams.get("state") ?? "";
  }

  /** The address that the provider sends the browser back to. */
  back(parameters: Readonly<Record<string, string>>): string {
    return `${this.page?.redirectUri}?${new URLSearchParams(parameters)}`;
  }

  /** Comes back as the browser does; by default with a code. */
  async answer(
    parameters: Readonly<Record<string, string>> = { code: CODE, state: this.state },
  ): Promise<LoopbackReply> {
    return await this.lab.loopback.visit(this.back(parameters));
  }
}
