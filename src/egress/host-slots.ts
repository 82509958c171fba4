/** At most eight requests at once to one host: the rest wait their turn (DECISIONS 16). */

/** Providers and artifact hosts block callers that open many connections at once. */
export const MAX_REQUESTS_PER_HOST = 8;

interface Host {
  active: number;
  readonly waiting: (() => void)[];
}

const hosts = new Map<string, Host>();

/** Waits for a free slot of `host`; the returned function gives it back. Rejects with the signal's reason when aborted. */
export async function takeSlot(host: string, signal: AbortSignal): Promise<() => void> {
  signal.throwIfAborted();
  const entry = hosts.get(host) ?? { active: 0, waiting: [] };
  hosts.set(host, entry);
  if (entry.active < MAX_REQUESTS_PER_HOST) entry.active += 1;
  else await turn(entry, signal);
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
function turn(entry: Host, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const leave = (): void => {
    entry.waiting.splice(entry.waiting.indexOf(go), 1);
    reject(signal.reason);
  };
  const go = (): void => {
    signal.removeEventListener("abort", leave);
    resolve();
  };
  signal.addEventListener("abort", leave, { once: true });
  entry.waiting.push(go);
  return promise;
}
