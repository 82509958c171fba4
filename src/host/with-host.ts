/** A host for one piece of work: sessions settled before it, and nothing left of them after it. */
import type { App } from "../plugins/app.ts";
import { type Host, type HostOptions, openHost } from "./host.ts";

/** A server has five attempts with 7.5 s of pauses between them (spec 4); a person waits that long, not for ever. */
const SETTLE_WITHIN_MS = 15_000;

/** Runs the work on a host of its own. Throws the fault that keeps every plugin from loading (DECISIONS 10). */
export async function withHost<T>(app: App, options: HostOptions, work: (host: Host) => T | Promise<T>): Promise<T> {
  const host = await openHost(app, options);
  try {
    const fault = host.fault();
    if (fault !== undefined) throw fault;
    await host.settled(SETTLE_WITHIN_MS);
    return await work(host);
  } finally {
    await host.close();
  }
}
