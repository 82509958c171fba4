/** A home in a temp folder with a sign-in, a configured client, and ports of which only the token endpoint answers. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CredentialSource } from "../../src/auth/credential-source.ts";
import type { TokenPlugin } from "../../src/auth/signed-in.ts";
import { openTokenSource } from "../../src/auth/token-source.ts";
import { homeAt } from "../../src/files/home.ts";
import type { HttpReply, HttpRequest } from "../../src/kernel/ports.ts";
import { FakeClock } from "../fakes/clock.ts";
import { FakeDns } from "../fakes/dns.ts";
import { FakeHttp, reply } from "../fakes/http.ts";
import { FakeKeychain } from "../fakes/keychain.ts";
import { FakeLog } from "../fakes/log.ts";
import { placeSignIn, type SignInGiven, signInOnDisk } from "../lab/auth-file.ts";

const GOOGLE_TOKENS = "https://oauth2.googleapis.com/token";
export const CLIENT = '[fermix_core.oauth.google]\nclient_id = "the-client"\nclient_secret = "the-client-secret"\n';

/** A plugin that signs in with this provider. */
export function pluginOf(provider = "google", name = "gmail"): TokenPlugin {
  return {
    name,
    profile: `${name}:primary`,
    auth: {
      type: "oauth2",
      provider,
      scopes: [],
      profileKey: undefined,
      header: "authorization",
      scheme: "Bearer",
    },
  };
}

/** Time stands still for deadlines and passes for pauses. */
class PatientClock extends FakeClock {
  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal === undefined) return super.sleep(ms);
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
  }

  override after(): () => void {
    return () => undefined;
  }
}

type Answer = (request: HttpRequest) => HttpReply | Promise<HttpReply>;

export class SignInLab implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), "fermix-sign-in-"));
  readonly home = homeAt(this.root);
  readonly clock = new PatientClock();
  /** One on which every deadline passes at once. */
  readonly hurry = new FakeClock();
  readonly dns = new FakeDns();
  readonly http = new FakeHttp();
  readonly keychain = new FakeKeychain();
  readonly log = new FakeLog();
  plugin = pluginOf();

  constructor(config = CLIENT) {
    writeFileSync(this.home.configFile, config);
  }

  get deps() {
    const { clock, dns, http, keychain, log, home } = this;
    return { ports: { clock, dns, http, keychain, log }, home };
  }

  /** The plugin's sign-in; its access token is `access-1` and its refresh token `refresh-1`. */
  signedIn(given: SignInGiven = {}): this {
    const tokens = { accessToken: "access-1", refreshToken: "refresh-1" };
    placeSignIn(this.root, this.plugin.profile, { ...tokens, ...given }, this.clock.now());
    return this;
  }

  /** The token endpoint answers one after another, the last one again and again. */
  provider(...answers: readonly Answer[]): this {
    return this.providerAt(GOOGLE_TOKENS, ...answers);
  }

  providerAt(url: string, ...answers: readonly Answer[]): this {
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

  source(plugin = this.plugin): CredentialSource {
    return openTokenSource(this.deps, plugin);
  }

  /** The token that a call would send now. */
  async token(): Promise<string> {
    return (await this.source().current()).credential.headerValue("Bearer");
  }

  get entry(): Readonly<Record<string, unknown>> | undefined {
    return signInOnDisk(this.root, this.plugin.profile);
  }

  /** What lies beside auth.json and config.toml. */
  get debris(): readonly string[] {
    return readdirSync(this.root).filter((name) => name !== "auth.json" && name !== "config.toml");
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** An answer in JSON. */
export function answering(body: unknown, status = 200): Answer {
  return () => reply(status, JSON.stringify(body), { "content-type": "application/json" });
}

/** What a provider gives for `refresh-1`. */
export const GRANTED = {
  access_token: "access-2",
  refresh_token: "refresh-2",
  expires_in: 3600,
  token_type: "Bearer",
} as const;
