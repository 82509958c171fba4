/** A keychain of one's own: a D-Bus session with a real gnome-keyring in a temp folder, unlocked, and keychains that fail. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KeyringUser } from "./keyring-user.ts";
import { until } from "./until.ts";

const ACCOUNT = "fermix";
const PROGRAMS = ["dbus-daemon", "dbus-send", "gnome-keyring-daemon", "secret-tool"];
/** What unlocks it. */
export const PASSWORD = "the keyring's own password";

/** What this machine lacks for one, or undefined. In CI a lack is a failure; elsewhere the suite says it was not run. */
export function keyringMissing(): string | undefined {
  const missing = PROGRAMS.find((program) => Bun.which(program) === null);
  if (missing !== undefined && process.env["CI"] !== undefined) throw new Error(`not run: ${missing} is missing`);
  return missing;
}

export class Keyring implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "fermix-keyring-"));
  /** What leads a program to this keychain, and to no other. */
  readonly env: Readonly<Record<string, string>>;
  private readonly children: Bun.Subprocess[] = [];
  #user: KeyringUser | undefined;

  private constructor() {
    const run = join(this.folder, "run");
    mkdirSync(run, { mode: 0o700 });
    this.env = { DBUS_SESSION_BUS_ADDRESS: `unix:path=${run}/bus`, XDG_RUNTIME_DIR: run };
  }

  /**
   * Starts one, empty and unlocked. With answers there is a user whom it asks when it is locked (`KeyringUser.at`);
   * without them it has nobody to ask.
   */
  static async open(answers?: readonly string[]): Promise<Keyring> {
    return await Keyring.started(["--unlock"], answers);
  }

  /** Starts the service alone: its user never made a keyring, and there is nobody to ask for one. */
  static async unmade(): Promise<Keyring> {
    return await Keyring.started([]);
  }

  private static async started(how: readonly string[], answers?: readonly string[]): Promise<Keyring> {
    const keyring = new Keyring();
    try {
      await keyring.start(how, answers);
      return keyring;
    } catch (error) {
      keyring[Symbol.dispose]();
      throw error;
    }
  }

  private async start(how: readonly string[], answers: readonly string[] | undefined): Promise<void> {
    const address = this.env["DBUS_SESSION_BUS_ADDRESS"];
    this.spawn(["dbus-daemon", "--session", "--nofork", "--nopidfile", `--address=${address}`], "ignore");
    await until("the bus takes connections", () => this.owns("org.freedesktop.DBus"));
    if (answers !== undefined) this.#user = await KeyringUser.at(this.ownEnv(), answers);
    const line = ["gnome-keyring-daemon", "--foreground", ...how, "--components=secrets"];
    const asks = this.#user === undefined ? {} : { GNOME_KEYRING_TEST_PROMPTER: this.#user.busName };
    this.spawn(line, new TextEncoder().encode(PASSWORD), asks);
    await until("the keyring is on the bus", () => this.owns("org.freedesktop.secrets"));
  }

  private spawn(command: string[], stdin: "ignore" | Uint8Array, more: Record<string, string> = {}): void {
    const env = { ...this.ownEnv(), ...more };
    this.children.push(Bun.spawn(command, { env, stdin, stdout: "ignore", stderr: "ignore" }));
  }

  /** Its user, where it was opened with one. */
  get user(): KeyringUser {
    if (this.#user === undefined) throw new Error("nobody is at this keyring");
    return this.#user;
  }

  private ownEnv(): Record<string, string> {
    return { ...this.env, PATH: "/usr/bin:/bin", HOME: this.folder, LANG: "C.UTF-8" };
  }

  private owns(name: string): boolean {
    const reply = this.send("org.freedesktop.DBus", "/", "org.freedesktop.DBus.NameHasOwner", `string:${name}`);
    return reply.includes("boolean true");
  }

  private send(dest: string, path: string, method: string, ...args: readonly string[]): string {
    const line = ["dbus-send", "--session", "--print-reply", `--dest=${dest}`, path, method, ...args];
    return Bun.spawnSync(line, { env: this.ownEnv(), stderr: "ignore" }).stdout.toString();
  }

  /** Stores an item as Fermix does: Bun.secrets, service `<service>:<name>`. */
  put(service: string, name: string, value: string): void {
    const script = "await Bun.secrets.set(JSON.parse(await Bun.stdin.text()))";
    this.must(
      [process.execPath, "-e", script],
      JSON.stringify({ service: `${service}:${name}`, name: ACCOUNT, value }),
    );
  }

  /** Stores an item as the ecosystem's homes do, with `secret-tool`. */
  putOtherLayout(service: string, name: string, value: string): void {
    const attributes = ["service", service, "account", ACCOUNT, "env", name];
    this.must(["secret-tool", "store", "--label", "Fermix", ...attributes], value);
  }

  /** What another program sees of an item that `put` stored; "" when there is none. */
  seenByOthers(service: string, name: string): string {
    return this.run(["secret-tool", "lookup", "service", `${service}:${name}`, "account", ACCOUNT], "").stdout;
  }

  /** The same in the ecosystem's layout. */
  seenInOtherLayout(service: string, name: string): string {
    return this.run(["secret-tool", "lookup", "service", service, "account", ACCOUNT, "env", name], "").stdout;
  }

  remove(service: string, name: string): void {
    this.must(["secret-tool", "clear", "service", `${service}:${name}`, "account", ACCOUNT], "");
  }

  /** Locks it, as it is before its user logs in. */
  lock(): void {
    const all = `array:objpath:${DEFAULT}`;
    this.send("org.freedesktop.secrets", "/org/freedesktop/secrets", "org.freedesktop.Secret.Service.Lock", all);
    const collection = "string:org.freedesktop.Secret.Collection";
    const get = "org.freedesktop.DBus.Properties.Get";
    const state = this.send("org.freedesktop.secrets", DEFAULT, get, collection, "string:Locked");
    if (!state.includes("boolean true")) throw new Error(`the keyring did not lock: ${state}`);
  }

  /** The bytes it keeps on disk. */
  onDisk(): string {
    const folder = join(this.folder, ".local/share/keyrings");
    return readdirSync(folder)
      .map((file) => readFileSync(join(folder, file)).toString("latin1"))
      .join("\n");
  }

  private must(command: readonly string[], stdin: string): void {
    const { exitCode, stderr } = this.run(command, stdin);
    if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr}`);
  }

  private run(command: readonly string[], stdin: string) {
    const input = new TextEncoder().encode(stdin);
    const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { env: this.ownEnv(), stdin: input });
    return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
  }

  [Symbol.dispose](): void {
    this.#user?.[Symbol.dispose]();
    for (const child of this.children.reverse()) child.kill("SIGKILL");
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const DEFAULT = "/org/freedesktop/secrets/aliases/default";

/** A bus that takes every connection and never says a word: whoever asks the keychain there waits for ever. */
export class SilentBus implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "fermix-silent-"));
  readonly env: Readonly<Record<string, string>>;
  /** Connections that were made. */
  connections = 0;
  private readonly server: { stop(closeActive?: boolean): void };

  constructor() {
    const path = join(this.folder, "bus");
    this.env = { DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}`, XDG_RUNTIME_DIR: this.folder };
    const open = () => {
      this.connections += 1;
    };
    this.server = Bun.listen({ unix: path, socket: { open, data: () => {} } });
  }

  [Symbol.dispose](): void {
    this.server.stop(true);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
