/** What config.toml says once read (spec 8.5): types only; `read.ts` is the one maker. */
import type { NetworkPolicy } from "../egress/network-policy.ts";
import type { PluginName } from "../kernel/names.ts";

/** The values of one `[fermix_core.plugins.<name>]`: UPPER_SNAKE settings and lower-case plumbing such as `enabled`. */
export type PluginSettings = ReadonlyMap<string, string | boolean | number>;

export interface OauthClient {
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** Where the provider sends the browser back to, where that is not the provider's usual address (spec 8.2). */
  readonly redirectHost?: string;
  readonly redirectPort?: number;
}

/** `[fermix_core.providers.<name>]`, but for its key. */
interface ProviderSettings {
  /** `oauth`: the sign-in in auth.json is used; anything else, and nothing, means the API key. */
  readonly authMode?: string;
}

/** `[fermix_channels.<name>]`, but for its secrets. */
interface ChannelSettings {
  /** undefined: not said. */
  readonly enabled?: boolean;
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
  /** By name: `[fermix_core.providers.<name>]`. */
  readonly providers: ReadonlyMap<string, ProviderSettings>;
  /** `[fermix_core.transcription]`: the service that voice notes go to. */
  readonly transcription: { readonly backend?: string };
  /** `[fermix_core.realtime]`. */
  readonly realtime: { readonly enabled: boolean };
  /** By name: `[fermix_channels.<name>]`. */
  readonly channels: ReadonlyMap<string, ChannelSettings>;
  /** What stands at each place of secret-places.ts that is filled, by `configKey`: a value, or the sentinel. */
  readonly secrets: ReadonlyMap<string, string>;
  /** The same for the channels' own ids, which are no secrets. */
  readonly ids: ReadonlyMap<string, string>;
}
