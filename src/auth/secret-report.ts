/** Tells of each secret of providers, voice and channels whether there is one and where it comes from; never what it is. */
import type { Config } from "../config/config.ts";
import { configKey, type IdPlace, idPlaces, type SecretPlace, secretPlaces } from "../config/secret-places.ts";
import { never } from "../kernel/error.ts";
import { type ResolvedSecret, resolveId, resolveSecret, type SecretDeps, type SecretSource } from "./resolve-secret.ts";

/** One secret, or one id of a channel. */
export interface SecretRow {
  /** Its key in config.toml, such as `fermix_channels.slack.bot_token`. */
  readonly key: string;
  /** False for a channel's own id. */
  readonly secret: boolean;
  /** Whether something that is switched on cannot work without it. */
  readonly wanted: boolean;
  readonly state: ResolvedSecret["state"];
  readonly source: SecretSource | undefined;
  /** What there is, in one clause: `from the variable SLACK_BOT_TOKEN`. */
  readonly detail: string;
  /** "" when there is nothing to do. */
  readonly fix: string;
}

/** How a value gets into the keychain where nobody asks for it. */
const MIGRATE = "`fermix setup --migrate-secrets`";
const CHANNELS = "fermix_channels";

/** A row for every place, channels and providers in the order of the product document's table, telegram and voice after. */
export async function secretReport(deps: SecretDeps, config: Config): Promise<readonly SecretRow[]> {
  const rows: SecretRow[] = [];
  for (const place of secretPlaces) rows.push(secretRow(place, await resolveSecret(deps, config, place)));
  rows.push(...idPlaces.map((place) => idRow(place, resolveId(deps.env, config, place))));
  return rows.map((row) => ({ ...row, wanted: isOfChannelInUse(config, row.key) }));
}

/** Where a secret comes from, as the end of "it comes …". */
export function sourceText(source: SecretSource): string {
  switch (source.kind) {
    case "environment":
      return `from the variable ${source.variable}`;
    case "config":
      return "from config.toml";
    case "keychain":
      return `from the keychain (${source.item})`;
    default:
      return never(source);
  }
}

/** What became of looking for a secret, and what to do about it. */
export function explainSecret(place: SecretPlace, resolved: ResolvedSecret): Pick<SecretRow, "detail" | "fix"> {
  switch (resolved.state) {
    case "found":
      return resolved.source.kind === "config"
        ? { detail: "from config.toml, in clear", fix: MIGRATE }
        : { detail: sourceText(resolved.source), fix: "" };
    case "missing":
      return { detail: "not set", fix: giveIt(place) };
    case "dangling":
      return { detail: `config.toml says @keyring, and the keychain has no ${resolved.item}`, fix: giveIt(place) };
    case "unusable":
      return { detail: `${sourceText(resolved.source)}, but ${resolved.reason}`, fix: giveIt(place) };
    case "unreadable":
      return { detail: resolved.error.message.replace(/\.$/, ""), fix: resolved.error.fix };
    default:
      return never(resolved);
  }
}

function giveIt({ path, variable }: SecretPlace): string {
  const key = path.at(-1) ?? "";
  const stored = `write ${key} under [${configKey(path.slice(0, -1))}] in config.toml, then ${MIGRATE}`;
  return variable === undefined ? stored : `set ${variable}; or ${stored}`;
}

function secretRow(place: SecretPlace, resolved: ResolvedSecret): SecretRow {
  const source = "source" in resolved ? resolved.source : undefined;
  const key = configKey(place.path);
  return { key, secret: true, wanted: false, state: resolved.state, source, ...explainSecret(place, resolved) };
}

function idRow(place: IdPlace, id: ReturnType<typeof resolveId>): SecretRow {
  const row = { key: configKey(place.path), secret: false, wanted: false } as const;
  if (id !== undefined) return { ...row, state: "found", source: id.source, detail: sourceText(id.source), fix: "" };
  const where = `${place.path.at(-1)} under [${configKey(place.path.slice(0, -1))}] in config.toml`;
  return { ...row, state: "missing", source: undefined, detail: "not set", fix: `set ${place.variable}, or ${where}` };
}

/** A variable alone puts no channel to use: the Slack plugin's documentation has people export the channel's. */
function isOfChannelInUse({ channels }: Config, key: string): boolean {
  const [block, name = ""] = key.split(".");
  const channel = block === CHANNELS ? channels.get(name) : undefined;
  return channel !== undefined && channel.enabled !== false;
}
