/** Asks and changes the system's keychain in a process of its own, because one that hangs takes a thread with it for ever. */
import type {
  KeychainAnswer,
  KeychainChange,
  KeychainChangeOptions,
  KeychainItem,
  Processes,
  RunResult,
  WritableKeychain,
} from "../kernel/ports.ts";
import type { Asked, Told } from "./keychain-process.ts";
import { ownCommand } from "./processes.ts";
import { findSecretTool, type SecretTool, type ToolTrouble } from "./secret-tool.ts";
import { recreateLines, SECURITY } from "./security-tool.ts";

/** For each program that is asked; nobody controls how long a keychain thinks (spec 8.4). */
const DEADLINE_MS = 3_000;
/** For a user who is asked to unlock it (spec 8.4). */
const UNLOCK_MS = 90_000;
/** An item is a few kilobytes; whoever wrote it chose its size. */
const MAX_ANSWER_BYTES = 1024 * 1024;
/** Items of the largest size that Fermix stores fit into one such answer, however they are escaped. */
const ITEMS_AN_ANSWER = 8;
const LIMITS = { deadlineMs: DEADLINE_MS, maxOutputBytes: MAX_ANSWER_BYTES } as const;
/** Under which all items are stored (spec 8.4). */
const ACCOUNT = "fermix";
/** What finds the user's keychain; nothing else of this process's environment is passed on. */
const SESSION_VARIABLES = [
  ...["HOME", "PATH", "LANG", "LC_ALL", "USER", "LOGNAME", "LD_LIBRARY_PATH"],
  ...["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY"],
] as const;

/** What `security` says of a keychain that would have to ask its user, as over ssh. */
const NO_INTERACTION = /interaction is not allowed/i;

type Variables = Readonly<Record<string, string | undefined>>;

export interface KeychainOptions {
  /** The command line that runs this program again. */
  readonly self?: readonly string[];
  readonly variables?: Variables;
  readonly platform?: NodeJS.Platform;
}

type Question = { readonly do: "find" | "remove" } | { readonly do: "set"; readonly value: string };
type Trouble = Exclude<KeychainAnswer, { readonly state: "found" | "missing" }> | RefusedChange;
type RefusedChange = Extract<KeychainChange, { readonly state: "refused" }>;
type Heard = Trouble | { readonly state: "told"; readonly told: Told };

/** One look at the user's session: who is asked there, and how. */
interface Session {
  /** Asks the process of our own. */
  ask(question: Question, items: readonly KeychainItem[], options?: KeychainChangeOptions): Promise<Heard>;
  /** The other layout, on the one system that has one. */
  readonly tool: SecretTool | undefined;
  /** Tells `security -i` these lines. */
  recreate(lines: string): Promise<RunResult>;
}

/**
 * The real keychain: Bun.secrets, and on Linux the items that the ecosystem's homes stored with `secret-tool`, which
 * Bun.secrets does not see.
 */
export function systemKeychain(
  processes: Processes,
  { self = ownCommand(), variables = process.env, platform = process.platform }: KeychainOptions = {},
): WritableKeychain {
  const open = (): Session => {
    const env = sessionOf(variables);
    return {
      ask: async (question, items, options) => await askOwnProcess(processes, self, env, { question, items, options }),
      tool: platform === "linux" ? findSecretTool(processes, { env, account: ACCOUNT, limits: LIMITS }) : undefined,
      recreate: async (lines) => await processes.run({ command: SECURITY, args: ["-i"], env, stdin: lines, ...LIMITS }),
    };
  };
  return {
    async find(items) {
      const [answer = { state: "missing" }] = await findEach(open(), [items]);
      return answer;
    },
    findEach: async (questions) => await findEach(open(), questions),
    async set(item, value, options) {
      const session = open();
      const stored =
        platform === "darwin" ? await recreate(session, item, value) : await store(session, item, value, options);
      return stored.state === "done" ? await clearOthers(session, [item], stored.changed) : stored;
    },
    async remove(items, options) {
      const session = open();
      const heard = await session.ask({ do: "remove" }, items, options);
      if (heard.state !== "told") return heard;
      return await clearOthers(session, items, heard.told.changed === true);
    },
  };
}

async function findEach(
  { ask, tool }: Session,
  questions: readonly (readonly KeychainItem[])[],
): Promise<readonly KeychainAnswer[]> {
  const heard = await ask({ do: "find" }, questions.flat());
  let trouble = heard.state === "told" ? undefined : unaskable(heard);
  const values = heard.state === "told" ? [...(heard.told.values ?? [])] : [];
  const answers: KeychainAnswer[] = [];
  for (const items of questions) {
    const answer = trouble ?? (await findIn(tool, items, values.splice(0, items.length)));
    if (answer.state !== "found" && answer.state !== "missing") trouble = answer;
    answers.push(answer);
  }
  return answers;
}

/** The first of the items in either layout; the values are those of our own. */
async function findIn(
  tool: SecretTool | undefined,
  items: readonly KeychainItem[],
  values: readonly (string | null)[],
): Promise<KeychainAnswer> {
  for (const [at, item] of items.entries()) {
    const value = values[at];
    if (value) return { state: "found", value };
    const other = await tool?.lookup(item);
    if (other === undefined || other.state === "missing") continue;
    return other.state === "found" ? other : unaskable(troubleOf(other));
  }
  return { state: "missing" };
}

function unaskable(trouble: Trouble): Exclude<KeychainAnswer, { readonly state: "found" | "missing" }> {
  return trouble.state === "refused" ? { state: "unavailable", reason: trouble.reason } : trouble;
}

async function store(
  { ask }: Session,
  item: KeychainItem,
  value: string,
  options: KeychainChangeOptions | undefined,
): Promise<KeychainChange> {
  const heard = await ask({ do: "set", value }, [item], options);
  return heard.state === "told" ? { state: "done", changed: heard.told.changed === true } : heard;
}

/** macOS: written by `security`, whose open access list ours could not be trusted to have, and read again (CASE-62). */
async function recreate(session: Session, item: KeychainItem, value: string): Promise<KeychainChange> {
  const lines = recreateLines(serviceOf(item), ACCOUNT, value);
  if (lines === undefined) return await store(session, item, value, undefined);
  const before = await session.ask({ do: "find" }, [item]);
  if (before.state !== "told") return before;
  const old = before.told.values?.[0];
  if (old === value) return { state: "done", changed: false };
  const ran = await session.recreate(lines);
  const after = await session.ask({ do: "find" }, [item]);
  if (after.state === "told" && after.told.values?.[0] === value) return { state: "done", changed: true };
  // Deleted and not added: what was there before is put back.
  if (old) await session.recreate(recreateLines(serviceOf(item), ACCOUNT, old) ?? "");
  if (ran.timedOut) return timedOut(DEADLINE_MS);
  if (NO_INTERACTION.test(ran.stderr)) return { state: "locked" };
  return after.state === "told" ? { state: "refused", reason: endingOf(ran) } : after;
}

/** Ours is stored or gone by now; an old value left in the other layout would come back one day (KCH-10). */
async function clearOthers(
  { tool }: Session,
  items: readonly KeychainItem[],
  changed: boolean,
): Promise<KeychainChange> {
  let cleared = changed;
  for (const item of items) {
    const answer = await tool?.clear(item);
    if (answer === undefined || answer.state === "missing") continue;
    if (answer.state !== "removed") return troubleOf(answer);
    cleared = true;
  }
  return { state: "done", changed: cleared };
}

interface Putting {
  readonly question: Question;
  readonly items: readonly KeychainItem[];
  readonly options: KeychainChangeOptions | undefined;
}

async function askOwnProcess(
  processes: Processes,
  self: readonly string[],
  env: Readonly<Record<string, string>>,
  { question, items, options }: Putting,
): Promise<Heard> {
  const [command = "", ...args] = self;
  const unlock = options?.unlock === true ? { unlock: true } : {};
  const asked: Asked = {
    ...question,
    ...unlock,
    items: items.map((item) => ({ service: serviceOf(item), name: ACCOUNT })),
  };
  const deadlineMs = options?.unlock === true ? UNLOCK_MS : DEADLINE_MS;
  const stdin = JSON.stringify(asked);
  const maxOutputBytes = MAX_ANSWER_BYTES * Math.ceil(items.length / ITEMS_AN_ANSWER);
  const result = await processes.run({
    command,
    args: [...args, "__keychain"],
    env,
    stdin,
    maxOutputBytes,
    deadlineMs,
  });
  if (result.timedOut) return timedOut(deadlineMs);
  const told = readTold(result.stdout);
  if (told === undefined) return { state: "unavailable", reason: endingOf(result) };
  if (told.locked === true) return { state: "locked" };
  if (told.refused !== undefined) return { state: "refused", reason: told.refused };
  if (told.error !== undefined) return { state: "unavailable", reason: told.error };
  return { state: "told", told };
}

function serviceOf({ service, name }: KeychainItem): string {
  return `${service}:${name}`;
}

function troubleOf(answer: ToolTrouble): Trouble {
  if (answer.state === "locked") return { state: "locked" };
  return answer.state === "failed" ? { state: "refused", reason: endingOf(answer.result) } : timedOut(DEADLINE_MS);
}

function timedOut(afterMs: number): Trouble & { state: "timed_out" } {
  return { state: "timed_out", afterMs };
}

function sessionOf(variables: Variables): Record<string, string> {
  const env: Record<string, string> = {};
  for (const name of SESSION_VARIABLES) {
    const value = variables[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}

function readTold(line: string): Told | undefined {
  try {
    return JSON.parse(line) as Told;
  } catch {
    // It ended before it could answer; how it ended says more.
    return undefined;
  }
}

function endingOf({ exitCode, stderr }: RunResult): string {
  const said = stderr.trim().split("\n").at(-1) ?? "";
  const how = exitCode === undefined ? "was ended by a signal" : `ended with exit code ${exitCode}`;
  return said === "" ? `the program that asks it ${how}` : said;
}
