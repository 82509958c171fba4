/** A token endpoint on loopback that rotates single-use refresh tokens and, when one comes a second time, ends the whole grant. */
import type { Server } from "bun";

export interface TokenRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface TokenServerOptions {
  /** Seconds that each access token lives; default one hour. */
  readonly expiresIn?: number;
  /** Called before each answer; what it gives is answered instead. */
  readonly before?: (request: TokenRequest, at: number) => Response | undefined | Promise<Response | undefined>;
}

/** Gives `access-2` and `refresh-2` for `refresh-1`, and so on. */
export class TokenServer implements Disposable {
  readonly requests: TokenRequest[] = [];
  /** How many refresh tokens were bought; the grant is at this generation. */
  generation = 1;
  revoked = false;
  private readonly server: Server<undefined>;

  constructor({ expiresIn = 3600, before }: TokenServerOptions = {}) {
    this.server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: async (request) => {
        const seen = { headers: Object.fromEntries(request.headers), body: await request.text() };
        this.requests.push(seen);
        const instead = await before?.(seen, this.requests.length);
        return instead ?? this.answer(seen.body, expiresIn);
      },
    });
  }

  get port(): number {
    return this.server.port ?? 0;
  }

  private answer(body: string, expiresIn: number): Response {
    const given = new URLSearchParams(body).get("refresh_token");
    if (this.revoked || given !== `refresh-${this.generation}`) {
      this.revoked = true;
      return Response.json({ error: "invalid_grant", error_description: "Token has been revoked." }, { status: 400 });
    }
    this.generation += 1;
    return Response.json({
      access_token: `access-${this.generation}`,
      refresh_token: `refresh-${this.generation}`,
      expires_in: expiresIn,
      token_type: "Bearer",
    });
  }

  [Symbol.dispose](): void {
    void this.server.stop(true);
  }
}
