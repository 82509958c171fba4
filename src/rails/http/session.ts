/** The session of a plugin whose tools are requests: always ready, it turns one call into requests and their answer into data. */
import type { Credential } from "../../auth/credential.ts";
import type { CredentialSource, Grant } from "../../auth/credential-source.ts";
import { DEFAULT_DEADLINES, raceAbort } from "../../egress/deadlines.ts";
import type { NetworkPolicy } from "../../egress/network-policy.ts";
import { FermixError, isFermixError } from "../../kernel/error.ts";
import type { JsonObject, JsonValue } from "../../kernel/json.ts";
import type { PluginName } from "../../kernel/names.ts";
import type { Ports } from "../../kernel/ports.ts";
import type { HttpTool, LoadedPlugin, Manifest } from "../../manifest/manifest.ts";
import type { CallOptions, RailSession, RailTool, SessionState, ToolOutcome } from "../rail.ts";
import { openAsk } from "./ask.ts";
import { linkCancel } from "./cancel.ts";
import { extract } from "./extract.ts";
import { nativeTools } from "./native/native-tools.ts";
import { listPages } from "./paginate.ts";
import { readArguments } from "./read-arguments.ts";
import { renderRequest } from "./render-request.ts";
import { assertGranted } from "./scopes.ts";
import { cursorFrom, servedTools } from "./tools.ts";

/** A listing may take fifty requests (DECISIONS 16). */
const LISTING_MS = 300_000;

export interface HttpSessionOptions {
  /** undefined for a plugin without credentials. */
  readonly source: CredentialSource | undefined;
  readonly network: NetworkPolicy;
}

/** Opens the session; it is ready at once, as nothing has to be started. */
export function openHttpSession(
  ports: Pick<Ports, "dns" | "http" | "clock">,
  plugin: LoadedPlugin,
  options: HttpSessionOptions,
): RailSession {
  return new HttpSession(ports, plugin, options);
}

/** What one call has at hand. */
interface Call {
  readonly tool: HttpTool;
  readonly given: JsonObject;
  readonly used: Credential[];
  readonly signal: AbortSignal;
  readonly onProgress: CallOptions["onProgress"];
}

class HttpSession implements RailSession {
  readonly plugin: PluginName;
  readonly #ports: Pick<Ports, "dns" | "http" | "clock">;
  readonly #manifest: Manifest;
  readonly #options: HttpSessionOptions;
  readonly #tools: readonly RailTool[];
  readonly #sources: ReadonlyMap<string, HttpTool>;
  readonly #listeners: (() => void)[] = [];
  readonly #closing = new AbortController();

  constructor(ports: Pick<Ports, "dns" | "http" | "clock">, plugin: LoadedPlugin, options: HttpSessionOptions) {
    const served = servedTools(plugin);
    this.plugin = plugin.name;
    this.#ports = ports;
    this.#manifest = plugin.manifest;
    this.#options = options;
    this.#tools = served.map(({ tool }) => tool);
    this.#sources = new Map(served.map(({ source }) => [source.name, source]));
  }

  state(): SessionState {
    return { status: this.#closing.signal.aborted ? "closed" : "ready" };
  }

  tools(): readonly RailTool[] {
    return this.#closing.signal.aborted ? [] : this.#tools;
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  settled(): Promise<void> {
    return Promise.resolve();
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    for (const listener of this.#listeners) listener();
    await this.#options.source?.settled?.();
  }

  async call({ name }: RailTool, given: JsonObject, { signal, onProgress }: CallOptions): Promise<ToolOutcome> {
    const tool = this.#sources.get(name);
    if (tool === undefined || this.#closing.signal.aborted) return this.#ended(name);
    const cancel = linkCancel(signal, this.#closing.signal);
    const used: Credential[] = [];
    try {
      cancel.signal.throwIfAborted();
      const answer = await this.#answer({ tool, given, used, signal: cancel.signal, onProgress });
      return { ok: true, result: { content: [{ type: "text", text: masked(JSON.stringify(answer), used) }] } };
    } catch (error) {
      if (cancel.signal.aborted) return this.#ended(name);
      if (!isFermixError(error)) throw error;
      return { ok: false, error };
    } finally {
      cancel.release();
    }
  }

  /** Why a call has no answer: the session ended, or its caller gave it up. */
  #ended(tool: string): ToolOutcome {
    const code = this.#closing.signal.aborted ? "session_closed" : "call_cancelled";
    return { ok: false, error: new FermixError(code, { plugin: this.plugin, tool }) };
  }

  async #answer(call: Call): Promise<JsonValue> {
    const { tool, given, used, signal } = call;
    const { source } = this.#options;
    // The order of spec 3.1: whoever is not connected is told so before the arguments are looked at.
    // A refresh goes on when its caller leaves: what it spends has to be stored.
    const grant = source === undefined ? undefined : await raceAbort(source.current(), signal);
    if (grant !== undefined) {
      assertGranted(this.#manifest, tool, grant);
      used.push(grant.credential);
    }
    const args = readArguments(tool.name, tool.parameters, given);
    const firstCursor = cursorFrom(tool, given);
    const ask = this.#askFor(call);
    const { request: template } = tool;
    if (template === undefined) return await nativeOf(tool).run(args, ask);
    const request = renderRequest(template, args, regional(template.regionalUrls, grant));
    if (template.paginate === undefined) return extract((await ask(request)).body, template.extract);
    return await listPages(request, template.paginate, ask, {
      ...(firstCursor === undefined ? {} : { firstCursor }),
      onPage: (page, items) => call.onProgress?.({ progress: page, message: `page ${page}, ${items} items so far` }),
    });
  }

  #askFor({ tool, used, signal }: Call) {
    const { clock } = this.#ports;
    const { source, network } = this.#options;
    const requestMs = network.totalMs ?? DEFAULT_DEADLINES.totalMs ?? LISTING_MS;
    const endsAt = clock.now() + LISTING_MS;
    return openAsk({
      ports: this.#ports,
      manifest: this.#manifest,
      tool,
      source,
      used,
      fetchOptions: () => ({
        network,
        signal,
        deadlines: { totalMs: Math.max(1, Math.min(requestMs, endsAt - clock.now())) },
      }),
    });
  }
}

/** `servedTools` lists no tool that has neither. */
function nativeOf({ name }: HttpTool) {
  const native = nativeTools.get(name);
  if (native === undefined) throw new Error(`${name} has no request`);
  return native;
}

/** The address of the account's region, where the template has one for it (spec 1.6). */
function regional(urls: Readonly<Record<string, string>> | undefined, grant: Grant | undefined): { url?: string } {
  const { region } = grant ?? {};
  const url = region !== undefined && urls !== undefined && Object.hasOwn(urls, region) ? urls[region] : undefined;
  return url === undefined ? {} : { url };
}

/** A provider may echo what it was sent; no credential of this call reaches the agent (AUTH-1). */
function masked(text: string, used: readonly Credential[]): string {
  return used.reduce((clean, credential) => credential.maskIn(clean), text);
}
