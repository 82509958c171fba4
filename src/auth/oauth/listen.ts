/** Listens on loopback for the answer to a sign-in, and tells it from all else that may come there (spec 8.2, AUTH-9). */
import type { Home } from "../../files/home.ts";
import { FermixError } from "../../kernel/error.ts";
import type { LoopbackAnswer, LoopbackListener, LoopbackReply, LoopbackRequest, Ports } from "../../kernel/ports.ts";
import type { Callback } from "./callback.ts";
import { type Claim, claim, isClaimed } from "./login-claim.ts";
import type { LoginProvider } from "./login-providers.ts";
import { failurePage, latePage, otherPage, successPage } from "./page.ts";

/** How long a sign-in that waits gets to see that it is to give way: several of its looks, and less than a second. */
const TAKEOVER_TRIES = 8;
const TAKEOVER_PAUSE_MS = 100;

export interface ListenDeps {
  readonly ports: Pick<Ports, "clock" | "loopback" | "random">;
  readonly home: Home;
}

export interface Heard {
  /** Called once, with the first answer; what becomes of it is what the browser shows. */
  onCallback(parameters: URLSearchParams): Promise<unknown>;
  /** Called when a newer sign-in with this provider wants the port. */
  onSuperseded(): void;
}

export interface Listening {
  readonly port: number;
  /** Lets the browser have its page, and leaves nothing. */
  close(): Promise<void>;
}

interface Where {
  readonly provider: LoginProvider;
  readonly callback: Callback;
}

/**
 * Listens at the first of the callback's ports that is free. Where there is only one and another sign-in of this home
 * with the same provider waits there, that one gives way. Throws login_port_in_use and login_listen_failed.
 */
export async function listenForCallback(deps: ListenDeps, where: Where, heard: Heard): Promise<Listening> {
  const receiver = new Receiver(where, heard);
  const { listener, claimed } = await bind(deps, where, receiver);
  receiver.port = listener.port;
  try {
    const mine = claimed ?? (await claim(deps.ports, deps.home, listener.port, where.provider.tokens.id));
    const stopLooking = mine.onLost(() => heard.onSuperseded());
    return {
      port: listener.port,
      async close() {
        stopLooking();
        await listener.close();
        mine.release();
      },
    };
  } catch (error) {
    await listener.close();
    throw error;
  }
}

interface Bound {
  readonly listener: LoopbackListener;
  readonly claimed?: Claim;
}

async function bind({ ports, home }: ListenDeps, { provider, callback }: Where, receiver: Receiver): Promise<Bound> {
  const { name, tokens } = provider;
  const listen = (port: number) => ports.loopback.listen(port, (request) => receiver.answer(request));
  let holder: Extract<LoopbackAnswer, { state: "in_use" }>["holder"];
  for (const port of callback.ports) {
    const answer = await listen(port);
    if (answer.state === "listening") return { listener: answer.listener };
    if (answer.state === "refused") {
      throw new FermixError("login_listen_failed", { provider: name, id: tokens.id, port, reason: answer.reason });
    }
    holder = answer.holder;
  }
  const [only] = callback.ports;
  if (callback.ports.length === 1 && only !== undefined && isClaimed(home, only, tokens.id)) {
    const bound = await takeOver({ ports, home }, only, tokens.id, () => listen(only));
    if (bound !== undefined) return bound;
  }
  const by = holder === undefined ? {} : { holder: holder.name, pid: holder.pid };
  throw new FermixError("login_port_in_use", { provider: name, id: tokens.id, ports: callback.ports, ...by });
}

async function takeOver(
  { ports, home }: ListenDeps,
  port: number,
  provider: string,
  listen: () => Promise<LoopbackAnswer>,
): Promise<Bound | undefined> {
  const claimed = await claim(ports, home, port, provider);
  for (let tries = 0; tries < TAKEOVER_TRIES; tries += 1) {
    await ports.clock.sleep(TAKEOVER_PAUSE_MS);
    const answer = await listen();
    if (answer.state === "listening") return { listener: answer.listener, claimed };
  }
  claimed.release();
  return undefined;
}

/** Judges each request; everybody on this machine, and every page in its browsers, can send one. */
class Receiver {
  port = 0;
  readonly #where: Where;
  readonly #heard: Heard;
  #first: { readonly query: string; readonly outcome: Promise<unknown> } | undefined;

  constructor(where: Where, heard: Heard) {
    this.#where = where;
    this.#heard = heard;
  }

  async answer({ method, target, headers }: LoopbackRequest): Promise<LoopbackReply> {
    // Not against a base, for which a target that begins with two slashes would be another host's.
    const url = URL.parse(`http://127.0.0.1${target}`);
    // A page of another site that got this address into its name would be let in by the browser.
    if (url === null || !this.#isOurs(headers.get("host"))) return otherPage(400);
    if (url.pathname !== this.#where.callback.path) return otherPage(404);
    if (method !== "GET") return otherPage(405);
    const parameters = url.searchParams;
    if (!["code", "error", "state"].some((name) => parameters.has(name))) return otherPage(400);
    const query = url.search;
    this.#first ??= { query, outcome: this.#heard.onCallback(parameters) };
    // A browser that asks again, as one that reloads does, gets the same answer.
    if (this.#first.query !== query) return latePage();
    try {
      await this.#first.outcome;
      return successPage(this.#where.provider.name);
    } catch (error) {
      return failurePage(error);
    }
  }

  #isOurs(host: string | null): boolean {
    const names = ["127.0.0.1", "localhost"].map((name) => `${name}:${this.port}`);
    return host !== null && names.includes(host.toLowerCase());
  }
}
