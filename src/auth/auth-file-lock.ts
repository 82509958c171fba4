/** Who may touch the sign-ins: one writer of auth.json, and one that refreshes, signs in or signs out a profile (spec 8.1). */
import { type LockOptions, withFileLock } from "../files/file-lock.ts";
import type { Home } from "../files/home.ts";
import { FermixError } from "../kernel/error.ts";
import type { Ports } from "../kernel/ports.ts";

const FILE_PATIENCE = { attempts: 80, everyMs: 100, staleMs: 5000 } as const;
const PROFILE_PATIENCE = { attempts: 100, everyMs: 100, staleMs: 120_000 } as const;

/** Runs the work as the only writer of auth.json; not reentrant. Throws auth_file_busy, or what `withFileLock` throws. */
export async function withAuthFileLock<T>(ports: Pick<Ports, "clock">, home: Home, work: () => Promise<T>): Promise<T> {
  const busy = () => new FermixError("auth_file_busy", { path: home.authFile });
  return await withFileLock(ports, `${home.authFile}.lock`, { ...FILE_PATIENCE, busy } satisfies LockOptions, work);
}

/**
 * Runs the work as the only one, of all processes, that refreshes, signs in or signs out this profile. It is taken
 * before the file's lock, never after, and is not reentrant. `attempts`: how often it is tried, ten times a second.
 * Throws profile_busy, or what `withFileLock` throws.
 */
export async function withProfileLock<T>(
  ports: Pick<Ports, "clock">,
  home: Home,
  profile: string,
  work: () => Promise<T>,
  attempts: number = PROFILE_PATIENCE.attempts,
): Promise<T> {
  const busy = () => new FermixError("profile_busy", { profile });
  return await withFileLock(ports, profileLockPath(home, profile), { ...PROFILE_PATIENCE, attempts, busy }, work);
}

/** The lock file of one profile; the ecosystem's own programs take the same one. */
export function profileLockPath(home: Home, profile: string): string {
  return `${home.authFile}.${Buffer.from(profile).toString("base64url")}.lock`;
}
