/** Reads the sign-in that Claude Code keeps for itself: its keychain item on macOS, else its file (spec 8.2). */
import { join } from "node:path";
import * as v from "valibot";
import type { Environment } from "../../config/env.ts";
import { CLAUDE_FOLDER_VARIABLE } from "../../config/variables.ts";
import { reasonFor } from "../../files/fs-failure.ts";
import { readRegularFile } from "../../files/read-regular.ts";
import { FermixError, hasErrno } from "../../kernel/error.ts";
import type { Clock, Processes } from "../../kernel/ports.ts";
import { parseJsonBytes } from "../../kernel/strict-json.ts";
import { StrictJsonError } from "../../kernel/strict-json-error.ts";
import { standIn } from "../stand-in.ts";

/** Tokens are secrets: nothing but auth.json may get them. */
export interface ClaudeCodeSignIn {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** Unix time in milliseconds; undefined: it does not say. */
  readonly expiresAt: number | undefined;
  readonly scopes: readonly string[];
}

export interface ClaudeCodeDeps {
  readonly ports: { readonly clock: Pick<Clock, "now">; readonly processes: Pick<Processes, "run"> };
  readonly env: Pick<Environment, "get" | "userHome">;
  readonly platform: NodeJS.Platform;
}

const ITEM = "Claude Code-credentials";
const SECURITY = "/usr/bin/security";
/** What `security` ends with when there is no such item. */
const NO_SUCH_ITEM = 44;
/** macOS may ask its user whether `security` may read another program's item. */
const ASK_MS = 90_000;
/** Claude Code keeps the sign-ins of MCP servers beside its own. */
const MAX_BYTES = 1024 * 1024;

/** A value that goes into a header as it is. */
const token = v.pipe(
  v.string("is no text"),
  v.regex(/^[\x21-\x7e]+$/, "is empty or has characters that no token has"),
  v.check((text) => standIn(text) === undefined, "only stands for a token"),
);
/** Every message is given: a default one would quote what it met, which may be a token. */
const schema = v.looseObject(
  {
    claudeAiOauth: v.looseObject(
      {
        accessToken: token,
        refreshToken: v.nullish(token),
        expiresAt: v.nullish(v.pipe(v.number("is no time"), v.check(isTime, "is no time"))),
        scopes: v.nullish(v.array(v.string("is no text"), "is no list"), []),
      },
      "is no object",
    ),
  },
  "is no object",
);

/** Milliseconds of Unix time that a date can be made of. */
function isTime(ms: number): boolean {
  return !Number.isNaN(new Date(ms).getTime());
}

/**
 * What Claude Code is signed in with. Throws claude_code_missing with every place that was looked at, and
 * claude_code_unusable: unreadable, no such document, or ended already.
 */
export async function readClaudeCode(deps: ClaudeCodeDeps): Promise<ClaudeCodeSignIn> {
  const folder = deps.env.get(CLAUDE_FOLDER_VARIABLE)?.trim() || join(deps.env.userHome || "/", ".claude");
  const file = join(folder, ".credentials.json");
  const item = `keychain item ${ITEM}`;
  const places = deps.platform === "darwin" ? [item, file] : [file];
  const kept = deps.platform === "darwin" ? await readItem(deps, item) : undefined;
  if (kept !== undefined) return judge(kept, item, deps.ports.clock.now());
  const bytes = readFile(file);
  if (bytes === undefined) throw new FermixError("claude_code_missing", { places });
  return judge(bytes, file, deps.ports.clock.now());
}

async function readItem({ ports, env }: ClaudeCodeDeps, place: string): Promise<Uint8Array | undefined> {
  const { exitCode, stdout, timedOut } = await ports.processes.run({
    command: SECURITY,
    args: ["find-generic-password", "-s", ITEM, "-w"],
    env: { HOME: env.userHome },
    deadlineMs: ASK_MS,
    maxOutputBytes: MAX_BYTES,
  });
  if (exitCode === NO_SUCH_ITEM) return undefined;
  if (timedOut) throw unusable(place, "the keychain gave no answer");
  // Over SSH `security` may say nothing and still end with 0 (CASE-62).
  if (exitCode !== 0 || stdout.trim() === "") throw unusable(place, "the keychain did not give it out");
  return Buffer.from(stdout);
}

function readFile(path: string): Uint8Array | undefined {
  try {
    return readRegularFile(path, MAX_BYTES);
  } catch (cause) {
    if (hasErrno(cause, "ENOENT")) return undefined;
    throw unusable(path, reasonFor(cause) ?? "it cannot be read", cause);
  }
}

/** The reasons name keys and never values. */
function judge(bytes: Uint8Array, place: string, now: number): ClaudeCodeSignIn {
  let document: unknown;
  try {
    document = parseJsonBytes(bytes, { maxBytes: MAX_BYTES, integers: "any" });
  } catch (cause) {
    // Not as the cause: it may quote the text.
    if (cause instanceof StrictJsonError) throw unusable(place, "it is no valid JSON");
    throw cause;
  }
  const read = v.safeParse(schema, document);
  if (!read.success) {
    const [issue] = read.issues;
    const key = (issue.path ?? []).map((part) => String(part.key)).join(".");
    throw unusable(
      place,
      `its ${key === "" ? "content" : key} ${issue.received === "undefined" ? "is missing" : issue.message}`,
    );
  }
  const { accessToken, refreshToken, expiresAt, scopes } = read.output.claudeAiOauth;
  if (typeof expiresAt === "number" && expiresAt <= now)
    throw unusable(place, `it ended ${new Date(expiresAt).toISOString()}`);
  return {
    accessToken,
    refreshToken: refreshToken ?? undefined,
    expiresAt: expiresAt ?? undefined,
    scopes: scopes ?? [],
  };
}

function unusable(place: string, reason: string, cause?: unknown): FermixError<"claude_code_unusable"> {
  return new FermixError("claude_code_unusable", { place, reason }, { cause });
}
