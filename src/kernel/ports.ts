/** The effects Fermix has on the world, as narrow interfaces; each has one real adapter in `system/` and one strict fake in `test/fakes/`. */
import type { Readable } from "node:stream";

export interface Clock {
  /** Unix time in milliseconds. */
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Runs something after `ms`, unless what it returns was called before: a deadline, a hundred times lighter than a sleep. */
  after(ms: number, run: () => void): () => void;
}

export interface Random {
  /** `bytes` random bytes as lower-case hex. */
  hex(bytes: number): string;
}

export interface Dns {
  /** Every A and AAAA answer for a host name; empty when there is none. */
  lookup(host: string): Promise<readonly string[]>;
}

/** Where a connection is opened to; SNI and certificate are checked for the name in the URL either way. */
export type HttpRoute =
  /** The one address to dial, already judged by egress. */
  | { readonly address: string; readonly proxy?: undefined }
  /** The operator's proxy, `http://HOST:PORT` or `https://HOST:PORT`, which is asked for the name. */
  | { readonly proxy: string; readonly address?: undefined };

export type HttpRequest = HttpRoute & {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
  /** True: no connection that was used before, for a request that must not meet one which its server is closing. */
  readonly ownConnection?: boolean;
  /** Called before the request goes out when no open connection can take it, and when one that was opened stands. */
  readonly onConnection?: (state: "opening" | "open") => void;
};

export interface HttpReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ReadableStream<Uint8Array> | null;
}

export interface Http {
  /**
   * One request by one route: no redirects, no decompression, no cookies, no proxy but the route's, certificates always
   * checked. Connections are kept and used again. What a reused one broke off is sent once more for GET alone.
   */
  send(request: HttpRequest): Promise<HttpReply>;
}

export interface RunSpec {
  /** Absolute path of the program. */
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the child; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly stdin?: string;
  readonly deadlineMs: number;
  /** Bytes of stdout and of stderr kept, each. */
  readonly maxOutputBytes: number;
}

export interface RunResult {
  /** undefined when the child was ended by a signal or the deadline. */
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
}

export interface ChildSpec {
  /** Absolute path of the program. */
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the child; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

export interface ChildExit {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
}

/** A supervised child: it and all its descendants die with this process, however this process ends. */
export interface Child {
  readonly pid: number;
  /** Writes to stdin; resolves when the pipe took it. */
  write(text: string): Promise<void>;
  /** EOF on stdin. */
  endInput(): void;
  onStdout(listener: (chunk: Uint8Array) => void): void;
  onStderr(listener: (chunk: Uint8Array) => void): void;
  readonly exited: Promise<ChildExit>;
  /** Ends the whole tree: EOF, a grace period, SIGTERM, a grace period, SIGKILL. Resolves when nothing is left. */
  stop(): Promise<void>;
}

export interface Processes {
  /** Runs a program to its end, killing its process group at the deadline. */
  run(spec: RunSpec): Promise<RunResult>;
  /** Starts a long-lived supervised child. */
  start(spec: ChildSpec): Child;
}

export interface Terminal {
  readonly stdinIsTty: boolean;
  readonly stdoutIsTty: boolean;
  readonly stderrIsTty: boolean;
  readonly columns: number;
  /** Appends to stderr, what looks like a credential masked (RED-1); never throws. */
  talk(text: string): void;
  /** All of stdin as UTF-8 text, refused past `maxBytes`. */
  readInput(maxBytes: number): Promise<string>;
  /** Stdin as a terminal gives it, for prompts that read key by key. */
  keys(): Readable;
  /** Calls the listener at Ctrl-C, SIGTERM and SIGHUP in place of ending the process; returns what ends that. */
  onInterrupt(listener: () => void): () => void;
}

/** This process's own stdin and stdout as a pipe for a protocol (`mcp serve`), and the signals that ask it to end. */
export interface Stdio {
  /** Starts reading; `onEnd` comes once, at EOF or when stdin broke. */
  read(listener: { onChunk(chunk: Uint8Array): void; onEnd(): void }): void;
  /** Stops reading until `resume`. */
  pause(): void;
  resume(): void;
  /** Appends to stdout. undefined when the pipe took it at once, else resolves when it did; a closed pipe calls `onBroken`. */
  write(text: string): Promise<void> | undefined;
  /** Called once, when nobody reads stdout any more. */
  onBroken(listener: () => void): void;
  /** Called at SIGTERM, SIGINT and SIGHUP, which no longer end the process by themselves. */
  onTerminate(listener: () => void): void;
  /** Stops reading and listening, so that the process can end. */
  close(): void;
}

/** One secret of the keychain: `service` is `fermix` or `fermix:<profile>`, `name` the item in it (spec 8.4). */
export interface KeychainItem {
  readonly service: string;
  readonly name: string;
}

export type KeychainAnswer =
  | { readonly state: "found"; readonly value: string }
  | { readonly state: "missing" }
  /** It is there, but the user has not opened it in this session. */
  | { readonly state: "locked" }
  | { readonly state: "unavailable"; readonly reason: string }
  | { readonly state: "timed_out"; readonly afterMs: number };

export interface Keychain {
  /**
   * The first of these items that exists, whichever of the two layouts it was stored in; never an empty value. A
   * keychain that does not answer is given up at a deadline and leaves nothing behind in this process.
   */
  find(items: readonly KeychainItem[]): Promise<KeychainAnswer>;
}

export interface ManyKeychain extends Keychain {
  /** `find` for each of these questions, in their order, at little more than the cost of one. */
  findEach(questions: readonly (readonly KeychainItem[])[]): Promise<readonly KeychainAnswer[]>;
}

/** What became of a change; it never holds a value. */
export type KeychainChange =
  /** The keychain is now as wanted; `changed` when it was not before. */
  | { readonly state: "done"; readonly changed: boolean }
  /** There is a keychain, and it did not take the change. */
  | { readonly state: "refused"; readonly reason: string }
  | Exclude<KeychainAnswer, { readonly state: "found" | "missing" }>;

export interface KeychainChangeOptions {
  /** Somebody is there: a locked keychain may ask its user, who gets longer to answer. */
  readonly unlock?: boolean;
}

export interface WritableKeychain extends ManyKeychain {
  /**
   * Stores the value, which must not be empty, unless it is there already, and removes the item's copy in the other
   * layout. What was stored before stays when the new value is not taken.
   */
  set(item: KeychainItem, value: string, options?: KeychainChangeOptions): Promise<KeychainChange>;
  /** Removes the items from both layouts; one that does not exist is no failure. */
  remove(items: readonly KeychainItem[], options?: KeychainChangeOptions): Promise<KeychainChange>;
}

/** Opens pages in the user's browser. */
export interface Browser {
  /** Whether a program took the address; what becomes of the page, nobody can tell. Never throws. */
  open(url: string): Promise<boolean>;
}

/** One request that came to a listener on this machine; any program here, and any web page in a browser, can send one. */
export interface LoopbackRequest {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly target: string;
  readonly headers: Headers;
}

export interface LoopbackReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface LoopbackListener {
  readonly port: number;
  /** Lets answers under way out, cuts off everybody else and gives the port back. */
  close(): Promise<void>;
}

export type LoopbackAnswer =
  | { readonly state: "listening"; readonly listener: LoopbackListener }
  /** `holder`: the program that has the port, where the system tells. */
  | { readonly state: "in_use"; readonly holder: { readonly pid: number; readonly name: string } | undefined }
  | { readonly state: "refused"; readonly reason: string };

export interface Loopback {
  /** Listens on 127.0.0.1 alone. Bytes that are no HTTP, and requests that never end, reach nobody. */
  listen(port: number, answer: (request: LoopbackRequest) => Promise<LoopbackReply>): Promise<LoopbackAnswer>;
}

/** The files compiled into the binary: `index.json`, `artifacts/…`, `publishers/…`, `bundled/…` (relative names of `catalog/`). */
export interface EmbeddedFiles {
  names(): readonly string[];
  /** undefined when there is no such file. */
  read(name: string): Uint8Array | undefined;
  /** Its bytes, counted; undefined when there is no such file. */
  size(name: string): number | undefined;
  stream(name: string): ReadableStream<Uint8Array> | undefined;
}

/** What a line of the log says besides its event: names, codes and numbers; never arguments, results or what was typed. */
export type LogFacts = Readonly<Record<string, string | number | boolean | undefined>>;

/** The home's log. What looks like a credential is masked in it, whoever wrote the line (RED-1). */
export interface Log {
  /** Adds one line, soon: it never waits for the disk and never throws, whatever the disk says. */
  write(level: "info" | "warn" | "error", event: string, facts?: LogFacts): void;
}

export interface Ports {
  readonly clock: Clock;
  readonly random: Random;
  readonly dns: Dns;
  readonly http: Http;
  readonly processes: Processes;
  readonly keychain: WritableKeychain;
  readonly browser: Browser;
  readonly loopback: Loopback;
  readonly terminal: Terminal;
  readonly stdio: Stdio;
  readonly embedded: EmbeddedFiles;
  readonly log: Log;
}
