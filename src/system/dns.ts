/** Resolves names with the system's own resolver, so that answers are the ones every other program here gets. */
import { hasErrno } from "../kernel/error.ts";
import type { Dns } from "../kernel/ports.ts";

/** What the resolver says when a name does not exist, has no address, or no server answered. */
const NO_ANSWER = [
  "DNS_ENOTFOUND",
  "DNS_ENODATA",
  "DNS_ESERVFAIL",
  "DNS_ETIMEOUT",
  "DNS_EREFUSED",
  "DNS_ECONNREFUSED",
  "ENOTFOUND",
];

export const systemDns: Dns = {
  async lookup(host) {
    try {
      // The default backend merges the names of /etc/hosts that share an address.
      const answers = await Bun.dns.lookup(host, { backend: "system" });
      return answers.map(({ address }) => address);
    } catch (error) {
      if (hasErrno(error, ...NO_ANSWER)) return [];
      throw error;
    }
  },
};
