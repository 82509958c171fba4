/** At most eight requests at once to one host: the rest wait their turn (DECISIONS 16). */
import type { Watch } from "./deadlines.ts";

/** Providers and artifact hosts block callers that open many connections at once. */
export const MAX_REQUESTS_PER_HOST = 8;

interface Host {
  active: number;
  readonly waiting: (() => void)[];
}

const hosts = new Map<string, Host>();

/** Waits for a free slot of `host`; the returned function gives it back. Rejects with the reason the watch was stopped for. */
export async function takeSlot(host: string, watch: Watch): Promise<() => void> {
  if (watch.stopped !== undefined) throw watch.stopped.reason;
  const entry = hosts.get(host) ?? { active: 0, waiting: [] };
  if (entry.active === 0) hosts.set(host, entry);
  if (entry.active < MAX_REQUESTS_PER_HOST) entry.active += 1;
  else await turn(entry, watch);
  let given = false;
  return () => {
    if (given) return;
    given = true;
    const next = entry.waiting.shift();
    if (next !== undefined) next();
    else entry.active -= 1;
    if (entry.active === 0) hosts.delete(host);
  };
}

/** Resolves when a finished request hands its slot on. */
function turn(entry: Host, watch: Watch): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const go = (): void => {
    end();
    resolve();
  };
  const end = watch.onStop((reason) => {
    entry.waiting.splice(entry.waiting.indexOf(go), 1);
    reject(reason);
  });
  entry.waiting.push(go);
  return promise;
}
