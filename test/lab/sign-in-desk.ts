/** The sign-in page of a stand-in: whoever comes agrees at once, and gets a code for one use, bound as RFC 7636 says. */
import { LAB_CLIENT, type Session, type TokenBook } from "./token-book.ts";

export interface DeskOptions {
  readonly tokens: TokenBook;
  /** As the refresh tokens of the book begin. */
  readonly prefix: string;
  /** As registered with the provider; GitHub alone lets the port of a loopback address be any. */
  readonly redirectUri: string;
  readonly anyPort?: boolean;
  /** Members that must be there with these values, beside those of RFC 6749 and RFC 7636. */
  readonly members: Readonly<Record<string, string>>;
  /** The issuer that the provider names in its answer, where it does (RFC 9207). */
  readonly issuer?: string;
}

interface Code {
  readonly challenge: string;
  readonly redirectUri: string;
  readonly family: string;
}

/** Families of tokens are named by letters. */
const A = "a".charCodeAt(0);

export class SignInDesk {
  private readonly options: DeskOptions;
  private readonly codes = new Map<string, Code>();
  private given = 0;

  constructor(options: DeskOptions) {
    this.options = options;
  }

  /** Sends the browser back with a code; an account called `denier` says no; a wrong request stays on an error page. */
  page(request: Request): Response {
    const url = new URL(request.url);
    const query = Object.fromEntries(url.searchParams);
    const { redirect_uri: redirectUri = "", state = "", code_challenge: challenge = "", login, ...rest } = query;
    const wanted = {
      response_type: "code",
      client_id: LAB_CLIENT.id,
      code_challenge_method: "S256",
      ...this.options.members,
    };
    const right = JSON.stringify(sorted(rest)) === JSON.stringify(sorted(wanted));
    if (request.method !== "GET" || !right || !this.isRegistered(redirectUri)) {
      return new Response(`<h1>Something is wrong with this app: ${url.search}</h1>`, { status: 400 });
    }
    const back = new URL(redirectUri);
    if (login === "denier") back.searchParams.set("error", "access_denied");
    else back.searchParams.set("code", this.codeFor(challenge, redirectUri));
    back.searchParams.set("state", state);
    if (this.options.issuer !== undefined) back.searchParams.set("iss", this.options.issuer);
    return new Response(null, { status: 302, headers: { location: back.href } });
  }

  /** What the code buys; undefined for one that was used, or asked for by somebody else or from elsewhere. */
  redeem(fields: {
    readonly code?: string;
    readonly redirect_uri?: string;
    readonly code_verifier?: string;
  }): Session | undefined {
    const { code = "", redirect_uri, code_verifier = "" } = fields;
    const known = this.codes.get(code);
    this.codes.delete(code);
    const challenge = new Bun.CryptoHasher("sha256").update(code_verifier).digest("base64url");
    if (known === undefined || known.challenge !== challenge || known.redirectUri !== redirect_uri) return undefined;
    return this.options.tokens.redeem(`${this.options.prefix}-refresh-${known.family}-0`);
  }

  private isRegistered(redirectUri: string): boolean {
    if (!this.options.anyPort) return redirectUri === this.options.redirectUri;
    return redirectUri.replace(/:\d+\//, "/") === this.options.redirectUri;
  }

  private codeFor(challenge: string, redirectUri: string): string {
    const family = `signin${String.fromCharCode(A + this.given)}`;
    this.given += 1;
    const code = `lab-code-${family}`;
    this.codes.set(code, { challenge, redirectUri, family });
    return code;
  }
}

function sorted(members: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  return Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1));
}
