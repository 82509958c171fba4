/** A network in which every address answers, with a hostile API and a hostile DNS: what Fermix dials there is counted. */
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newAuthority, selfSigned } from "../../forge/certificate.ts";
import { HOSTILE_ADDRESSES, spellings } from "../../forge/hostile-addresses.ts";
import type { DnsName, DnsQuery, DnsScript } from "../dns-server.ts";
import { HttpHome } from "../http-home.ts";
import { LineServer } from "../line-server.ts";
import { Lab, SERVER_ADDRESS, SERVER_ADDRESS_V6 } from "../network.ts";
import type { AnswerSetup, Asked, Closed } from "./answer-server.ts";
import { hostilePlugin } from "./http-plugin.ts";

/** The API that `answers.ts` describes. */
const ANSWERS_HOST = "answers.fermix.test";

/** Names with a certificate that must not be believed, and what the refusal says of each. */
export const BAD_CERTIFICATES: Readonly<Record<string, readonly [reason: RegExp, fault: "time" | "identity"]>> = {
  "wrong-name.fermix.test": [/altnames/, "identity"],
  "wildcard.deep.fermix.test": [/altnames/, "identity"],
  "expired.fermix.test": [/expired/, "time"],
  "not-yet.fermix.test": [/not yet valid/, "time"],
  "self-signed.fermix.test": [/self.signed/, "identity"],
  "unknown-root.fermix.test": [/unable to (get|verify)/, "identity"],
};

/** Public addresses where nobody listens; more of them than are dialled. */
const DEAF = ["93.184.216.41", "93.184.216.42", "93.184.216.43", "93.184.216.44", "93.184.216.45"];
const DEAF_V6 = "2606:2800:220:1:248:1893:25c8:2000";

/** Names whose answers come from the DNS server, besides one for each kind of hostile address. */
const NAMES: DnsScript = {
  "rebind.fermix.test": { A: [[SERVER_ADDRESS], ["127.0.0.1"]] },
  "mixed.fermix.test": { A: [[SERVER_ADDRESS, "10.0.0.1"]] },
  "mixed-families.fermix.test": { A: [[SERVER_ADDRESS]], AAAA: [["fd00::1"]] },
  "v6-only.fermix.test": { AAAA: [[SERVER_ADDRESS_V6]] },
  "v4-refuses.fermix.test": { A: [DEAF], AAAA: [[SERVER_ADDRESS_V6]] },
  "v6-refuses.fermix.test": { A: [[SERVER_ADDRESS]], AAAA: [[DEAF_V6]] },
  "most-refuse.fermix.test": { A: [[...DEAF.slice(0, 2), SERVER_ADDRESS]], AAAA: [[DEAF_V6]] },
  "nowhere.fermix.test": {},
  "broken.fermix.test": { A: ["servfail"], AAAA: ["servfail"] },
  "silent.fermix.test": { A: ["silence"], AAAA: ["silence"] },
};

/** The name of the DNS server's that resolves to an address of this kind. */
export function nameOf(kind: string): string {
  return `${kind.replaceAll("_", "-")}.hostile.fermix.test`;
}

/** Starts it; every address of both families leads to this namespace's own loopback. */
export async function openHostileLab(): Promise<HostileLab> {
  const network = new Lab([ANSWERS_HOST, ...Object.keys(BAD_CERTIFICATES)]);
  try {
    for (const family of ["-4", "-6"]) {
      const words = ["ip", family, "route", "add", "local", family === "-4" ? "0.0.0.0/0" : "::/0", "dev", "lo"];
      const { exitCode, stderr } = Bun.spawnSync([...network.inside, ...words], { stderr: "pipe" });
      if (exitCode !== 0) throw new Error(`${words.join(" ")}: ${stderr.toString()}`);
    }
    const setup: AnswerSetup = {
      addresses: [SERVER_ADDRESS, SERVER_ADDRESS_V6, "127.0.0.1", "::1"],
      identities: identitiesOf(network),
      locations: Object.fromEntries(
        HOSTILE_ADDRESSES.map(({ kind, address }) => [kind, `https://${spellings(address)[0]}/`]),
      ),
    };
    const server = await start<Asked | Closed>(network, "hostile/answer-server.ts", setup);
    const dns = await start<DnsQuery>(network, "dns-server.ts", { ...NAMES, ...hostileNames() });
    return new HostileLab(network, server, dns);
  } catch (error) {
    network[Symbol.dispose]();
    throw error;
  }
}

function hostileNames(): DnsScript {
  return Object.fromEntries(
    HOSTILE_ADDRESSES.map(({ kind, address }): [string, DnsName] => [
      nameOf(kind),
      { [address.includes(":") ? "AAAA" : "A"]: [[address]] },
    ]),
  );
}

function identitiesOf(network: Lab): AnswerSetup["identities"] {
  const authority = newAuthority();
  appendFileSync(network.caFile, authority.certificate);
  const sound = [ANSWERS_HOST, ...Object.keys(NAMES), ...HOSTILE_ADDRESSES.map(({ kind }) => nameOf(kind))];
  return {
    ...Object.fromEntries(sound.map((name) => [name, authority.issue(name)])),
    "wrong-name.fermix.test": authority.issue("another.fermix.test"),
    "wildcard.deep.fermix.test": authority.issue("*.fermix.test"),
    "expired.fermix.test": authority.issueFor({ from: "200101", until: "210101" }, "expired.fermix.test"),
    "not-yet.fermix.test": authority.issueFor({ from: "480101", until: "490101" }, "not-yet.fermix.test"),
    "self-signed.fermix.test": selfSigned("self-signed.fermix.test"),
    "unknown-root.fermix.test": newAuthority("nobody knows it").issue("unknown-root.fermix.test"),
  };
}

async function start<Fact>(network: Lab, script: string, setup: unknown): Promise<LineServer<Fact>> {
  const path = join(import.meta.dirname, "..", script);
  return await LineServer.start<Fact>([...network.inside, process.execPath, path, JSON.stringify(setup)]);
}

export class HostileLab implements Disposable {
  readonly network: Lab;
  private readonly server: LineServer<Asked | Closed>;
  private readonly dns: LineServer<DnsQuery>;
  private facts: (Asked | Closed)[] = [];

  constructor(network: Lab, server: LineServer<Asked | Closed>, dns: LineServer<DnsQuery>) {
    this.network = network;
    this.server = server;
    this.dns = dns;
  }

  /** A home whose dev_local holds the plugin `hostile`; `timeoutSeconds` goes into its config. */
  async home(timeoutSeconds?: number): Promise<HttpHome> {
    const devLocal = join(this.network.folder, "plugins");
    mkdirSync(join(devLocal, "hostile"), { recursive: true });
    writeFileSync(join(devLocal, "hostile/plugin.json"), JSON.stringify(hostilePlugin([...this.names()])));
    const config = timeoutSeconds === undefined ? "" : `[fermix_core.http]\ntimeout_seconds = ${timeoutSeconds}\n`;
    const home = new HttpHome(this.network, { plugins: ["hostile"], devLocal, config });
    await home.enableAll();
    return home;
  }

  private *names(): Iterable<string> {
    yield* Object.keys(BAD_CERTIFICATES);
    yield* Object.keys(NAMES);
    for (const { kind } of HOSTILE_ADDRESSES) yield nameOf(kind);
  }

  /** The requests since the last time. */
  async asked(): Promise<readonly Asked[]> {
    await this.hear();
    const asked = this.facts.filter((fact) => "line" in fact);
    this.facts = this.facts.filter((fact) => !("line" in fact));
    return asked;
  }

  /** Whether the connection of this path's endless answer was closed by who asked; each closing is told once. */
  async wasClosed(path: string): Promise<boolean> {
    await this.hear();
    const at = this.facts.findIndex((fact) => "closed" in fact && fact.closed === path);
    if (at !== -1) this.facts.splice(at, 1);
    return at !== -1;
  }

  private async hear(): Promise<void> {
    await this.server.command({});
    this.facts.push(...this.server.take());
  }

  /** What the DNS server was asked since the last time. */
  async queries(): Promise<readonly DnsQuery[]> {
    await this.dns.command({});
    return this.dns.take();
  }

  /** How many TCP connections anybody in this namespace has begun to open, ever: the kernel's own count. */
  connectionsBegun(): number {
    const { stdout } = Bun.spawnSync([...this.network.inside, "cat", "/proc/net/snmp"], { stdout: "pipe" });
    const [names = "", values = ""] = stdout
      .toString()
      .split("\n")
      .filter((line) => line.startsWith("Tcp:"));
    return Number(values.split(" ")[names.split(" ").indexOf("ActiveOpens")]);
  }

  [Symbol.dispose](): void {
    this.server[Symbol.dispose]();
    this.dns[Symbol.dispose]();
    this.network[Symbol.dispose]();
  }
}
