/** A network of one's own: a namespace in which real host names lead to servers of the test, with certificates of its own. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A global address that exists only inside the namespace. */
export const SERVER_ADDRESS = "93.184.216.34";
/** The same for IPv6. */
export const SERVER_ADDRESS_V6 = "2606:2800:220:1:248:1893:25c8:1946";
/** Where a proxy would stand; nothing of Fermix may ever connect there. */
export const PROXY_ADDRESS = "93.184.216.35";

/** Runs a set-up command; throws with what it said. */
function must(command: readonly string[], cwd?: string): void {
  const { exitCode, stderr } = Bun.spawnSync([...command], {
    stderr: "pipe",
    stdout: "pipe",
    ...(cwd === undefined ? {} : { cwd }),
  });
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr.toString()}`);
}

/** What this machine lacks for a lab, or undefined. In CI a lack is a failure; elsewhere the suite says it was not run. */
export function labMissing(): string | undefined {
  const lacking = ["ip", "openssl"].find(
    (program) => Bun.which(program, { PATH: `${process.env["PATH"]}:/usr/sbin:/sbin` }) === null,
  );
  const missing = lacking ?? (process.getuid?.() === 0 ? undefined : "root (for a network namespace)");
  if (missing !== undefined && process.env["CI"] !== undefined) throw new Error(`not run: ${missing} is missing`);
  return missing;
}

export class Lab implements Disposable {
  readonly name = `fermix-${process.pid}-${Math.floor(Bun.nanoseconds()).toString(36)}`;
  readonly folder = mkdtempSync(join(tmpdir(), "fermix-lab-"));
  readonly caFile = join(this.folder, "ca.pem");
  private readonly servers: Bun.Subprocess[] = [];

  /** Names lead to the server's address; all other names lead nowhere. */
  constructor(hosts: readonly string[]) {
    mkdirSync(`/etc/netns/${this.name}`, { recursive: true });
    writeFileSync(`/etc/netns/${this.name}/hosts`, hosts.map((host) => `${SERVER_ADDRESS} ${host}\n`).join(""));
    writeFileSync(`/etc/netns/${this.name}/resolv.conf`, "nameserver 127.0.0.1\noptions timeout:3 attempts:1\n");
    must(["ip", "netns", "add", this.name]);
    must([...this.inside, "ip", "link", "set", "lo", "up"]);
    for (const address of [SERVER_ADDRESS, PROXY_ADDRESS, SERVER_ADDRESS_V6]) this.addAddress(address);
    must(
      [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=lab",
        "-keyout",
        "ca.key",
        "-out",
        "ca.pem",
      ],
      this.folder,
    );
  }

  /** Words that put a command inside the namespace. */
  get inside(): string[] {
    return ["ip", "netns", "exec", this.name];
  }

  /** One more address that exists inside the namespace, so that a server can listen there. */
  addAddress(address: string): void {
    const rest = address.includes(":") ? [`${address}/128`, "dev", "lo", "nodad"] : [`${address}/32`, "dev", "lo"];
    must([...this.inside, "ip", "addr", "add", ...rest]);
  }

  /** A certificate for these names, signed by the lab's authority; returns the paths. */
  certificate(names: readonly string[]): { cert: string; key: string } {
    const id = names.join("-").replaceAll(/[^a-z0-9-]/g, "_");
    writeFileSync(join(this.folder, `${id}.ext`), `subjectAltName=${names.map((name) => `DNS:${name}`).join(",")}\n`);
    must(
      [
        "openssl",
        "req",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-subj",
        `/CN=${names[0]}`,
        "-keyout",
        `${id}.key`,
        "-out",
        `${id}.csr`,
      ],
      this.folder,
    );
    must(
      [
        "openssl",
        "x509",
        "-req",
        "-in",
        `${id}.csr`,
        "-CA",
        "ca.pem",
        "-CAkey",
        "ca.key",
        "-CAcreateserial",
        "-days",
        "2",
        "-extfile",
        `${id}.ext`,
        "-out",
        `${id}.pem`,
      ],
      this.folder,
    );
    return { cert: join(this.folder, `${id}.pem`), key: join(this.folder, `${id}.key`) };
  }

  /** Starts a server script inside; resolves when it printed its first line, and gives a reader of all it printed since. */
  async serve(script: string, args: readonly string[]): Promise<() => string[]> {
    const child = Bun.spawn([...this.inside, process.execPath, script, ...args], {
      stdout: "pipe",
      stderr: "inherit",
      stdin: "ignore",
    });
    this.servers.push(child);
    const lines: string[] = [];
    const up = Promise.withResolvers<void>();
    void (async () => {
      let rest = "";
      for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
        const parts = (rest + chunk).split("\n");
        rest = parts.pop() ?? "";
        lines.push(...parts);
        if (lines.length > 0) up.resolve();
      }
      up.reject(new Error(`${script} ended before it was up`));
    })();
    await up.promise;
    return () => lines.slice(1);
  }

  [Symbol.dispose](): void {
    for (const server of this.servers) server.kill("SIGKILL");
    Bun.spawnSync(["ip", "netns", "del", this.name]);
    rmSync(`/etc/netns/${this.name}`, { recursive: true, force: true });
    rmSync(this.folder, { recursive: true, force: true });
  }
}
