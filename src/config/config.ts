/** What config.toml says once read (spec 8.5): types only; `read.ts` is the one maker. */
import type { NetworkPolicy } from "../egress/network-policy.ts";
import type { PluginName } from "../kernel/names.ts";

/** The values of one `[fermix_core.plugins.<name>]`: UPPER_SNAKE settings and lower-case plumbing such as `enabled`. */
export type PluginSettings = ReadonlyMap<string, string | boolean | number>;

export interface OauthClient {
  readonly clientId?: string;
  readonly clientSecret?: string;
}

export interface Config {
  readonly profile?: string;
  readonly plugins: {
    /** As listed, each once; a plugin whose settings hold `enabled = false` is off all the same. */
    readonly enabled: readonly PluginName[];
    readonly devLocal?: string;
    readonly artifactMirror?: string;
    readonly settings: ReadonlyMap<PluginName, PluginSettings>;
  };
  /** `[fermix_core.http]`. */
  readonly network: NetworkPolicy;
  /** By provider: `[fermix_core.oauth.<provider>]`. */
  readonly oauth: ReadonlyMap<string, OauthClient>;
  /** `[fermix_core.plugin_secrets]`: the sentinel, or a reference. */
  readonly pluginSecrets: ReadonlyMap<PluginName, string>;
}
