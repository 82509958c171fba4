/** Which plugins this process hosts: loads them, opens a session for each ready one, and follows what changes on disk. */

import type { FermixError } from "../kernel/error.ts";
import { isFermixError } from "../kernel/error.ts";
import type { App } from "../plugins/app.ts";
import type { RailSession } from "../rails/rail.ts";
import { openSession, type SessionOpener } from "./open-session.ts";
import { type Planned, planPlugins } from "./plan.ts";
import { buildRegistry, type Registry } from "./registry.ts";
import { type HostedPlugin, sessionOf } from "./standing.ts";

export interface HostOptions {
  /** Which plugins this host is for; every one when absent. The others are known by name only. */
  readonly serve?: (plugin: string) => boolean;
  /** Opens sessions in a test. */
  readonly open?: SessionOpener;
}

export interface Host {
  readonly app: App;
  registry(): Registry;
  /** Every plugin that is loaded, left out, or enabled without being there; sorted by name. */
  plugins(): readonly HostedPlugin[];
  /** Why plugins could not be loaded or re-read at all; undefined while everything is in order (DECISIONS 10). */
  fault(): FermixError | undefined;
  /** When it last looked at the disk and the keychain, in Unix milliseconds. */
  lookedAt(): number;
  /** Called after the set of tools, or how a plugin stands, has changed. */
  onChange(listener: () => void): void;
  /** Resolves when no session is starting any more, or after `withinMs`. */
  settled(withinMs: number): Promise<void>;
  /** Reads the disk again and opens and closes sessions to match; calls in a row become one. Never rejects for a fault. */
  reconcile(): Promise<void>;
  /** Closes every session; resolves when nothing they started is left. */
  close(): Promise<void>;
}

/** A host whose sessions are already starting. A fault in loading leaves it without tools, up, and able to recover. */
export async function openHost(app: App, options: HostOptions = {}): Promise<Host> {
  const host = new LiveHost(app, options);
  await host.reconcile();
  return host;
}

/** A planned plugin with what came of it. */
interface Kept extends HostedPlugin {
  /** What its session was opened from; another key means another session. */
  readonly key: string;
}

class LiveHost implements Host {
  readonly app: App;
  readonly #serve: (plugin: string) => boolean;
  readonly #open: SessionOpener;
  readonly #listeners: (() => void)[] = [];
  #kept: readonly Kept[] = [];
  #registry: Registry = buildRegistry([]);
  #fault: FermixError | undefined;
  #lookedAt = 0;
  #running: Promise<void> | undefined;
  #again: Promise<void> | undefined;
  #closed = false;

  constructor(app: App, { serve = () => true, open = openSession }: HostOptions) {
    this.app = app;
    this.#serve = serve;
    this.#open = open;
  }

  registry(): Registry {
    return this.#registry;
  }

  plugins(): readonly HostedPlugin[] {
    return this.#kept;
  }

  fault(): FermixError | undefined {
    return this.#fault;
  }

  lookedAt(): number {
    return this.#lookedAt;
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async settled(withinMs: number): Promise<void> {
    const enough = new AbortController();
    const sessions = this.#sessions().map((session) => session.settled());
    const limit = this.app.ports.clock.sleep(withinMs, enough.signal).catch(() => undefined);
    await Promise.race([Promise.all(sessions), limit]);
    enough.abort();
  }

  /** One run at a time; what is asked for during a run is one more run after it. */
  reconcile(): Promise<void> {
    if (this.#running === undefined) {
      this.#running = this.#run().finally(() => {
        this.#running = undefined;
      });
      return this.#running;
    }
    this.#again ??= this.#running.then(() => {
      this.#again = undefined;
      return this.reconcile();
    });
    return this.#again;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
    await Promise.all(this.#sessions().map((session) => session.close()));
  }

  #sessions(): readonly RailSession[] {
    return this.#kept.map(sessionOf).filter((session) => session !== undefined);
  }

  async #run(): Promise<void> {
    if (this.#closed) return;
    try {
      const plan = await planPlugins(this.app, this.#serve);
      this.#lookedAt = this.app.ports.clock.now();
      this.#fault = undefined;
      await this.#apply(plan);
    } catch (error) {
      if (!isFermixError(error)) throw error;
      this.#fault = error;
      // A config file caught half-written by an editor must not end work in progress; every other fault means that
      // no plugin may be trusted to be what it was (DECISIONS 10).
      if (!isFermixError(error, "config_invalid")) await this.#apply([]);
    }
    this.#publish();
  }

  /**
   * What may no longer be called is refused first, then the sessions behind it are ended, which takes their servers a
   * while, and then the new ones are opened: an agent never meets a plugin that is half switched off.
   */
  async #apply(plan: readonly Planned[]): Promise<void> {
    const before = new Map(this.#kept.map((kept) => [kept.name, kept]));
    const staying = plan.map((planned) =>
      planned.obstacle === undefined ? before.get(planned.name) : withoutSession(planned),
    );
    const gone = this.#kept.filter((kept) => !staying.includes(kept));
    const ending = gone.map(sessionOf).filter((session) => session !== undefined);
    this.#kept = staying.filter((kept) => kept !== undefined);
    if (ending.length > 0) this.#publish();
    await Promise.all(ending.map((session) => session.close()));
    this.#kept = await Promise.all(plan.map((planned) => this.#keep(planned, before.get(planned.name))));
  }

  /** The session that is there when nothing about the plugin changed, else a new one after the old one has ended. */
  async #keep(planned: Planned, before: Kept | undefined): Promise<Kept> {
    const { name, plugin, key } = planned;
    const session = before === undefined ? undefined : sessionOf(before);
    // A server that gave up starts afresh whenever something changed on disk (product document "Local MCP rail").
    if (session !== undefined && before?.key === key && session.state().status !== "failed") return before;
    if (planned.obstacle !== undefined) return withoutSession(planned);
    await session?.close();
    try {
      const opened = await this.#open(this.app, planned.plugin, planned.settings);
      opened.onChange(() => this.#publish());
      return { name, plugin, key, serves: opened };
    } catch (error) {
      if (!isFermixError(error)) throw error;
      return { name, plugin, key, serves: { kind: "failed", status: error.code, error } };
    }
  }

  #publish(): void {
    this.#registry = buildRegistry(this.#sessions());
    for (const listener of this.#listeners) listener();
  }
}

function withoutSession({ name, plugin, key, obstacle }: Planned): Kept {
  return { name, plugin, key, serves: obstacle ?? { kind: "left_out" } };
}
