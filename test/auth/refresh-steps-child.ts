/**
 * Run with test/lab/disk-changes.ts preloaded: `refresh-steps-child.ts BASE`. Leaves in BASE: `after`, a home whose sign-in
 * was refreshed; `killed/N`, what a kill before the Nth disk change of that leaves; and prints, for each N, what two uses
 * said when the Nth disk change failed, and how often the provider was asked.
 */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openTokenSource } from "../../src/auth/token-source.ts";
import { homeAt } from "../../src/files/home.ts";
import { isFermixError } from "../../src/kernel/error.ts";
import { reply } from "../fakes/http.ts";
import { placeSignIn } from "../lab/auth-file.ts";
import { diskChanges } from "../lab/disk-changes.ts";
import { loopbackPorts } from "./loopback.ts";
import { CLIENT, GRANTED, pluginOf } from "./sign-in-lab.ts";

const [base] = process.argv.slice(2);
if (base === undefined) throw new Error("BASE is missing");
const disk = diskChanges();

function homeIn(root: string) {
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, "config.toml"), CLIENT);
  placeSignIn(root, "gmail:primary", { accessToken: "access-1", refreshToken: "refresh-1", endsInSeconds: -60 });
  let asked = 0;
  const http = {
    send: async () => {
      asked += 1;
      return reply(200, JSON.stringify(GRANTED));
    },
  };
  const source = openTokenSource({ ports: { ...loopbackPorts(0), http }, home: homeAt(root) }, pluginOf());
  const use = async (): Promise<string> => {
    try {
      return (await source.current()).credential.headerValue("Bearer");
    } catch (error) {
      if (!isFermixError(error)) throw error;
      return error.code;
    }
  };
  return { use, asked: () => asked };
}

const whole = join(base, "after");
const { use } = homeIn(whole);
disk.made = 0;
disk.copy = { from: whole, into: join(base, "killed") };
await use();
disk.copy = undefined;
const changes = disk.made;

const said: unknown[] = [];
for (let at = 1; at <= changes; at += 1) {
  const root = join(base, "failed", String(at));
  const disturbed = homeIn(root);
  disk.made = 0;
  disk.failAt = at;
  const first = await disturbed.use();
  disk.failAt = 0;
  said.push({ first, second: await disturbed.use(), asked: disturbed.asked() });
}
cpSync(whole, join(base, "killed", String(changes + 1)), { recursive: true });
process.stdout.write(JSON.stringify(said));
