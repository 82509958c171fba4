/** Lets the newest of several sign-ins have a provider's only port: whoever waits there looks whether another one claimed it. */
import { readFileSync, rmSync } from "node:fs";
import { writeAtomically } from "../../files/atomic-write.ts";
import { namedFailure } from "../../files/fs-failure.ts";
import type { Home } from "../../files/home.ts";
import { hasErrno } from "../../kernel/error.ts";
import type { Ports } from "../../kernel/ports.ts";

/** How often one that waits looks; whoever takes over is patient for several looks. */
const LOOK_EVERY_MS = 150;
const ID_BYTES = 16;

export interface Claim {
  /** Calls once, when another sign-in with the same provider claims the port; returns what ends the looking. */
  onLost(run: () => void): () => void;
  /** Removes the claim, unless it is another's by now. */
  release(): void;
}

/** Whether a sign-in with this provider said that it waits at the port; one that was killed may have left its word there. */
export function isClaimed(home: Home, port: number, provider: string): boolean {
  return contentAt(home.signInClaim(port))?.endsWith(` ${provider}`) === true;
}

/** Says that this sign-in has the port, or wants it. Throws disk_full or home_unusable. */
export async function claim(
  { clock, random }: Pick<Ports, "clock" | "random">,
  home: Home,
  port: number,
  provider: string,
): Promise<Claim> {
  const path = home.signInClaim(port);
  const mine = `${random.hex(ID_BYTES)} ${provider}`;
  await writeAtomically(path, mine);
  return {
    onLost(run) {
      let stop = (): void => undefined;
      const look = (): void => {
        const now = contentAt(path);
        if (now !== undefined && now !== mine) run();
        else stop = clock.after(LOOK_EVERY_MS, look);
      };
      look();
      return () => stop();
    },
    release() {
      if (contentAt(path) === mine) rmSync(path, { force: true });
    },
  };
}

function contentAt(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    if (hasErrno(cause, "ENOENT")) return undefined;
    throw namedFailure(path, cause);
  }
}
