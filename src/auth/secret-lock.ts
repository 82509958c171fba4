/** One writer of secrets at a time, so that the keychain and what config.toml says of it change together (CASE-55). */
import { join } from "node:path";
import { ensureHome } from "../files/ensure-home.ts";
import { withFileLock } from "../files/file-lock.ts";
import type { Home } from "../files/home.ts";
import { FermixError } from "../kernel/error.ts";
import type { Ports } from "../kernel/ports.ts";

/** As long as somebody may take to unlock the keychain, and as dozens of writers take one after another. */
const PATIENCE = { attempts: 700, everyMs: 150, staleMs: 120_000 } as const;

/**
 * Runs the work as the only one, of all processes, that changes a secret of this home; not reentrant. Throws secrets_busy,
 * or what ensureHome and withFileLock throw.
 */
export async function withSecretLock<T>(ports: Pick<Ports, "clock">, home: Home, work: () => Promise<T>): Promise<T> {
  await ensureHome(home);
  const path = join(home.root, "secrets.lock");
  return await withFileLock(ports, path, { ...PATIENCE, busy: () => new FermixError("secrets_busy", { path }) }, work);
}
