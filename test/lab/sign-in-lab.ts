/** Sign-ins in the HTTP lab: a real OAuth server where Google's names lead, and `fermix` that waits for a browser. */
import { appendFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { type Answer, BINARY } from "./binary.ts";
import type { HttpHome } from "./http-home.ts";
import type { HttpLab } from "./http-lab.ts";
import { LineServer } from "./line-server.ts";
import type { Lab } from "./network.ts";
import { LAB_CLIENT } from "./token-book.ts";
import { until } from "./until.ts";

/** A second global address that exists only inside the namespace. */
const OAUTH_ADDRESS = "93.184.216.36";
const GOOGLE = ["accounts.google.com", "oauth2.googleapis.com", "openidconnect.googleapis.com"];
/** Those of the Gmail plugin, beside OpenID Connect's. */
const GMAIL_SCOPES = ["readonly", "send", "compose", "modify"].map(
  (scope) => `https://www.googleapis.com/auth/gmail.${scope}`,
);

/** Where a browser came out. */
export interface Walked {
  readonly url: string;
  readonly status: number;
  readonly page: string;
}

/** Starts a real OAuth server for Google's sign-in, token and userinfo names; the HTTP lab must not have them. */
export async function startGoogleSignIn(network: Lab): Promise<Disposable> {
  network.addAddress(OAUTH_ADDRESS);
  appendFileSync(`/etc/netns/${network.name}/hosts`, GOOGLE.map((host) => `${OAUTH_ADDRESS} ${host}\n`).join(""));
  const setup = {
    issuer: "https://accounts.google.com",
    address: OAUTH_ADDRESS,
    client: LAB_CLIENT,
    // A native client's port may be any (RFC 8252).
    redirectUris: ["http://127.0.0.1/auth/callback"],
    scopes: GMAIL_SCOPES,
    tokenSeconds: 3600,
    certificates: GOOGLE.map((name) => ({ name, ...network.certificate([name]) })),
  };
  const node = Bun.which("node") ?? "node";
  const script = join(import.meta.dirname, "oauth-server.mjs");
  return await LineServer.start([...network.inside, node, script, JSON.stringify(setup)]);
}

/** A `fermix` that was started and waits for a browser. */
export class Waiting {
  readonly child: Bun.Subprocess<"ignore", "pipe", "pipe">;
  readonly answer: Promise<Answer>;
  #talk = "";

  constructor(child: Bun.Subprocess<"ignore", "pipe", "pipe">) {
    this.child = child;
    this.answer = Promise.all([child.stdout.text(), this.#listen(), child.exited]).then(([stdout, stderr, code]) => ({
      code,
      stdout,
      stderr,
    }));
  }

  async #listen(): Promise<string> {
    for await (const chunk of this.child.stderr.pipeThrough(new TextDecoderStream())) this.#talk += chunk;
    return this.#talk;
  }

  /** The address of the page; waits until it is shown. Fails with what was said when `fermix` ends before. */
  async page(): Promise<string> {
    await until("the address of the sign-in page", () => this.#address !== undefined || this.child.exitCode !== null);
    // What it said before it ended may still be on its way.
    const said = this.#address === undefined ? (await this.answer).stderr : "";
    if (this.#address === undefined) throw new Error(`no page was shown: ${said}`);
    return this.#address;
  }

  get #address(): string | undefined {
    return /^ {2}(https:\/\/\S+)\n/m.exec(this.#talk)?.[1];
  }
}

/** Starts `fermix` inside the namespace; nobody is at its terminal. */
export function startSignIn(
  { network }: HttpLab,
  home: HttpHome,
  words: string,
  more: Readonly<Record<string, string>> = {},
): Waiting {
  const child = Bun.spawn([...network.inside, BINARY, ...words.split(" ")], {
    env: home.env({ NODE_EXTRA_CA_CERTS: network.caFile, ...more }),
    cwd: home.folder,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  return new Waiting(child);
}

/** Walks from a sign-in page to its end, agreeing to everything; `stop` does not visit the address it is sent back to. */
export async function walk({ network }: HttpLab, address: string, stop = false): Promise<Walked> {
  const command = [...network.inside, process.execPath, join(import.meta.dirname, "walk.ts"), address];
  const env = { PATH: process.env["PATH"] ?? "", NODE_EXTRA_CA_CERTS: network.caFile };
  const child = Bun.spawn(stop ? [...command, "stop"] : command, { env, stdout: "pipe", stderr: "pipe" });
  const [said, fault] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if (said === "") throw new Error(fault);
  return JSON.parse(said);
}

/** Another program inside the namespace, which ends with the test; resolves when it said its first line. */
export async function startInside(
  { network }: HttpLab,
  command: readonly string[],
): Promise<Disposable & { readonly pid: number }> {
  const child = Bun.spawn([...network.inside, ...command], { stdin: "pipe", stdout: "pipe", stderr: "inherit" });
  const { value } = await child.stdout.getReader().read();
  if (value === undefined) throw new Error(`${command.join(" ")} said nothing`);
  return { pid: child.pid, [Symbol.dispose]: () => child.kill("SIGKILL") };
}

/** What this machine lacks for a real browser, or undefined. In CI a lack is a failure; elsewhere the suite says it was not run. */
export function chromiumMissing(): string | undefined {
  const missing = existsSync("/usr/bin/chromium") ? undefined : "chromium";
  if (missing !== undefined && process.env["CI"] !== undefined) throw new Error(`not run: ${missing} is missing`);
  return missing;
}
