/** What the operator's config says about how Fermix reaches the network; every request carries it. */

export interface NetworkPolicy {
  /**
   * `http://HOST:PORT` or `https://HOST:PORT` that every request goes through. The floor then judges the name alone:
   * the proxy resolves it, and the certificate is still checked for it.
   */
  readonly proxy: string | undefined;
  /** The time one request may take in all, in place of the default. */
  readonly totalMs: number | undefined;
}

/** Without a word in config.toml: no proxy and the default time. */
export const DIRECT: NetworkPolicy = { proxy: undefined, totalMs: undefined };
