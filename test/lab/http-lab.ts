/** The compiled binary against stand-ins of providers in a network of its own; `stand-in.ts` says how to use it. */
import { join } from "node:path";
import type { DnsQuery, DnsScript } from "./dns-server.ts";
import { HttpHome, type HttpHomeOptions } from "./http-home.ts";
import { LineServer } from "./line-server.ts";
import { Lab, SERVER_ADDRESS, SERVER_ADDRESS_V6 } from "./network.ts";
import type { Call, Preparation, StandIn } from "./stand-in.ts";
import type { ServerFact, ServerSetup } from "./stand-in-server.ts";

export interface HttpLabOptions {
  /** Names that a DNS server answers instead of the hosts file. */
  readonly dns?: DnsScript;
  /** More addresses of the namespace on which the stand-ins listen too, such as private ones. */
  readonly addresses?: readonly string[];
}

/** Starts a lab whose names lead to these stand-ins, each a file of `test/lab/stand-ins/`. */
export async function openHttpLab(standIns: readonly string[], options: HttpLabOptions = {}): Promise<HttpLab> {
  const modules = standIns.map((name) => join(import.meta.dirname, "stand-ins", `${name}.ts`));
  const loaded: { standIn: StandIn }[] = await Promise.all(modules.map((path) => import(path)));
  const hosts = [...new Set(loaded.flatMap(({ standIn }) => standIn.hosts))];
  const scripted = Object.keys(options.dns ?? {});
  const network = new Lab(hosts.filter((host) => !scripted.includes(host)));
  try {
    for (const address of options.addresses ?? []) network.addAddress(address);
    const setup: ServerSetup = {
      modules,
      certificates: hosts.map((name) => ({ name, ...network.certificate([name]) })),
      addresses: [SERVER_ADDRESS, SERVER_ADDRESS_V6, ...(options.addresses ?? [])],
    };
    const servers = await start<ServerFact>(network, "stand-in-server.ts", setup);
    const dns = options.dns && (await start<DnsQuery>(network, "dns-server.ts", options.dns));
    return new HttpLab(network, servers, dns);
  } catch (error) {
    network[Symbol.dispose]();
    throw error;
  }
}

async function start<Fact>(network: Lab, script: string, setup: unknown): Promise<LineServer<Fact>> {
  const path = join(import.meta.dirname, script);
  return await LineServer.start<Fact>([...network.inside, process.execPath, path, JSON.stringify(setup)]);
}

export class HttpLab implements Disposable {
  readonly network: Lab;
  private readonly servers: LineServer<ServerFact>;
  private readonly dns: LineServer<DnsQuery> | undefined;

  constructor(network: Lab, servers: LineServer<ServerFact>, dns: LineServer<DnsQuery> | undefined) {
    this.network = network;
    this.servers = servers;
    this.dns = dns;
  }

  /** A Fermix home of this lab, plugins enabled and credentials in place. */
  async home(options: HttpHomeOptions): Promise<HttpHome> {
    const home = new HttpHome(this.network, options);
    await home.enableAll();
    return home;
  }

  /** Every request since the last time, oldest first. Throws what a stand-in threw, and prepared answers left over. */
  async calls(): Promise<readonly Call[]> {
    await this.servers.command({ settle: true });
    const facts = this.servers.take();
    const faults = facts.flatMap((fact) => ("fault" in fact ? [fact.fault] : []));
    if (faults.length > 0) throw new Error(faults.join("\n"));
    return facts.flatMap((fact) => ("call" in fact ? [fact.call] : []));
  }

  /** From now on a route answers from a list, each answer once, in order. */
  async prepare(preparation: Preparation): Promise<void> {
    await this.servers.command({ prepare: preparation });
  }

  /** Resolves when an answer is held: its request has arrived. */
  async holding(): Promise<void> {
    await this.servers.command({ hold: true });
  }

  /** Sends every answer that is held. */
  async release(): Promise<void> {
    await this.servers.command({ release: true });
  }

  /** What the DNS server was asked since the last time, such as `A rebind.example`. */
  async queries(): Promise<readonly DnsQuery[]> {
    if (this.dns === undefined) throw new Error("this lab has no DNS server");
    await this.dns.command({});
    return this.dns.take();
  }

  [Symbol.dispose](): void {
    this.servers[Symbol.dispose]();
    this.dns?.[Symbol.dispose]();
    this.network[Symbol.dispose]();
  }
}
