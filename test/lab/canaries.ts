/** Looks for secrets that tests planted where nobody may have put them: in files of a home, in its log, in what was printed. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";

/** Every regular file below these folders that holds the text. */
export function filesWith(text: string, folders: readonly string[]): string[] {
  return folders.flatMap((folder) => filesBelow(folder).filter((path) => readFileSync(path).includes(text)));
}

/** The keys, tokens and client secrets that stand-ins honour and `placeSignIn` gives, whichever test uses them. */
const PLANTED =
  /xoxb-lab-\w+|lab-[a-z]+-(?:token|refresh|access)\b[\w-]*|test-(?:access|refresh)-token-\d|lab-client-secret/g;
/** Where a person, or a sign-in, puts what is found there. */
const AUTH_FILE = /^auth\.json/;
const CONFIG_FILE = /^config\.toml$/;

/** The planted secrets in a text, and the given ones, each once. */
export function canariesIn(text: string, more: readonly string[] = []): string[] {
  return [...new Set([...(text.match(PLANTED) ?? []), ...more.filter((secret) => text.includes(secret))])];
}

/** `file: secret` for each secret that lies in a home's files without belonging there. */
export function strayIn(root: string, more: readonly string[] = []): string[] {
  if (!existsSync(root)) return [];
  const tokens = tokensIn(root);
  return filesBelow(root).flatMap((path) => {
    const name = relative(root, path);
    const belongs = (secret: string): boolean =>
      AUTH_FILE.test(name)
        ? tokens.includes(secret) || /^(lab-[a-z]+|test)-(token|refresh|access)/.test(secret)
        : CONFIG_FILE.test(name) && secret === "lab-client-secret";
    return canariesIn(readFileSync(path, "latin1"), [...more, ...tokens])
      .filter((secret) => !belongs(secret))
      .map((secret) => `${name}: ${secret}`);
  });
}

/** What is too short could stand anywhere by chance. */
const MIN_TOKEN_LENGTH = 12;

/** Every token that a home's auth.json holds now, such as those that a server made up. */
export function tokensIn(root: string): string[] {
  const path = join(root, "auth.json");
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return [];
  const tokens = [...readFileSync(path, "utf8").matchAll(/"(?:access|refresh)_token": *"([^"]*)"/g)];
  return tokens.map(([, token = ""]) => token).filter((token) => token.length >= MIN_TOKEN_LENGTH);
}

/** Links are not followed: what they lead to is looked at where it is. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}
