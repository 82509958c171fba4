/** The addresses of a name that may be dialled, each judged, in the order to try them; the judgement is kept for a moment. */
import { FermixError } from "../kernel/error.ts";
import type { Dns, Ports } from "../kernel/ports.ts";
import { addressProblem, isV4 } from "./address-policy.ts";

/** Whoever runs the DNS zone controls how many addresses there are; dialling each could take minutes. */
const MAX_ADDRESSES_DIALLED = 4;
/** What was judged is what is dialled, so an old answer is no danger; it must only not outlive a move of the server. */
const KEPT_MS = 30_000;
/**
 * A resolver that answers slowly holds one of the few threads that look names up, and so all other names' lookups: a
 * name that was judged not long ago is then dialled where it was.
 */
const SOON_MS = 1_000;
const OLD_MS = 10 * 60_000;
/** Manifests and redirects of downloads choose the names. */
const MAX_NAMES_KEPT = 256;

interface Judged {
  readonly addresses: readonly string[];
  readonly until: number;
}

interface Known {
  readonly until: number;
  readonly addresses: Promise<readonly string[]>;
  /** What the lookup before gave, for as long as it may stand in for one that takes its time. */
  readonly before: Judged | undefined;
  /** What came of this lookup. */
  judged?: Judged;
  /** The address that answered last: an open connection to it is the fastest way. */
  readonly answered?: string | undefined;
}

const known = new WeakMap<Dns, Map<string, Known>>();
/** Lookups under way. Nothing can end one, so whoever asks for the name again waits for the same one. */
const underWay = new WeakMap<Dns, Map<string, Promise<readonly string[]>>>();

/**
 * Every A and AAAA answer must be public, or the whole name is refused. IPv4 goes first, an IPv6 address second, since
 * a network may carry only one of the two, and before all the address that answered last. Where no answer comes soon,
 * one of the last ten minutes stands in for it. Throws dns_failed or blocked_address, neither of which is remembered.
 */
export async function publicAddresses(ports: Pick<Ports, "dns" | "clock">, host: string): Promise<readonly string[]> {
  const names = known.get(ports.dns) ?? new Map<string, Known>();
  known.set(ports.dns, names);
  const now = ports.clock.now();
  const kept = names.get(host);
  if (kept !== undefined && now < kept.until) return inOrder(await soon(ports.clock, kept, now), kept.answered);
  const fresh: Known = {
    until: now + KEPT_MS,
    addresses: resolve(ports.dns, host),
    before: kept?.judged ?? kept?.before,
    answered: kept?.answered,
  };
  names.delete(host);
  names.set(host, fresh);
  if (names.size > MAX_NAMES_KEPT) forgetOldest(names);
  fresh.addresses.then(
    (addresses) => keepJudged(names, host, fresh, { addresses, until: now + OLD_MS }),
    () => {
      if (names.get(host)?.addresses === fresh.addresses) names.delete(host);
    },
  );
  return inOrder(await soon(ports.clock, fresh, now), fresh.answered);
}

function keepJudged(names: Map<string, Known>, host: string, { addresses }: Known, judged: Judged): void {
  const kept = names.get(host);
  if (kept?.addresses === addresses) kept.judged = judged;
}

/** What the lookup gives, or at once after a second what stands in for it. */
function soon(clock: Ports["clock"], { addresses, before, judged }: Known, now: number): Promise<readonly string[]> {
  if (judged !== undefined || before === undefined || now >= before.until) return addresses;
  const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>();
  const end = clock.after(SOON_MS, () => resolve(before.addresses));
  addresses.then(resolve, reject).finally(end);
  return promise;
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
  const answers = [...new Set(await lookUp(dns, host))];
  if (answers.length === 0) throw new FermixError("dns_failed", { host });
  for (const address of answers) {
    const reason = addressProblem(address);
    if (reason !== undefined) throw new FermixError("blocked_address", { host, address, reason });
  }
  const [firstV4, ...otherV4] = answers.filter(isV4);
  const [firstV6, ...otherV6] = answers.filter((address) => !isV4(address));
  // Four are dialled, and there is time for three that stay silent: neither kind may keep the other out.
  return [firstV4, firstV6, ...otherV4, ...otherV6].filter((address) => address !== undefined);
}

function lookUp(dns: Dns, host: string): Promise<readonly string[]> {
  const running = underWay.get(dns) ?? new Map<string, Promise<readonly string[]>>();
  underWay.set(dns, running);
  const joined = running.get(host);
  if (joined !== undefined) return joined;
  const end = (): boolean => running.delete(host);
  const lookup = dns.lookup(host);
  running.set(host, lookup);
  lookup.then(end, end);
  return lookup;
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
