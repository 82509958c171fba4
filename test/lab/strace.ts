/** What the kernel saw of a command and all its children: every program they started, and every byte they wrote in plain. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Answer, StartOptions } from "./binary.ts";
import type { HttpHome } from "./http-home.ts";

/** Every call that hands bytes on, and one whose presence would mean that bytes go where strace does not look. */
const CALLS = "execve,execveat,write,writev,pwrite64,pwritev,pwritev2,sendto,sendmsg,sendmmsg,process_vm_writev";
const UNSEEN = "io_uring_setup";
const WHOLE = "1048576";
/** `[pid] name(3</path/of/file>, …` */
const CALL = /^\d+ +(\w+)\((.*)$/;
const TARGET = /^\d+<(.*?)>(?:\(deleted\))?, /;
/** What leads to another process or another machine, and is no file, terminal or log; a memfd is memory under a number. */
const CHANNEL = /^(\/memfd:|(pipe|socket|anon_inode|TCP|TCPv6|UDP|UDPv6|UNIX|UNIX-STREAM|UNIX-DGRAM|NETLINK):)/;

/** What this machine lacks for it; in CI a lack is a failure. */
export function straceMissing(): string | undefined {
  if (Bun.which("strace") !== null) return undefined;
  if (process.env["CI"] !== undefined) throw new Error("not run: strace is missing");
  return "strace";
}

export interface Write {
  readonly call: string;
  /** `/path`, `pipe:[1]`, `UNIX-STREAM:[…]`, `TCP:[…]`. */
  readonly to: string;
  readonly text: string;
}

export interface Traced {
  readonly answer: Answer;
  /** Each with its words and its whole environment. */
  readonly started: readonly string[];
  readonly writes: readonly Write[];
}

/** Runs the command in the lab under strace. */
export async function traced(
  home: HttpHome,
  words: readonly string[],
  options: StartOptions & { readonly env: Readonly<Record<string, string>> },
): Promise<Traced> {
  const trace = join(home.folder, "trace");
  // Stopping at these calls alone keeps the keychain's deadline out of it.
  const through = [
    "strace",
    "-f",
    "--seccomp-bpf",
    "-v",
    "-yy",
    "-s",
    WHOLE,
    "-e",
    `trace=${CALLS},${UNSEEN}`,
    "-o",
    trace,
  ];
  const answer = await home.inLab(words, { ...options, through });
  if (!existsSync(trace)) throw new Error(`strace: ${answer.stderr}`);
  const lines = readFileSync(trace, "utf8").split("\n");
  rmSync(trace);
  const calls = lines.flatMap((line) => {
    const [, call = "", rest = ""] = CALL.exec(line) ?? [];
    return call === "" ? [] : [{ call, rest }];
  });
  if (calls.some(({ call }) => call === UNSEEN)) throw new Error("some of the writing was not seen");
  return {
    answer,
    started: calls.filter(({ call }) => call.startsWith("exec")).map(({ rest }) => rest),
    writes: calls
      .filter(({ call }) => !call.startsWith("exec"))
      .map(({ call, rest }) => ({ call, to: TARGET.exec(rest)?.[1] ?? rest.slice(0, 40), text: rest })),
  };
}

/** Whether it leads to another process or another machine alone. */
export function isChannel({ to }: Write): boolean {
  return CHANNEL.test(to);
}
