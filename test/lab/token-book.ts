/** Which tokens a stand-in honours: single-use refresh tokens that rotate, as GitHub, Notion and X document them. */

/** The client that token endpoints of stand-ins know; `http-home.ts` configures the same one. */
export const LAB_CLIENT = { id: "lab-client-id", secret: "lab-client-secret" } as const;

export interface Session {
  readonly access: string;
  readonly refresh: string;
  readonly scopes: readonly string[];
}

export class TokenBook {
  private readonly live = new Map<string, readonly string[]>();
  private readonly spent = new Set<string>();
  private readonly prefix: string;
  private readonly scopes: readonly string[];

  /**
   * Honours `<prefix>-token` with all scopes, those of `others`, and every session bought with a refresh token
   * `<prefix>-refresh-<family>-<n>`, whatever its family: each test has one of its own.
   */
  constructor(prefix: string, scopes: readonly string[], others: Readonly<Record<string, readonly string[]>> = {}) {
    this.prefix = prefix;
    this.scopes = scopes;
    for (const [access, granted] of Object.entries({ ...others, [`${prefix}-token`]: scopes }))
      this.live.set(access, granted);
  }

  /** The scopes of a live access token, or undefined. */
  scopesOf(access: string): readonly string[] | undefined {
    return this.live.get(access);
  }

  /** What a refresh token buys; afterwards it is worth nothing, and neither is the access token it came with. */
  redeem(refresh: string): Session | undefined {
    const [, family, generation] = new RegExp(`^${this.prefix}-refresh-([a-z]+)-(\\d)$`).exec(refresh) ?? [];
    if (family === undefined || this.spent.has(refresh)) return undefined;
    this.spent.add(refresh);
    const next = Number(generation) + 1;
    const session = {
      access: `${this.prefix}-token-${family}-${next}`,
      refresh: `${this.prefix}-refresh-${family}-${next}`,
      scopes: this.scopes,
    };
    this.live.delete(`${this.prefix}-token-${family}-${generation}`);
    this.live.set(session.access, session.scopes);
    return session;
  }
}

/** The token of an `Authorization: Bearer` header; undefined when there is none of that form. */
export function bearerOf(request: Request): string | undefined {
  return /^Bearer ([!-~]+)$/.exec(request.headers.get("authorization") ?? "")?.[1];
}

/** Whether HTTP Basic carries the lab's client. */
export function isBasicClient(request: Request): boolean {
  return request.headers.get("authorization") === `Basic ${btoa(`${LAB_CLIENT.id}:${LAB_CLIENT.secret}`)}`;
}
