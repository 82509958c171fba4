/** Edits config.toml for the plugin verbs, atomically and without losing anything a person wrote (DESIGN decision 12). */
import { access, constants, readlink, realpath, utimes } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { writeAtomically } from "../files/atomic-write.ts";
import { ensureHome } from "../files/ensure-home.ts";
import { withFileLock } from "../files/file-lock.ts";
import { namedFailure } from "../files/fs-failure.ts";
import type { Home } from "../files/home.ts";
import { isThere } from "../files/look.ts";
import { FermixError, hasErrno, isFermixError } from "../kernel/error.ts";
import type { PluginName } from "../kernel/names.ts";
import type { Ports } from "../kernel/ports.ts";
import type { Config } from "./config.ts";
import { parseConfig } from "./read.ts";
import { isTable } from "./schema.ts";
import { addToList, removeFromList, removeKey, setKey } from "./toml-edit.ts";
import { MAX_CONFIG_BYTES, parseToml, readConfigText, withoutMark } from "./toml-text.ts";
import { UnmappedToml } from "./toml-tree.ts";

type Clock = Pick<Ports, "clock">;
type Table = Record<string, unknown>;

const PLUGINS = ["fermix_core", "plugins"] as const;
const ENABLED = [...PLUGINS, "enabled"] as const;

/** Every edit is one read, one rename; whoever waits longer than this waits for something else. */
const LOCK = { attempts: 400, everyMs: 20, staleMs: 60_000 } as const;

/** One change of the document, said twice: as text, and as the values it must then hold. */
export interface Change {
  /** For messages: the key that is edited. */
  readonly key: string;
  readonly text: (text: string) => string;
  readonly meant: (document: Table) => void;
}

export interface EditOptions {
  /** The file's time moves even when its text does not, so that who follows it looks again at what it refers to. */
  readonly touch?: boolean;
}

/**
 * Lists the plugin as enabled, takes back an `enabled = false` and keeps its saved settings (spec 8.5).
 * Throws config_invalid, config_not_editable, config_busy, lock_corrupt, home_unusable or disk_full; then the file is
 * as it was.
 */
export async function enableInConfig(
  ports: Clock,
  home: Home,
  name: PluginName,
  options: { readonly authProfile?: string } = {},
): Promise<void> {
  await edit(ports, home, (config) => {
    const settings = config.plugins.settings.get(name);
    const changes: Change[] = config.plugins.enabled.includes(name) ? [] : [listed(name)];
    if (settings?.get("enabled") === false) changes.push(value(name, "enabled", true));
    if (options.authProfile !== undefined && settings?.get("auth_profile") === undefined) {
      changes.push(value(name, "auth_profile", options.authProfile));
    }
    return changes;
  });
}

/** Takes the plugin off the list and marks it `enabled = false`; its settings stay (spec 8.5). Throws as enableInConfig. */
export async function disableInConfig(ports: Clock, home: Home, name: PluginName): Promise<void> {
  await edit(ports, home, (config) => [
    ...(config.plugins.enabled.includes(name) ? [unlisted(name)] : []),
    ...(config.plugins.settings.get(name)?.get("enabled") === false ? [] : [value(name, "enabled", false)]),
  ]);
}

/** Stores one value in the plugin's table; whether the key is declared is the caller's to judge. Throws as enableInConfig. */
export async function setPluginValue(
  ports: Clock,
  home: Home,
  name: PluginName,
  key: string,
  to: string | boolean,
): Promise<void> {
  await edit(ports, home, (config) =>
    config.plugins.settings.get(name)?.get(key) === to ? [] : [value(name, key, to)],
  );
}

function value(name: PluginName, key: string, to: string | boolean): Change {
  return setAt([...PLUGINS, name, key], to);
}

/** The change that gives the key at `path` this value, tables made where needed. */
export function setAt(path: readonly string[], to: string | boolean): Change {
  const key = path.at(-1) ?? "";
  return {
    key: path.join("."),
    text: (text) => setKey(text, path, to),
    meant: (document) => {
      tableAt(document, path.slice(0, -1))[key] = to;
    },
  };
}

/** The change that takes the key at `path` away; a comment behind it stays. */
export function removedAt(path: readonly string[]): Change {
  return {
    key: path.join("."),
    text: (text) => removeKey(text, path),
    meant: (document) => {
      dropAt(document, path);
    },
  };
}

function dropAt(table: Table, [key = "", ...rest]: readonly string[]): void {
  if (rest.length === 0) delete table[key];
  else if (isTable(table[key])) dropAt(table[key], rest);
}

function listed(name: PluginName): Change {
  return {
    key: ENABLED.join("."),
    text: (text) => addToList(text, ENABLED, name),
    meant: (document) => {
      const plugins = tableAt(document, PLUGINS);
      plugins["enabled"] = [...listIn(plugins), name];
    },
  };
}

function unlisted(name: PluginName): Change {
  return {
    key: ENABLED.join("."),
    text: (text) => removeFromList(text, ENABLED, name),
    meant: (document) => {
      const plugins = tableAt(document, PLUGINS);
      plugins["enabled"] = listIn(plugins).filter((there) => there !== name);
    },
  };
}

function listIn(plugins: Table): readonly unknown[] {
  return Array.isArray(plugins["enabled"]) ? plugins["enabled"] : [];
}

/** The table at a path of a document that passed the config schema, made when absent. */
function tableAt(document: Table, path: readonly string[]): Table {
  let table = document;
  for (const part of path) {
    // Made as the parser makes them, so that the comparison is exact.
    table[part] ??= Object.create(Object.getPrototypeOf(document));
    table = table[part] as Table;
  }
  return table;
}

/**
 * Applies the changes that `changesFor` finds needed, under the file's lock: one read, one rename. Throws as
 * enableInConfig.
 */
export async function edit(
  ports: Clock,
  home: Home,
  changesFor: (config: Config) => readonly Change[],
  { touch = false }: EditOptions = {},
): Promise<void> {
  await ensureHome(home);
  const path = await targetOf(home.configFile);
  const busy = () => new FermixError("config_busy", { path });
  await withFileLock(ports, `${path}.lock`, { ...LOCK, busy }, async () => {
    const before = readConfigText(path) ?? "";
    const changes = changesFor(await parseConfig(before, path));
    const after = changes.reduce((text, change) => apply(text, change, path), before);
    if (after === before) return touch ? await touchFile(ports, path) : undefined;
    assertStaysReadable(after, path, changes);
    await assertWritable(path);
    await writeAtomically(path, after);
  });
}

/** A file that is not ours to touch is passed over: whoever follows it looks now and then all the same. */
async function touchFile({ clock }: Clock, path: string): Promise<void> {
  const now = new Date(clock.now());
  try {
    await utimes(path, now, now);
  } catch (cause) {
    if (!hasErrno(cause, "ENOENT", "EPERM", "EACCES", "EROFS")) throw namedFailure(path, cause);
  }
}

/** Where a config.toml that is a link really lies: the link stays and its target is edited. */
async function targetOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (cause) {
    if (!hasErrno(cause, "ENOENT")) throw namedFailure(path, cause);
  }
  try {
    const target = resolve(dirname(path), await readlink(path));
    if (isThere(dirname(target))) return target;
  } catch (cause) {
    if (hasErrno(cause, "ENOENT", "EINVAL")) return path;
    throw namedFailure(path, cause);
  }
  throw new FermixError("home_unusable", { path, reason: "it is a link into a folder that does not exist" });
}

/** An edit must not make the file one that Fermix itself refuses to read. */
function assertStaysReadable(text: string, path: string, [change]: readonly Change[]): void {
  if (Buffer.byteLength(text) <= MAX_CONFIG_BYTES) return;
  const key = change?.key ?? PLUGINS.join(".");
  throw new FermixError("config_not_editable", { path, key, reason: "the file would be over 1 MiB" });
}

/** A rename would replace a file that its owner made read-only; that wish is respected. */
async function assertWritable(path: string): Promise<void> {
  try {
    await access(path, constants.W_OK);
  } catch (cause) {
    if (!hasErrno(cause, "ENOENT")) throw namedFailure(path, cause);
  }
}

/** Without empty tables, which mean nothing here: whether one stays when its last key goes depends on its spelling. */
function filled(table: Table): Table {
  const entries = Object.entries(table).map(([key, value]) => [key, isTable(value) ? filled(value) : value] as const);
  return Object.fromEntries(entries.filter(([, value]) => !isTable(value) || Object.keys(value).length > 0));
}

/** Applies one change and proves it: the new text must hold exactly the values that were meant. */
function apply(text: string, change: Change, path: string): string {
  const mark = text.slice(0, text.length - withoutMark(text).length);
  const meant = parseToml(text, path);
  change.meant(meant);
  let reason = "the result would not say what is meant";
  try {
    const edited = change.text(withoutMark(text));
    if (isDeepStrictEqual(filled(parseToml(edited, path)), filled(meant))) return mark + edited;
  } catch (cause) {
    if (cause instanceof UnmappedToml) reason = "its spelling is not understood well enough to edit it";
    else if (isFermixError(cause, "config_invalid")) reason = "the result would not be TOML";
    else throw cause;
  }
  throw new FermixError("config_not_editable", { path, key: change.key, reason });
}
