/** Asks the Secret Service itself what Bun.secrets does not tell: whether the default keyring is locked, and to unlock it. */
import { dlopen, FFIType, ptr } from "bun:ffi";

/** A `GList` of one: data, next, previous. */
const LIST_BYTES = 24;

/**
 * How the default keyring is; "unmade" where its user has not made one, as on a server, and "none" where libsecret or its
 * service is not to be had.
 */
export function keyringLock(): "open" | "locked" | "unmade" | "none" {
  const libsecret = openLibsecret();
  const service = libsecret?.secret_service_get_sync(0, null, null) ?? null;
  if (libsecret === undefined || service === null) return "none";
  const collection = defaultCollection(libsecret, service);
  if (collection === null) return "unmade";
  return libsecret.secret_collection_get_locked(collection) === 0 ? "open" : "locked";
}

/** Lets the keyring ask its user, and waits for that; whether it is open now. */
export function unlockKeyring(): boolean {
  const libsecret = openLibsecret();
  const service = libsecret?.secret_service_get_sync(0, null, null) ?? null;
  if (libsecret === undefined || service === null) return false;
  const collection = defaultCollection(libsecret, service);
  if (collection === null) return false;
  const list = Buffer.alloc(LIST_BYTES);
  list.writeBigUInt64LE(BigInt(collection));
  return libsecret.secret_service_unlock_sync(service, ptr(list), null, null, null) > 0;
}

type Libsecret = NonNullable<ReturnType<typeof openLibsecret>>;

type Handle = ReturnType<Libsecret["secret_service_get_sync"]>;

function defaultCollection(libsecret: Libsecret, service: Handle): Handle {
  return libsecret.secret_collection_for_alias_sync(service, Buffer.from("default\0"), 0, null, null);
}

function openLibsecret() {
  const { i32, ptr: pointer, cstring } = FFIType;
  try {
    return dlopen("libsecret-1.so.0", {
      secret_service_get_sync: { args: [i32, pointer, pointer], returns: pointer },
      secret_collection_for_alias_sync: { args: [pointer, cstring, i32, pointer, pointer], returns: pointer },
      secret_collection_get_locked: { args: [pointer], returns: i32 },
      secret_service_unlock_sync: { args: [pointer, pointer, pointer, pointer, pointer], returns: i32 },
    }).symbols;
  } catch {
    // Bun.secrets needs the same library and tells in its own words that it is missing.
    return undefined;
  }
}
