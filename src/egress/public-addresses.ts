/** The addresses of a name that may be dialled, each judged, in the order to try them; the judgement is kept for a moment. */
import { FermixError } from "../kernel/error.ts";
import type { Dns, Ports } from "../kernel/ports.ts";
import { addressProblem, isV4 } from "./address-policy.ts";

/** Whoever runs the DNS zone controls how many addresses there are; dialling each could take minutes. */
const MAX_ADDRESSES_DIALLED = 4;
/** What was judged is what is dialled, so an old answer is no danger; it must only not outlive a move of the server. */
const KEPT_MS = 30_000;
/** Manifests and redirects of downloads choose the names. */
const MAX_NAMES_KEPT = 256;

interface Known {
  readonly until: number;
  readonly addresses: Promise<readonly string[]>;
  /** The address that answered last: an open connection to it is the fastest way. */
  readonly answered?: string | undefined;
}

const known = new WeakMap<Dns, Map<string, Known>>();

/**
 * Every A and AAAA answer must be public, or the whole name is refused. IPv4 goes first, and before all the address
 * that answered last. Throws dns_failed or blocked_address, neither of which is remembered.
 */
export async function publicAddresses(ports: Pick<Ports, "dns" | "clock">, host: string): Promise<readonly string[]> {
  const names = known.get(ports.dns) ?? new Map<string, Known>();
  known.set(ports.dns, names);
  const now = ports.clock.now();
  const kept = names.get(host);
  if (kept !== undefined && now < kept.until) return inOrder(await kept.addresses, kept.answered);
  const fresh = { until: now + KEPT_MS, addresses: resolve(ports.dns, host), answered: kept?.answered };
  names.delete(host);
  names.set(host, fresh);
  if (names.size > MAX_NAMES_KEPT) forgetOldest(names);
  try {
    return inOrder(await fresh.addresses, fresh.answered);
  } catch (cause) {
    if (names.get(host) === fresh) names.delete(host);
    throw cause;
  }
}

/** Remembers which address answered. */
export function rememberAnswer({ dns }: Pick<Ports, "dns">, host: string, answered: string): void {
  const names = known.get(dns);
  const kept = names?.get(host);
  if (kept !== undefined && kept.answered !== answered) names?.set(host, { ...kept, answered });
}

/** Forgets a name that could not be reached, so that the next request resolves it anew. */
export function forgetAddresses({ dns }: Pick<Ports, "dns">, host: string): void {
  known.get(dns)?.delete(host);
}

async function resolve(dns: Dns, host: string): Promise<readonly string[]> {
  const answers = [...new Set(await dns.lookup(host))];
  if (answers.length === 0) throw new FermixError("dns_failed", { host });
  for (const address of answers) {
    const reason = addressProblem(address);
    if (reason !== undefined) throw new FermixError("blocked_address", { host, address, reason });
  }
  return [...answers.filter(isV4), ...answers.filter((address) => !isV4(address))];
}

function inOrder(addresses: readonly string[], answered: string | undefined): readonly string[] {
  const first = answered !== undefined && addresses.includes(answered) ? [answered] : [];
  return [...first, ...addresses.filter((address) => address !== first[0])].slice(0, MAX_ADDRESSES_DIALLED);
}

function forgetOldest(names: Map<string, Known>): void {
  for (const name of names.keys()) {
    names.delete(name);
    return;
  }
}
