/** The architecture holds: imports point down, effects live in their rooms, files stay small, nothing is suppressed. */
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const SRC = join(ROOT, "src");

/** Low to high: a room imports only rooms before it (DESIGN, "Rooms"). */
const ORDER = [
  "kernel",
  "files",
  "egress",
  "config",
  "manifest",
  "catalog",
  "trust",
  "auth",
  "store",
  "rails",
  "formats",
  "plugins",
  "host",
  "agent",
  "daemon",
  "web",
  "cli",
] as const;

/** node: modules that touch the world, and the rooms that may. `files` is not a port: rooms about files use them. */
const FILE_ROOMS = new Set([
  "files",
  "config",
  "catalog",
  "trust",
  "store",
  "rails",
  "plugins",
  "host",
  "auth",
  "system",
  "cli",
]);
const EFFECTS = /^node:(child_process|dns|net|tls|http|https|http2|dgram|cluster|worker_threads)/;

interface SourceFile {
  readonly path: string;
  readonly room: string;
  readonly text: string;
  readonly lines: number;
  readonly imports: readonly string[];
}

const IMPORT =
  /^\s*(?:import|export)\b[^"';]*?\bfrom\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)|^\s*import\s*["']([^"']+)["']/gm;

function load(): SourceFile[] {
  return [...new Bun.Glob("**/*.{ts,tsx}").scanSync({ cwd: SRC })].sort().map((path) => {
    const text = readFileSync(join(SRC, path), "utf8");
    const imports = [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
    const room = path.includes("/") ? (path.split("/")[0] ?? "") : "";
    return { path, room, text, lines: text.trimEnd().split("\n").length, imports };
  });
}

const files = load();

/** What is compiled in from beside `src/`: the version, and the catalog. */
const EMBEDS = new Set(["kernel/version.ts", "system/embedded-catalog.ts"]);
const OUTSIDE = "..";

function roomOf(file: SourceFile, specifier: string): string {
  const target = relative(SRC, join(SRC, dirname(file.path), specifier));
  return target.includes("/") ? (target.split("/")[0] ?? "") : "";
}

test("the scan saw the source", () => {
  expect(files.length).toBeGreaterThan(50);
  expect(files.reduce((sum, { imports }) => sum + imports.length, 0)).toBeGreaterThan(200);
});

describe("imports", () => {
  test("point down, and only compose.ts and main.ts reach system/", () => {
    const wrong: string[] = [];
    for (const file of files) {
      for (const specifier of file.imports.filter((name) => name.startsWith("."))) {
        const target = roomOf(file, specifier);
        if (target === file.room || file.room === "" || (target === OUTSIDE && EMBEDS.has(file.path))) continue;
        const from = ORDER.indexOf(file.room as never);
        const to = ORDER.indexOf(target as never);
        const ok = file.room === "system" ? target === "kernel" || target === "system" : to !== -1 && to < from;
        if (!ok) wrong.push(`${file.path} -> ${specifier}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test("every room is one of the design's", () => {
    const rooms = new Set(files.map(({ room }) => room).filter((room) => room !== ""));
    expect([...rooms].filter((room) => room !== "system" && !ORDER.includes(room as never))).toEqual([]);
  });

  test("rails do not know each other", () => {
    const wrong = files
      .filter(({ room }) => room === "rails")
      .flatMap((file) =>
        file.imports
          .filter((name) => name.startsWith("."))
          .map((name) => relative(SRC, join(SRC, dirname(file.path), name)))
          .filter(
            (target) =>
              target.split("/").length > 2 &&
              target.split("/")[1] !== file.path.split("/")[1] &&
              target.startsWith("rails/"),
          )
          .map((target) => `${file.path} -> ${target}`),
      );
    expect(wrong).toEqual([]);
  });
});

describe("effects", () => {
  const code = (file: SourceFile): string => file.text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/\/\/[^\n]*/g, "");

  test("network and processes are used in system/ only", () => {
    const wrong = files
      .filter(({ room }) => room !== "system")
      .filter(
        (file) =>
          file.imports.some((name) => EFFECTS.test(name)) ||
          /\bfetch\(|\bBun\.(spawn|spawnSync|serve|listen|connect|dns|secrets)\b/.test(code(file)),
      );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  test("files are used in the rooms about files only", () => {
    const wrong = files.filter(
      ({ room, imports }) => room !== "" && !FILE_ROOMS.has(room) && imports.some((name) => /^node:fs/.test(name)),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  test("clock and randomness come through ports", () => {
    const wrong = files.filter(
      (file) =>
        file.room !== "system" &&
        /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\brandomBytes\(|\brandomUUID\(/.test(code(file)),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  test("only config/env.ts and system/ read the environment", () => {
    const wrong = files.filter(
      (file) =>
        file.path !== "config/env.ts" && file.room !== "system" && /\bprocess\.env\b|\bBun\.env\b/.test(code(file)),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });
});

describe("reading", () => {
  test("no file is over 350 lines and each starts with its one sentence", () => {
    expect(files.filter(({ lines }) => lines > 350).map(({ path, lines }) => `${path} ${lines}`)).toEqual([]);
    expect(files.filter(({ text }) => !/^(#![^\n]*\n)?\/\*\*? /.test(text)).map(({ path }) => path)).toEqual([]);
  });

  test("nothing is suppressed, skipped or left for later", () => {
    const marks = new RegExp(
      ["biome", "-ignore|@ts", "-(ignore|expect-error|nocheck)|\\b(TODO|FIXME|XXX)\\b"].join(""),
    );
    const wrong = [
      ...new Bun.Glob("{src,test,scripts,catalog/plugins}/**/*.{ts,tsx,mjs,js}").scanSync({ cwd: ROOT }),
    ].filter((path) => marks.test(readFileSync(join(ROOT, path), "utf8")));
    expect(wrong).toEqual([]);
  });

  test("the README's room table names the rooms that are there", () => {
    const readme = readFileSync(join(ROOT, "README.md"), "utf8");
    const listed = [...readme.matchAll(/^\| `src\/([a-z-]+)\/` *\|/gm)].map((match) => match[1] ?? "");
    const there = readdirSync(SRC, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect([...listed].sort()).toEqual(there.sort());
  });

  test("a test mirrors every source room", () => {
    const rooms = new Set(files.map(({ room }) => room).filter((room) => room !== ""));
    expect([...rooms].filter((room) => !existsSync(join(ROOT, "test", room)))).toEqual([]);
  });
});
