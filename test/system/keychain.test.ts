/** Tests of system/keychain.ts on a real gnome-keyring: both layouts, and every way in which a keychain gives no answer. */
import { afterEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KeychainItem, RunSpec } from "../../src/kernel/ports.ts";
import { systemKeychain } from "../../src/system/keychain.ts";
import { systemProcesses } from "../../src/system/processes.ts";
import { FakeProcesses } from "../fakes/processes.ts";
import { Keyring, keyringMissing, SilentBus } from "../lab/keyring.ts";

const missing = keyringMissing();
if (missing !== undefined) process.stderr.write(`not run: ${missing} is missing\n`);
/** A busy machine starts a dozen programs in more than the usual five seconds. */
const PATIENT_MS = 60_000;

const item = (name: string, service = "fermix"): KeychainItem => ({ service, name });
const USUAL = { PATH: "/usr/bin:/bin", HOME: "/nonexistent" };

/** The keychain as this process would see it in that session. */
function keychainOf(session: Readonly<Record<string, string>>) {
  return systemKeychain(systemProcesses(), { variables: { ...USUAL, ...session } });
}

describe.if(missing === undefined)("on a real keyring", () => {
  test(
    "finds an item in either layout, the first asked for in both before the second, and a null for none",
    async () => {
      using keyring = await Keyring.open();
      const keychain = keychainOf(keyring.env);
      expect(await keychain.find([item("A"), item("B")])).toEqual({ state: "missing" });
      keyring.putOtherLayout("fermix", "B", "other B");
      expect(await keychain.find([item("A"), item("B")])).toEqual({ state: "found", value: "other B" });
      keyring.put("fermix", "B", "own B");
      expect(await keychain.find([item("A"), item("B")])).toEqual({ state: "found", value: "own B" });
      keyring.putOtherLayout("fermix", "A", "other A");
      expect(await keychain.find([item("A"), item("B")])).toEqual({ state: "found", value: "other A" });
      keyring.put("fermix", "A", "own A");
      expect(await keychain.find([item("A"), item("B")])).toEqual({ state: "found", value: "own A" });
      expect(await keychain.find([item("A", "fermix:work")])).toEqual({ state: "missing" });
      keyring.put("fermix:work", "A", "work A");
      expect(await keychain.find([item("A", "fermix:work")])).toEqual({ state: "found", value: "work A" });
    },
    PATIENT_MS,
  );

  test(
    "answers several questions, each with its own items, from one process where all is in its own layout",
    async () => {
      using keyring = await Keyring.open();
      const started: string[] = [];
      const real = systemProcesses();
      const processes: typeof real = {
        ...real,
        async run(spec) {
          started.push(spec.args[0] === "lookup" ? "secret-tool" : "own");
          return await real.run(spec);
        },
      };
      const keychain = systemKeychain(processes, { variables: { ...USUAL, ...keyring.env } });
      keyring.put("fermix", "A", "own A");
      keyring.put("fermix", "B", "own B");
      const both = [[item("A"), item("X")], [item("B")]];
      expect(await keychain.findEach(both)).toEqual([
        { state: "found", value: "own A" },
        { state: "found", value: "own B" },
      ]);
      expect(started).toEqual(["own"]);
      keyring.putOtherLayout("fermix", "C", "other C");
      expect(await keychain.findEach([[item("X"), item("C")], [item("Y")], ...both])).toEqual([
        { state: "found", value: "other C" },
        { state: "missing" },
        { state: "found", value: "own A" },
        { state: "found", value: "own B" },
      ]);
      keyring.lock();
      expect(await keychain.findEach(both)).toEqual([{ state: "locked" }, { state: "locked" }]);
    },
    PATIENT_MS,
  );

  test(
    "what it reads is what another program sees there, and gone when it is removed there",
    async () => {
      using keyring = await Keyring.open();
      const value = `${"lang ".repeat(600)} \u00e9\u{1f600}\n`;
      keyring.put("fermix", "A", value);
      expect(keyring.seenByOthers("fermix", "A")).toBe(value);
      expect(keyring.onDisk()).not.toContain("lang lang");
      const keychain = keychainOf(keyring.env);
      expect(await keychain.find([item("A")])).toEqual({ state: "found", value });
      keyring.remove("fermix", "A");
      expect(await keychain.find([item("A")])).toEqual({ state: "missing" });
    },
    PATIENT_MS,
  );

  test(
    "a locked one is told as locked, whether the item is there or not",
    async () => {
      using keyring = await Keyring.open();
      keyring.put("fermix", "A", "own A");
      keyring.putOtherLayout("fermix", "B", "other B");
      keyring.lock();
      const keychain = keychainOf(keyring.env);
      for (const name of ["A", "B", "C"]) expect(await keychain.find([item(name)])).toEqual({ state: "locked" });
    },
    PATIENT_MS,
  );
});

describe("a keychain that is not there", () => {
  test(
    "is unavailable, in the words of whoever looked for it: no session, or one that is gone",
    async () => {
      const none = await keychainOf({}).find([item("A")]);
      if (none.state !== "unavailable") throw new Error(none.state);
      expect(none.reason).toMatch(/D-Bus|libsecret/);
      const gone = await keychainOf({ DBUS_SESSION_BUS_ADDRESS: "unix:path=/nonexistent/bus" }).find([item("A")]);
      if (gone.state !== "unavailable") throw new Error(gone.state);
      expect(gone.reason).toMatch(/No such file|libsecret/);
    },
    PATIENT_MS,
  );
});

describe.if(missing === undefined)("a keychain that never answers", () => {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });

  test(
    "is given up, and the process that asked it is gone",
    async () => {
      using bus = new SilentBus();
      expect(await keychainOf(bus.env).find([item("A")])).toEqual({ state: "timed_out", afterMs: 3000 });
      expect(bus.connections).toBeGreaterThan(0);
      expect(processesIn(bus.env["XDG_RUNTIME_DIR"])).toEqual([]);
    },
    PATIENT_MS,
  );

  test(
    "CASE-59: a secret-tool that sleeps is killed with all it started",
    async () => {
      using keyring = await Keyring.open();
      const folder = mkdtempSync(join(tmpdir(), "fermix-slow-tool-"));
      folders.push(folder);
      writeFileSync(join(folder, "secret-tool"), "#!/bin/sh\n/bin/sleep 600 & /bin/sleep 600\n");
      chmodSync(join(folder, "secret-tool"), 0o755);
      const keychain = keychainOf({ ...keyring.env, PATH: `${folder}:/usr/bin:/bin` });
      expect(await keychain.find([item("A")])).toEqual({ state: "timed_out", afterMs: 3000 });
      const ours = processesIn(keyring.env["XDG_RUNTIME_DIR"]);
      expect(ours.filter((line) => line.includes("sleep") || line.includes("__keychain"))).toEqual([]);
    },
    PATIENT_MS,
  );
});

/** Command line and environment of every process that was started for this session. */
function processesIn(session: string | undefined): string[] {
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid) || pid === String(process.pid) || session === undefined) return [];
    const text = `${readIfThere(`/proc/${pid}/cmdline`)}\n${readIfThere(`/proc/${pid}/environ`)}`;
    return text.includes(session) ? [text] : [];
  });
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

describe("what is started", () => {
  const SELF = ["/bin/fermix-itself", "again"];
  const session = { HOME: "/home/u", DBUS_SESSION_BUS_ADDRESS: "unix:path=/bus" };

  function asking(platform: NodeJS.Platform, told: unknown, more: Readonly<Record<string, string>> = {}) {
    const processes = new FakeProcesses().allowRun("/bin/fermix-itself", () => ({ stdout: JSON.stringify(told) }));
    const variables = {
      ...session,
      FERMIX_PLUGIN_KEY_SLACK: "xoxb",
      AWS_SECRET_ACCESS_KEY: "k",
      BUN_OPTIONS: "-",
      ...more,
    };
    return { processes, keychain: systemKeychain(processes, { self: SELF, variables, platform }) };
  }

  test("gets what finds the session and nothing else of the environment, the question on stdin", async () => {
    const { processes, keychain } = asking("darwin", { values: [null, "v"] });
    expect(await keychain.find([item("A"), item("B", "fermix:work")])).toEqual({ state: "found", value: "v" });
    const asked = [
      { service: "fermix:A", name: "fermix" },
      { service: "fermix:work:B", name: "fermix" },
    ];
    const spec: RunSpec = {
      command: "/bin/fermix-itself",
      args: ["again", "__keychain"],
      env: session,
      stdin: JSON.stringify({ do: "find", items: asked }),
      deadlineMs: 3000,
      maxOutputBytes: 1024 * 1024,
    };
    expect(processes.ran).toEqual([spec]);
  });

  test("CASE-62: an empty value is no value, on any system", async () => {
    expect(await asking("darwin", { values: [""] }).keychain.find([item("A")])).toEqual({ state: "missing" });
    expect(await asking("linux", { values: [""] }).keychain.find([item("A")])).toEqual({ state: "missing" });
  });

  test("trouble is passed on, and so is an end without an answer", async () => {
    const locked = asking("darwin", { values: [], locked: true });
    expect(await locked.keychain.find([item("A")])).toEqual({ state: "locked" });
    const broken = asking("darwin", { values: [], error: "no keychain" });
    expect(await broken.keychain.find([item("A")])).toEqual({ state: "unavailable", reason: "no keychain" });
    const ended = (result: object) =>
      systemKeychain(
        new FakeProcesses().allowRun("/bin/fermix-itself", () => result),
        { self: SELF, platform: "darwin" },
      );
    expect(await ended({ exitCode: undefined }).find([item("A")])).toEqual({
      state: "unavailable",
      reason: "the program that asks it was ended by a signal",
    });
    expect(await ended({ exitCode: 1, stderr: "first\nlast words\n" }).find([item("A")])).toEqual({
      state: "unavailable",
      reason: "last words",
    });
    expect(await ended({ timedOut: true }).find([item("A")])).toEqual({ state: "timed_out", afterMs: 3000 });
  });

  test("secret-tool comes from an absolute folder of PATH, and how it ends is told apart", async () => {
    const folder = mkdtempSync(join(tmpdir(), "fermix-tool-"));
    try {
      const tool = join(folder, "secret-tool");
      writeFileSync(tool, "#!/bin/sh\n");
      chmodSync(tool, 0o755);
      const { processes, keychain } = asking("linux", { values: [null] }, { PATH: `relative:${folder}` });
      const outcome = async (result: object) => {
        processes.allowRun(tool, () => result);
        return await keychain.find([item("A", "fermix:work")]);
      };
      expect(await outcome({ exitCode: 0, stdout: "value" })).toEqual({ state: "found", value: "value" });
      expect(await outcome({ exitCode: 0, stdout: "" })).toEqual({ state: "missing" });
      expect(await outcome({ exitCode: 1 })).toEqual({ state: "missing" });
      expect(await outcome({ exitCode: 1, stderr: "it is locked\n" })).toEqual({ state: "locked" });
      expect(await outcome({ exitCode: 1, stderr: "no bus\n" })).toEqual({ state: "unavailable", reason: "no bus" });
      expect(await outcome({ timedOut: true })).toEqual({ state: "timed_out", afterMs: 3000 });
      const last = processes.ran.at(-1);
      expect(last?.args).toEqual(["lookup", "service", "fermix:work", "account", "fermix", "env", "A"]);
      expect(last?.env).toEqual({ ...session, PATH: `relative:${folder}` });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
