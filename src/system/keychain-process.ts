/** The process that asks the keychain and may hang there: questions on stdin, answers on stdout, ended from outside. */
import { dlopen, FFIType } from "bun:ffi";

export interface Asked {
  /** As Bun.secrets names them. */
  readonly items: readonly { readonly service: string; readonly name: string }[];
}

export interface Told {
  /** One for each item. */
  readonly values: readonly (string | null)[];
  readonly locked?: boolean;
  /** Why the keychain could not be asked. */
  readonly error?: string;
}

/** What Bun.secrets calls a keychain that would first have to ask its user. */
const LOCKED_CODES: ReadonlySet<unknown> = new Set([
  "ERR_SECRETS_INTERACTION_NOT_ALLOWED",
  "ERR_SECRETS_INTERACTION_REQUIRED",
  "ERR_SECRETS_AUTH_FAILED",
  "ERR_SECRETS_USER_CANCELED",
]);

/** Answers one question and ends. */
export async function answerFromKeychain(): Promise<void> {
  const asked = JSON.parse(await Bun.stdin.text()) as Asked;
  await Bun.write(Bun.stdout, JSON.stringify(await lookUp(asked)));
}

async function lookUp({ items }: Asked): Promise<Told> {
  // Asked first: Bun.secrets says null for every item of a locked keyring, after a try to have its user unlock it.
  if (process.platform === "linux" && isLocked()) return { values: [], locked: true };
  const values: (string | null)[] = [];
  try {
    for (const item of items) values.push((await Bun.secrets.get(item)) ?? null);
  } catch (cause) {
    const { code, message } = cause as { code?: unknown; message: string };
    if (LOCKED_CODES.has(code) || /\blocked\b/i.test(message)) return { values: [], locked: true };
    return { values: [], error: message };
  }
  return { values };
}

/** Whether the default collection exists and is locked; false too where libsecret or its service is not to be had. */
function isLocked(): boolean {
  const libsecret = openLibsecret();
  const service = libsecret?.secret_service_get_sync(0, null, null) ?? null;
  if (libsecret === undefined || service === null) return false;
  const collection = libsecret.secret_collection_for_alias_sync(service, Buffer.from("default\0"), 0, null, null);
  return collection !== null && libsecret.secret_collection_get_locked(collection) !== 0;
}

function openLibsecret() {
  const { i32, ptr, cstring } = FFIType;
  try {
    return dlopen("libsecret-1.so.0", {
      secret_service_get_sync: { args: [i32, ptr, ptr], returns: ptr },
      secret_collection_for_alias_sync: { args: [ptr, cstring, i32, ptr, ptr], returns: ptr },
      secret_collection_get_locked: { args: [ptr], returns: i32 },
    }).symbols;
  } catch {
    // Bun.secrets needs the same library and tells in its own words that it is missing.
    return undefined;
  }
}
