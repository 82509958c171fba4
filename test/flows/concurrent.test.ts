/** Many processes on one store: each change happens once and whole, or is refused as busy, and the record names what is there. */
import { beforeAll, describe, expect, test } from "bun:test";
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FlowHome } from "../lab/binary.ts";
import { homeOf } from "../lab/refusal.ts";
import { EIGHT, olderFermix } from "../lab/releases.ts";

let binary: string;
beforeAll(async () => {
  binary = await olderFermix();
}, 120_000);

interface Ended {
  readonly words: string;
  readonly exit: number;
  /** The error's code, or what the command says it did. */
  readonly said: string;
}

/** Starts all at once and waits for all. */
async function together(home: FlowHome, commands: readonly string[]): Promise<readonly Ended[]> {
  return await Promise.all(
    commands.map(async (words) => {
      const { code: exit, stdout } = await home.fermix(`${words} --json`, { binary });
      const answer = JSON.parse(stdout);
      return { words, exit, said: answer.error?.code ?? answer.status ?? "done" };
    }),
  );
}

const record = (home: FlowHome): Record<string, { version: string }> =>
  JSON.parse(readFileSync(join(home.root, "plugins/installed.json"), "utf8"));

/** No lock, no staging, no half version; record and `current` say the same; every plugin is proven. */
async function expectWhole(home: FlowHome): Promise<void> {
  const leftOver = Object.keys(homeOf(home.root)).filter((path) =>
    /\.lock|\.staging|\.tmp|\.pending|\.replacing|\.stale|\.new/.test(path),
  );
  expect(leftOver).toEqual([]);
  const installed = join(home.root, "plugins/installed");
  const folders = existsSync(installed) ? readdirSync(installed).sort() : [];
  expect(Object.keys(record(home))).toEqual(folders);
  const { stdout, code } = await home.fermix("plugins verify --json", { binary });
  const verified = (JSON.parse(stdout).plugins as { name: string; version: string; ok: boolean }[]).map(
    ({ name, version, ok }) => [name, version, ok],
  );
  expect({ code, verified }).toEqual({
    code: 0,
    verified: Object.entries(record(home)).map(([name, { version }]) => [name, version, true]),
  });
}

describe("INS-9/two-processes", () => {
  test("eight different plugins at once: all are installed and all are recorded", async () => {
    using home = new FlowHome();
    const ended = await together(
      home,
      EIGHT.map((name) => `plugins install ${name}`),
    );
    expect(ended.map(({ exit, said }) => `${exit} ${said}`)).toEqual(EIGHT.map(() => "0 installed"));
    expect(Object.keys(record(home))).toEqual(EIGHT);
    await expectWhole(home);
    const gone = await together(
      home,
      EIGHT.map((name) => `plugins uninstall ${name}`),
    );
    expect(gone.map(({ exit }) => exit)).toEqual(EIGHT.map(() => 0));
    expect(record(home)).toEqual({});
    await expectWhole(home);
  }, 120_000);

  test("one plugin, six at once: one installs it, the others find it or are told that it is busy", async () => {
    using home = new FlowHome();
    const ended = await together(
      home,
      Array.from({ length: 6 }, () => "plugins install notes"),
    );
    expect(ended.filter(({ said }) => said === "installed")).toHaveLength(1);
    for (const { exit, said } of ended)
      expect(["0 installed", "0 already_installed", "1 plugin_busy"]).toContain(`${exit} ${said}`);
    await expectWhole(home);
  }, 120_000);

  test("three versions at once: one of them ends up live, and the record says which", async () => {
    using home = new FlowHome();
    const ended = await together(
      home,
      ["1.0.0", "1.1.0", "1.2.0"].map((version) => `plugins install notes@${version}`),
    );
    for (const { exit, said } of ended) expect(["0 installed", "1 plugin_busy"]).toContain(`${exit} ${said}`);
    await expectWhole(home);
  }, 120_000);

  test("install against uninstall against gc against upgrade: every end has a name, and the store is whole", async () => {
    using home = new FlowHome();
    expect(await home.fermix("plugins install notes@1.0.0", { binary })).toMatchObject({ code: 0 });
    const rounds = [
      ["plugins uninstall notes", "plugins install notes@1.1.0", "plugins gc", "plugins upgrade notes"],
      ["plugins install notes --force", "plugins uninstall notes", "plugins gc", "plugins verify notes"],
      ["plugins pin notes@1.0.0", "plugins install notes@1.1.0", "plugins gc", "plugins enable notes"],
      ["plugins disable notes", "plugins uninstall notes", "plugins install notes", "plugins list"],
    ];
    for (const commands of rounds) {
      const ended = await together(home, commands);
      const named = [
        "done",
        "ready",
        "installed",
        "already_installed",
        "upgraded",
        "up_to_date",
        "pinned",
        "plugin_busy",
        "plugin_not_installed",
        "plugin_pinned",
      ];
      for (const end of ended) expect({ ...end, named: named.includes(end.said) }).toEqual({ ...end, named: true });
      if (!existsSync(join(home.root, "plugins/installed/notes")))
        await home.fermix("plugins install notes", { binary });
      await expectWhole(home);
    }
  }, 120_000);

  test("eight edits of config.toml at once: none is lost, and no comment is", async () => {
    using home = new FlowHome();
    for (const name of EIGHT)
      expect(await home.fermix(`plugins install ${name}`, { binary })).toMatchObject({ code: 0 });
    writeFileSync(join(home.root, "config.toml"), "# mine\n[other] # too\nx = 1\n");
    const ended = await together(
      home,
      EIGHT.map((name) => `plugins enable ${name}`),
    );
    expect(ended.map(({ exit }) => exit)).toEqual(EIGHT.map(() => 0));
    const text = readFileSync(join(home.root, "config.toml"), "utf8");
    expect(text).toStartWith("# mine\n[other] # too\nx = 1\n");
    for (const name of EIGHT) expect(text).toContain(JSON.stringify(name));
    expect(readdirSync(home.root).filter((name) => name.startsWith("config"))).toEqual(["config.toml"]);
  }, 120_000);

  test("a lock kept by a living process: the named busy error in the end, nothing changed, and reading goes on", async () => {
    using home = new FlowHome();
    expect(await home.fermix("plugins install notes@1.0.0", { binary })).toMatchObject({ code: 0 });
    expect(await home.fermix("plugins enable notes", { binary })).toMatchObject({ code: 0 });
    const changes = ["upgrade notes", "uninstall notes", "pin notes@1.1.0", "install notes@1.0.0 --force"];
    const refusals = [".lock-notes", ".lock"].flatMap((lock) =>
      changes.map(async (verb) => {
        const root = join(home.folder, `${lock} ${verb}`);
        cpSync(home.root, root, { recursive: true, verbatimSymlinks: true });
        writeFileSync(join(root, "plugins", lock), `${Date.now()} ${process.pid}\n`);
        const before = homeOf(root);
        const options = { binary, env: { FERMIX_HOME: root } };
        const reading = await Promise.all(
          ["list", "info notes"].map((read) => home.fermix(`plugins ${read}`, options)),
        );
        expect(reading.map(({ code }) => code)).toEqual([0, 0]);
        const { code, stdout } = await home.fermix(`plugins ${verb} --json`, options);
        const said = JSON.parse(stdout).error?.code;
        const error = lock === ".lock" ? "store_busy" : "plugin_busy";
        expect({ lock, verb, code, said, after: homeOf(root) }).toEqual({
          lock,
          verb,
          code: 1,
          said: error,
          after: before,
        });
      }),
    );
    await Promise.all(refusals);
  }, 120_000);
});
