/** Resolves names with the system's own resolver, so that answers are the ones every other program here gets. */
import type { Dns } from "../kernel/ports.ts";

/** What the resolver says when a name does not exist, has no address, or no server answered (getaddrinfo and c-ares). */
const NO_ANSWER = /^(DNS_E|EAI_|ENOTFOUND$)/;

export const systemDns: Dns = {
  async lookup(host) {
    try {
      // The default backend merges the names of /etc/hosts that share an address.
      const answers = await Bun.dns.lookup(host, { backend: "system" });
      return answers.map(({ address }) => address);
    } catch (error) {
      if (error instanceof Error && "code" in error && NO_ANSWER.test(String(error.code))) return [];
      throw error;
    }
  },
};
