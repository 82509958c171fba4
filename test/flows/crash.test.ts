/** Kill -9 at every step: each state that a changing command puts the disk into is kept, and each must recover by itself. */
import { beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { snapshotTree } from "../expect.ts";
import { FlowHome } from "../lab/binary.ts";
import { pathWith, REAL_COSIGN } from "../lab/cosign.ts";
import { homeOf, inLanes } from "../lab/refusal.ts";
import { olderFermix } from "../lab/releases.ts";
import { inSlowMotion, type KeptState } from "../lab/slow-motion.ts";

let binary: string;
beforeAll(async () => {
  binary = await olderFermix();
}, 120_000);

/** What is where below `plugins/` and beside config.toml: how far a command got, without what differs from run to run. */
function stateOf(root: string): string {
  const beside = readdirSync(root).filter((name) => name.startsWith("config.toml"));
  const config = beside.map((name) => name.replace(/\.\d+-\d+\.tmp$/, ".tmp").replace(/\.\d+\.(new|stale)$/, ".$1"));
  const plugins = join(root, "plugins");
  if (!existsSync(plugins)) return config.sort().join(" ");
  const seen = Object.entries(snapshotTree(plugins)).map(([path, kind]) => {
    const plain = path
      .replace(/^\.staging\/[^/]+-(\d+\.\d+\.\d+|trash)-[^/]+/, ".staging/$1")
      .replace(/\/cosign\/.+/, "/cosign/")
      .replace(/\d+-\d+\.tmp$/, "tmp");
    return kind.startsWith("link") ? `${plain}=${kind}` : plain.replace(/\.\d+\.(new|stale)$/, ".$1");
  });
  const inATree =
    /^\.staging\/[^/]+\/tree\/.|^\.staging\/trash\/.|^installed\/[^/]+\/\.?\d+\.\d+\.\d+(\.replacing)?\/./;
  return [...new Set([...config, ...seen.filter((path) => !inATree.test(path))])].sort().join(" ");
}

const RECORD = "plugins/installed.json";
/** Each watch takes a second or two. */
const MAX_WATCHES = 6;

/** A home with the dates of verification taken out, so that two runs can be compared. */
function undated(root: string): Tree {
  const { "plugins/installed/": _, ...seen } = homeOf(root);
  for (const path of Object.keys(seen)) {
    if (!/(^|\/)(installed|\.\d+\.\d+\.\d+)\.json$/.test(path)) continue;
    const text = readFileSync(join(root, path), "utf8").replaceAll(/"verified_at": "[^"]*"/g, '"verified_at": "-"');
    seen[path] = text;
  }
  return seen;
}

interface Change {
  readonly title: string;
  /** Commands that make the home as it is before. */
  readonly before: readonly string[];
  readonly words: string;
  /** Parts of states that must have been seen, so that the run was slow enough to mean something. */
  readonly through: readonly string[];
  /** What else than the home before and the home after is a sound end: what it is made of. */
  readonly between?: (before: Tree, after: Tree) => Tree;
}

type Tree = Readonly<Record<string, string>>;

const CHANGES: readonly Change[] = [
  {
    title: "a first install",
    before: [],
    words: "plugins install notes@1.0.0",
    through: [
      ".lock-notes",
      "artifact.tgz",
      "artifact.sig",
      "tree/",
      ".1.0.0.pending.json",
      "installed/notes/1.0.0/",
      "current=link:1.0.0",
      "installed.json",
    ],
  },
  {
    title: "an upgrade",
    before: ["plugins install notes@1.0.0", "plugins enable notes"],
    words: "plugins upgrade notes",
    through: ["tree/", ".1.2.0.pending.json", "installed/notes/1.2.0/", "current=link:1.2.0"],
  },
  {
    title: "a reinstall",
    before: ["plugins install notes@1.1.0", "plugins enable notes"],
    words: "plugins install notes@1.1.0 --force",
    through: ["tree/", ".1.1.0.pending.json", ".1.1.0.replacing/"],
  },
  {
    title: "a way back to a kept version",
    before: ["plugins install notes@1.0.0", "plugins upgrade notes"],
    words: "plugins pin notes@1.0.0",
    through: ["current=link:1.0.0", "current=link:1.2.0"],
    // The older version is live already, and the pin is not written yet.
    between: (_, after) => ({ ...after, [RECORD]: (after[RECORD] ?? "").replace(/,\s*"pinned": true/, "") }),
  },
  {
    title: "an uninstall",
    before: ["plugins install notes@1.0.0", "plugins upgrade notes", "plugins enable notes"],
    words: "plugins uninstall notes",
    through: [".staging/trash", "config.toml.lock"],
    // Its files are gone, and config.toml still names it: agents are told that it is not installed.
    between: (before, after) => ({ ...after, "config.toml": before["config.toml"] ?? "" }),
  },
  {
    title: "a collection of old versions",
    before: ["plugins install notes@1.0.0", "plugins install notes@1.1.0", "plugins upgrade notes"],
    words: "plugins gc",
    through: [".staging/trash"],
  },
];

describe("INS-5/crash-keeps-old INS-5/no-debris kill -9 at any moment of", () => {
  for (const { title, before, words, through, between = () => ({}) } of CHANGES) {
    test(`${title}: old or new is live, and the next command leaves no trace of the crash`, async () => {
      using home = new FlowHome();
      for (const step of before) expect(await home.fermix(step, { binary })).toMatchObject({ code: 0 });
      mkdirSync(home.root, { recursive: true });
      const old = undated(home.root);
      const states = await watched(home, words, through);
      const done = undated(home.root);
      for (const part of through) expect(states.map(({ state }) => state).join("\n")).toContain(part);
      const ends: Record<string, unknown> = {};
      await inLanes([home, home], states, async (lane, { state, root }) => {
        const end = await recovered(lane, root);
        const known = [old, done, between(old, done)].some((tree) => Bun.deepEquals(end.tree, tree));
        ends[state] = { ...end, tree: known ? "sound" : end.tree };
      });
      const sound = { listed: 0, collected: 0, tree: "sound" };
      expect(ends).toEqual(Object.fromEntries(states.map(({ state }) => [state, sound])));
    }, 120_000);
  }

  /**
   * Every state that the command's runs went through. On a busy machine the watcher may sleep while the command goes
   * on, so it is watched again, from the same start, until all that it must go through was seen.
   */
  async function watched(home: FlowHome, words: string, through: readonly string[]): Promise<readonly KeptState[]> {
    const start = join(home.folder, "start");
    cpSync(home.root, start, { recursive: true, verbatimSymlinks: true });
    const kept = new Map<string, KeptState>();
    for (let watch = 1; watch <= MAX_WATCHES; watch += 1) {
      if (watch > 1) {
        rmSync(home.root, { recursive: true });
        cpSync(start, home.root, { recursive: true, verbatimSymlinks: true });
      }
      const into = join(home.folder, `states-${watch}`);
      mkdirSync(into);
      const { code, states } = await inSlowMotion(home, { binary, words: words.split(" "), stateOf, into });
      expect(code).toBe(0);
      for (const seen of states) if (!kept.has(seen.state)) kept.set(seen.state, seen);
      const all = [...kept.keys()].join("\n");
      if (through.every((part) => all.includes(part))) break;
    }
    return [...kept.values()];
  }

  /** Reading works in a crashed home as it is; the next verb that may change something puts it in order. */
  async function recovered(lane: FlowHome, root: string): Promise<{ listed: number; collected: number; tree: Tree }> {
    const options = { binary, env: { FERMIX_HOME: root } };
    const list = await lane.fermix("plugins list", options);
    const gc = await lane.fermix("plugins gc", options);
    return { listed: list.code, collected: gc.code, tree: undated(root) };
  }
});

describe("while cosign judges", () => {
  test("INS-5/crash-keeps-old kill -9: the old version stays live, and the next install goes through", async () => {
    using home = new FlowHome();
    expect(await home.fermix("plugins install notes@1.0.0", { binary })).toMatchObject({ code: 0 });
    const old = undated(home.root);
    const bin = join(home.folder, "bin");
    // The self-test passes; at the package itself, the whole family of Fermix dies.
    const script = `for last; do :; done
case "$last" in *artifact.tgz) kill -9 "$(cat ${home.folder}/pid)"; exit 1;; esac
exec ${REAL_COSIGN} "$@"`;
    const env = { PATH: pathWith(bin, script) };
    const through = ["sh", "-c", `echo $$ > "$0/pid"; exec "$@"`, home.folder];
    const killed = await home.fermix("plugins upgrade notes", { binary, env, through });
    expect({ code: killed.code, stdout: killed.stdout }).toEqual({ code: 137, stdout: "" });
    expect(readdirSync(join(home.root, "plugins/.staging")).length).toBe(1);
    expect((await home.fermix("plugins installed", { binary })).stdout).toBe("notes\t1.0.0\tready\n");
    expect(await home.fermix("plugins gc", { binary })).toMatchObject({ code: 0 });
    expect(undated(home.root)).toEqual(old);
    expect(await home.fermix("plugins upgrade notes", { binary })).toMatchObject({
      code: 0,
      stdout: "upgraded notes\n",
    });
  }, 60_000);

  test("a binary that is replaced while it works goes on as the one it is (CASE-92)", async () => {
    using home = new FlowHome();
    const own = join(home.folder, "fermix");
    copyFileSync(binary, own);
    // Gone before the first program is started, and something else in its place before the second.
    const script = `echo "#!/bin/sh" > ${own}; chmod 755 ${own}; exec ${REAL_COSIGN} "$@"`;
    const env = { PATH: pathWith(join(home.folder, "bin"), script) };
    const into = join(home.folder, "states");
    mkdirSync(into);
    const stateOf = (root: string): string => {
      if (existsSync(join(root, "plugins/.lock-notes"))) rmSync(own, { force: true });
      return "";
    };
    const run = { binary: own, words: ["plugins", "install", "notes@1.0.0"], stateOf, into, env };
    expect((await inSlowMotion(home, run)).code).toBe(0);
    expect(await home.fermix("plugins verify", { binary })).toMatchObject({
      code: 0,
      stdout: "notes\t1.0.0\tproven\n",
    });
  }, 60_000);

  test("INS-10/corrupt-lock the locks of a process that is gone are taken over and do not stay", async () => {
    using home = new FlowHome();
    expect(await home.fermix("plugins install notes@1.0.0", { binary })).toMatchObject({ code: 0 });
    const before = undated(home.root);
    const gone = Bun.spawnSync(["true"]).pid;
    for (const lock of [".lock", ".lock-notes"]) {
      writeFileSync(join(home.root, "plugins", lock), `${Date.now()} ${gone}\n`);
      expect(await home.fermix("plugins gc", { binary })).toMatchObject({ code: 0 });
      expect({ lock, after: undated(home.root) }).toEqual({ lock, after: before });
      writeFileSync(join(home.root, "plugins", lock), `${Date.now()} ${gone}\n`);
      expect(await home.fermix("plugins install notes@1.0.0 --force", { binary })).toMatchObject({ code: 0 });
      expect({ lock, after: undated(home.root) }).toEqual({ lock, after: before });
    }
  }, 60_000);
});
