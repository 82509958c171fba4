/** Tests of changes through system/keychain.ts: a real gnome-keyring in both layouts, and what macOS is told. */
import { afterEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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

function keychainOf(session: Readonly<Record<string, string>>) {
  return systemKeychain(systemProcesses(), { variables: { ...USUAL, ...session } });
}

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A `secret-tool` that notes how it was called and ends as the script says. */
function fakeTool(script: string): { readonly folder: string; called(): string } {
  const folder = mkdtempSync(join(tmpdir(), "fermix-tool-"));
  folders.push(folder);
  const notes = join(folder, "notes");
  writeFileSync(join(folder, "secret-tool"), `#!/bin/sh\necho "$@" >>'${notes}'\n${script}\n`);
  chmodSync(join(folder, "secret-tool"), 0o755);
  return { folder, called: () => readFileSync(notes, "utf8") };
}

describe.if(missing === undefined)("on a real keyring", () => {
  test(
    "KCH-1/unchanged KCH-10/set a set stores in our layout, removes the other one, and writes nothing twice",
    async () => {
      using keyring = await Keyring.open();
      const keychain = keychainOf(keyring.env);
      keyring.putOtherLayout("fermix", "A", "old");
      keyring.putOtherLayout("fermix", "B", "of another item");
      expect(await keychain.set(item("A"), "new")).toEqual({ state: "done", changed: true });
      expect(keyring.seenByOthers("fermix", "A")).toBe("new");
      expect(keyring.seenInOtherLayout("fermix", "A")).toBe("");
      expect(keyring.seenInOtherLayout("fermix", "B")).toBe("of another item");
      const disk = keyring.onDisk();
      expect(await keychain.set(item("A"), "new")).toEqual({ state: "done", changed: false });
      expect(keyring.onDisk()).toBe(disk);
      keyring.putOtherLayout("fermix", "A", "old again");
      expect(await keychain.set(item("A"), "new")).toEqual({ state: "done", changed: true });
      expect(keyring.seenInOtherLayout("fermix", "A")).toBe("");
    },
    PATIENT_MS,
  );

  test(
    "KCH-10/clear a removal takes the item out of both layouts, and one that is not there is no failure",
    async () => {
      using keyring = await Keyring.open();
      const keychain = keychainOf(keyring.env);
      keyring.put("fermix", "A", "ours");
      keyring.putOtherLayout("fermix", "A", "theirs");
      keyring.putOtherLayout("fermix", "B", "theirs alone");
      keyring.put("fermix", "C", "of another item");
      expect(await keychain.remove([item("A"), item("B")])).toEqual({ state: "done", changed: true });
      for (const name of ["A", "B"]) {
        expect(keyring.seenByOthers("fermix", name)).toBe("");
        expect(keyring.seenInOtherLayout("fermix", name)).toBe("");
      }
      expect(keyring.seenByOthers("fermix", "C")).toBe("of another item");
      expect(await keychain.remove([item("A"), item("B")])).toEqual({ state: "done", changed: false });
    },
    PATIENT_MS,
  );

  test(
    "KCH-4/apart two profiles keep what they have, whatever the other one does",
    async () => {
      using keyring = await Keyring.open();
      const keychain = keychainOf(keyring.env);
      await keychain.set(item("A"), "plain");
      await keychain.set(item("A", "fermix:work"), "of work");
      expect(await keychain.find([item("A")])).toEqual({ state: "found", value: "plain" });
      await keychain.remove([item("A")]);
      expect(await keychain.find([item("A", "fermix:work")])).toEqual({ state: "found", value: "of work" });
    },
    PATIENT_MS,
  );

  test(
    "quotes, line breaks, emoji and 64 KiB come back as they were given",
    async () => {
      using keyring = await Keyring.open();
      const keychain = keychainOf(keyring.env);
      const values = [`"'\`$(x)\\ ${"\u{1f511}"}\r\nsecond line\n`, "k".repeat(4096), `${"é".repeat(32 * 1024 - 1)}--`];
      for (const value of values) {
        expect(await keychain.set(item("A"), value)).toEqual({ state: "done", changed: true });
        expect(await keychain.find([item("A")])).toEqual({ state: "found", value });
      }
    },
    PATIENT_MS,
  );

  test(
    "what a keychain cannot keep whole is refused, and what was there stays",
    async () => {
      using keyring = await Keyring.open();
      const keychain = keychainOf(keyring.env);
      await keychain.set(item("A"), "before");
      expect((await keychain.set(item("A"), "cut\0here")).state).toBe("refused");
      expect(await keychain.find([item("A")])).toEqual({ state: "found", value: "before" });
    },
    PATIENT_MS,
  );

  test(
    "KCH-5/change a locked one refuses every change, also when its user does not unlock it",
    async () => {
      using keyring = await Keyring.open();
      const keychain = keychainOf(keyring.env);
      await keychain.set(item("A"), "before");
      keyring.lock();
      expect(await keychain.set(item("A"), "new")).toEqual({ state: "locked" });
      expect(await keychain.remove([item("A")])).toEqual({ state: "locked" });
      // Nobody shows the question on this bus, so it is as good as refused.
      expect(await keychain.set(item("A"), "new", { unlock: true })).toEqual({ state: "locked" });
    },
    PATIENT_MS,
  );

  test(
    "a copy in the other layout that does not go is told, and the new value is kept",
    async () => {
      using keyring = await Keyring.open();
      const tool = fakeTool("echo 'no such bus' >&2; exit 2");
      const keychain = keychainOf({ ...keyring.env, PATH: `${tool.folder}:/usr/bin:/bin` });
      expect(await keychain.set(item("A"), "new")).toEqual({ state: "refused", reason: "no such bus" });
      expect(keyring.seenByOthers("fermix", "A")).toBe("new");
      expect(tool.called()).toBe("clear service fermix account fermix env A\n");
    },
    PATIENT_MS,
  );
});

describe("a keychain that is not there", () => {
  test(
    "KCH-2/unavailable takes no change, in the words of whoever looked for it",
    async () => {
      const keychain = keychainOf({});
      for (const answer of [await keychain.set(item("A"), "v"), await keychain.remove([item("A")])]) {
        if (answer.state !== "unavailable") throw new Error(answer.state);
        expect(answer.reason).toMatch(/D-Bus|libsecret/);
      }
    },
    PATIENT_MS,
  );
});

describe.if(missing === undefined)("a service whose user never made a keyring, as on a server", () => {
  test(
    "takes nothing and says why; it has nothing to find and nothing to remove",
    async () => {
      using keyring = await Keyring.unmade();
      const keychain = keychainOf(keyring.env);
      expect(await keychain.set(item("A"), "v")).toEqual({
        state: "refused",
        reason: expect.stringMatching(/^it has no default keyring to keep anything in \(.+\)$/),
      });
      expect(await keychain.find([item("A")])).toEqual({ state: "missing" });
      expect(await keychain.remove([item("A")])).toEqual({ state: "done", changed: false });
    },
    PATIENT_MS,
  );
});

describe.if(missing === undefined)("a keychain that never answers", () => {
  test(
    "KCH-5/hanging KCH-1/timeout is given up at the deadline",
    async () => {
      using bus = new SilentBus();
      expect(await keychainOf(bus.env).set(item("A"), "v")).toEqual({ state: "timed_out", afterMs: 3000 });
      expect(bus.connections).toBeGreaterThan(0);
    },
    PATIENT_MS,
  );
});

describe("who unlocks it is given longer", () => {
  test("the question allows it, and waits 90 s", async () => {
    const processes = new FakeProcesses().allowRun("/bin/fermix-itself", () => ({ timedOut: true }));
    const keychain = systemKeychain(processes, { self: ["/bin/fermix-itself"], variables: {}, platform: "linux" });
    expect(await keychain.remove([item("A")], { unlock: true })).toEqual({ state: "timed_out", afterMs: 90_000 });
    const [spec] = processes.ran;
    expect(spec?.deadlineMs).toBe(90_000);
    expect(spec?.stdin).toBe('{"do":"remove","unlock":true,"items":[{"service":"fermix:A","name":"fermix"}]}');
  });
});

/** A keychain of macOS as far as these tests need one: our own process reads it, `security -i` writes it. */
class FakeMac {
  readonly values = new Map<string, string>();
  /** Every line that `security` was told. */
  readonly told: string[] = [];
  readonly processes = new FakeProcesses();
  /** What `security` says on stderr. */
  complains = "";
  /** Whether `security` does what its lines say. */
  obeys: (line: string) => boolean = () => true;
  readonly keychain = systemKeychain(this.processes, {
    self: ["/bin/fermix-itself"],
    variables: {},
    platform: "darwin",
  });

  constructor() {
    this.processes.allowRun("/bin/fermix-itself", (spec) => ({ stdout: JSON.stringify(this.#answer(spec)) }));
    this.processes.allowRun("/usr/bin/security", (spec) => {
      for (const line of (spec.stdin ?? "").split("\n")) this.#obey(line);
      return { stderr: this.complains };
    });
  }

  #answer({ stdin = "" }: RunSpec): unknown {
    const asked = JSON.parse(stdin);
    const services: string[] = asked.items.map(({ service }: { service: string }) => service);
    if (asked.do === "find") return { values: services.map((service) => this.values.get(service) ?? null) };
    if (asked.do === "remove")
      return { changed: services.map((service) => this.values.delete(service)).includes(true) };
    this.values.set(services[0] ?? "", asked.value);
    return { changed: true };
  }

  #obey(line: string): void {
    if (line === "") return;
    this.told.push(line);
    const [, verb, service = "", hex = ""] =
      /^(delete|add)-generic-password -a "fermix" -s "((?:[^"\\]|\\.)*)"(?: -X ([0-9a-f]+) -A)?$/.exec(line) ?? [];
    if (verb === undefined) throw new Error(`security does not know this line: ${line}`);
    if (!this.obeys(line)) return;
    const name = service.replace(/\\(.)/g, "$1");
    if (verb === "delete") this.values.delete(name);
    else this.values.set(name, Buffer.from(hex, "hex").toString());
  }
}

describe("on macOS", () => {
  const hex = (text: string) => Buffer.from(text).toString("hex");

  test("KCH-1/recreated CASE-61 a write deletes the item and adds it with the open access list, told on stdin", async () => {
    const mac = new FakeMac();
    mac.values.set("fermix:A", "old");
    const secret = `s3cret "quoted"\n$(x) ${"\u{1f511}"}`;
    expect(await mac.keychain.set(item("A"), secret)).toEqual({ state: "done", changed: true });
    expect(mac.told).toEqual([
      'delete-generic-password -a "fermix" -s "fermix:A"',
      `add-generic-password -a "fermix" -s "fermix:A" -X ${hex(secret)} -A`,
    ]);
    expect(mac.values.get("fermix:A")).toBe(secret);
    const security = mac.processes.ran.find(({ command }) => command === "/usr/bin/security");
    expect(security?.args).toEqual(["-i"]);
    for (const { args, env } of mac.processes.ran) expect(JSON.stringify([args, env])).not.toMatch(/s3cret|7333637/);
  });

  test("KCH-1/unchanged what is stored already is not written", async () => {
    const mac = new FakeMac();
    mac.values.set("fermix:A", "same");
    expect(await mac.keychain.set(item("A"), "same")).toEqual({ state: "done", changed: false });
    expect(mac.told).toEqual([]);
  });

  test("CASE-62: a write that says nothing and stored nothing is refused, and the old value is put back", async () => {
    const mac = new FakeMac();
    mac.values.set("fermix:A", "old");
    mac.obeys = (line) => !line.includes(hex("new"));
    const answer = await mac.keychain.set(item("A"), "new");
    expect(answer).toEqual({ state: "refused", reason: "the program that asks it ended with exit code 0" });
    expect(mac.values.get("fermix:A")).toBe("old");
  });

  test("a keychain that would have to ask its user is locked, as over ssh", async () => {
    const mac = new FakeMac();
    mac.obeys = () => false;
    mac.complains = "security: SecKeychainItemCreateFromContent: User interaction is not allowed.\n";
    expect(await mac.keychain.set(item("A"), "new")).toEqual({ state: "locked" });
  });

  test("a profile with a line break in its name is never put on a line", async () => {
    const mac = new FakeMac();
    const service = 'fermix:a"\nadd-generic-password -a x -s y -w z';
    expect(await mac.keychain.set(item("A", service), "v")).toEqual({ state: "done", changed: true });
    expect(mac.told).toEqual([]);
    expect(mac.values.get(`${service}:A`)).toBe("v");
  });

  test("a profile's name cannot end an argument or a line", async () => {
    const mac = new FakeMac();
    await mac.keychain.set(item("A", 'fermix:a" -A \\'), "v");
    expect(mac.told[1]).toBe(`add-generic-password -a "fermix" -s "fermix:a\\" -A \\\\:A" -X ${hex("v")} -A`);
    expect(mac.values.get('fermix:a" -A \\:A')).toBe("v");
  });

  test("what is too long for a line of security's goes another way, at the limit and one past it", async () => {
    const room = 4095 - 'add-generic-password -a "fermix" -s "fermix:A" -X  -A\n'.length;
    const fits = "k".repeat(Math.floor(room / 2));
    const mac = new FakeMac();
    expect(await mac.keychain.set(item("A"), fits)).toEqual({ state: "done", changed: true });
    expect(mac.told).toHaveLength(2);
    expect(await mac.keychain.set(item("A"), `${fits}k`)).toEqual({ state: "done", changed: true });
    expect(mac.told).toHaveLength(2);
    expect(mac.values.get("fermix:A")).toBe(`${fits}k`);
  });
});
