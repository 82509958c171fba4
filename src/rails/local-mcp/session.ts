/** The life of one local plugin's server: started, kept, started again when it died, ended. */
import { FermixError, isFermixError } from "../../kernel/error.ts";
import type { JsonObject } from "../../kernel/json.ts";
import type { PluginName } from "../../kernel/names.ts";
import type { ChildSpec, Ports } from "../../kernel/ports.ts";
import type { LocalManifest } from "../../manifest/manifest.ts";
import type { CallOptions, RailSession, RailTool, SessionState, ToolOutcome } from "../rail.ts";
import { type Connection, connect, type StartFailure } from "./connection.ts";
import type { StdioTransport } from "./stdio-transport.ts";
import { afterFailedStart, RELIST_PAUSE_MS, type SessionLimits } from "./supervise-policy.ts";

export class LocalSession implements RailSession {
  readonly plugin: PluginName;
  readonly #ports: Pick<Ports, "processes" | "clock">;
  readonly #manifest: LocalManifest;
  readonly #plan: () => ChildSpec;
  readonly #limits: SessionLimits;
  readonly #listeners: (() => void)[] = [];
  readonly #closing = new AbortController();
  readonly #running = new Set<StdioTransport>();
  readonly #settled: Promise<void>;
  #state: SessionState = { status: "starting", attempt: 1 };
  #tools: readonly RailTool[] = [];
  #live: Connection | undefined;
  #opening: Promise<void> | undefined;
  /** The server said that its list changed, and it was not read since. */
  #stale = false;
  #relisting = false;

  /** `plan` decides anew at every start what to run; what it throws fails the session at once. */
  constructor(
    ports: Pick<Ports, "processes" | "clock">,
    manifest: LocalManifest,
    plan: () => ChildSpec,
    limits: SessionLimits,
  ) {
    this.plugin = manifest.name;
    this.#ports = ports;
    this.#manifest = manifest;
    this.#plan = plan;
    this.#limits = limits;
    this.#settled = this.#open();
  }

  state(): SessionState {
    return this.#state;
  }

  tools(): readonly RailTool[] {
    return this.#state.status === "ready" ? this.#tools : [];
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  settled(): Promise<void> {
    return this.#settled;
  }

  /** A dead server is started afresh by the next call; a call that was under way when it died is never repeated. */
  call(tool: RailTool, args: JsonObject, options: CallOptions): Promise<ToolOutcome> {
    const live = this.#live?.transport;
    return live?.alive ? live.lane.call(tool, args, options) : this.#reviveAndCall(tool, args, options);
  }

  async close(): Promise<void> {
    this.#become({ status: "closed" });
    this.#closing.abort();
    await Promise.all([...this.#running].map((transport) => transport.close()));
    await this.#opening;
  }

  async #reviveAndCall(tool: RailTool, args: JsonObject, options: CallOptions): Promise<ToolOutcome> {
    if (this.#state.status === "ready" || this.#state.status === "starting") await this.#open();
    if (this.#live !== undefined) return this.#live.transport.lane.call(tool, args, options);
    if (this.#state.status === "failed") return { ok: false, error: this.#state.error };
    return { ok: false, error: new FermixError("session_closed", { plugin: this.plugin, tool: tool.name }) };
  }

  /** Brings the server up; calls that come meanwhile wait for the same start. */
  #open(): Promise<void> {
    this.#opening ??= this.#start().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #start(): Promise<void> {
    try {
      const connection = await this.#tryRepeatedly(this.#plan());
      if (connection === undefined) return;
      this.#live = connection;
      if (this.#state.status === "ready") this.#adopt(connection.tools);
      else {
        this.#tools = connection.tools;
        this.#become({ status: "ready" });
      }
      if (this.#stale) void this.#relist();
    } catch (cause) {
      if (!isFermixError(cause)) throw cause;
      this.#become({ status: "failed", error: cause });
    }
  }

  /** undefined when the session was closed meanwhile. Throws discovery_failed after the last attempt. */
  async #tryRepeatedly(spec: ChildSpec): Promise<Connection | undefined> {
    for (let attempt = 1; !this.#closing.signal.aborted; attempt += 1) {
      if (this.#state.status === "starting" && attempt > 1) this.#become({ status: "starting", attempt });
      const outcome = await connect(this.#ports, spec, this.#manifest, this.#limits, {
        onStarted: (transport) => this.#watch(transport),
        onToolsChanged: () => void this.#relist(),
      });
      if (outcome.ok) return this.#closing.signal.aborted ? undefined : outcome.connection;
      const next = afterFailedStart(attempt);
      if (next.do === "give_up") throw discoveryFailed(this.plugin, attempt, outcome.failure);
      if (!(await this.#pause(next.afterMs))) return undefined;
    }
    return undefined;
  }

  #watch(transport: StdioTransport): void {
    this.#running.add(transport);
    void transport.ended.then(() => {
      this.#running.delete(transport);
      if (this.#live?.transport === transport) this.#live = undefined;
    });
    // Closed in the moment between asking for a process and having one.
    if (this.#closing.signal.aborted) void transport.close();
  }

  /** Whether the wait ended by itself and not by close(). */
  async #pause(ms: number): Promise<boolean> {
    try {
      await this.#ports.clock.sleep(ms, this.#closing.signal);
      return true;
    } catch (cause) {
      if (this.#closing.signal.aborted) return false;
      throw cause;
    }
  }

  /**
   * Reads the list again after the server said that it changed: at once, and then not before a pause, so that a server
   * which says so without end keeps neither this process nor the agents busy.
   */
  async #relist(): Promise<void> {
    this.#stale = true;
    if (this.#relisting) return;
    this.#relisting = true;
    while (this.#stale && this.#live !== undefined) {
      this.#stale = false;
      try {
        this.#adopt(await this.#live.list());
      } catch {
        // The last good list stands; a server that cannot be asked any more is noticed by its end.
      }
      await this.#pause(RELIST_PAUSE_MS);
    }
    this.#relisting = false;
  }

  #adopt(tools: readonly RailTool[]): void {
    if (JSON.stringify(tools) === JSON.stringify(this.#tools)) return;
    this.#tools = tools;
    this.#notify();
  }

  #become(state: SessionState): void {
    if (this.#state.status === "closed") return;
    this.#state = state;
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

function discoveryFailed(plugin: PluginName, attempts: number, { reason, ...ending }: StartFailure): FermixError {
  return new FermixError("discovery_failed", { plugin, attempts, lastError: reason, ...ending });
}
