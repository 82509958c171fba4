/**
 * One process of a race: `refresh-child.ts ROOT PORT WHAT PROFILE...`. It says `ready`, waits for a line on stdin, does
 * WHAT for every profile at once, and says what came of each as a line of JSON.
 */
import { withProfileLock } from "../../src/auth/auth-file-lock.ts";
import { changeEntry } from "../../src/auth/change-entry.ts";
import { openTokenSource } from "../../src/auth/token-source.ts";
import { homeAt } from "../../src/files/home.ts";
import { isFermixError } from "../../src/kernel/error.ts";
import { loopbackPorts } from "./loopback.ts";
import { pluginOf } from "./sign-in-lab.ts";

const [root = "", port = "", what = "", ...profiles] = process.argv.slice(2);

function die(): void {
  process.kill(process.pid, "SIGKILL");
}

const home = homeAt(root);
const ports = loopbackPorts(Number(port), what === "die-before-storing" ? die : undefined);

async function act(profile: string): Promise<string> {
  if (what === "sign-out") {
    await withProfileLock(ports, home, profile, () => changeEntry(ports, home, profile, () => "remove"));
    return "signed out";
  }
  const source = openTokenSource({ ports, home }, { ...pluginOf(), profile });
  const { credential } = await source.current();
  if (what === "die-after") die();
  return credential.headerValue("Bearer");
}

process.stdout.write("ready\n");
await process.stdin[Symbol.asyncIterator]().next();
const said = await Promise.all(
  profiles.map((profile) =>
    act(profile).catch((error: unknown) => {
      if (!isFermixError(error)) throw error;
      return error.code;
    }),
  ),
);
await Bun.write(Bun.stdout, JSON.stringify(said));
process.exit(0);
