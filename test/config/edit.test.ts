/** The plugin verbs' edits of config.toml: what is meant is there afterwards, everything else is as it was. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { parse } from "smol-toml";
import { disableInConfig, enableInConfig, setPluginValue } from "../../src/config/edit.ts";
import { readConfig } from "../../src/config/read.ts";
import { MAX_CONFIG_BYTES } from "../../src/config/toml-text.ts";
import { type Home, homeAt } from "../../src/files/home.ts";
import type { PluginName } from "../../src/kernel/names.ts";
import { systemClock } from "../../src/system/clock.ts";
import { expectRefusal, snapshotTree } from "../expect.ts";
import { FakeClock } from "../fakes/clock.ts";
import { commentsOf, forgedConfig } from "../forge/toml.ts";

const NOTES = "notes" as PluginName;
let folder: string;
let home: Home;
const ports = { clock: new FakeClock() };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fermix config é "));
  home = homeAt(join(folder, "home"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function write(text: string): void {
  mkdirSync(home.root, { recursive: true });
  writeFileSync(home.configFile, text);
}

const content = (): string => readFileSync(home.configFile, "utf8");

/** Table by table, without prototypes: what the file says. */
function says(text: string): { plugins: Record<string, unknown>; rest: unknown } {
  const document = parse(text.replace(/^\ufeff/, ""), { integersAsBigInt: "asNeeded" }) as Record<string, never>;
  const { plugins = {}, ...core } = (document["fermix_core"] ?? {}) as Record<string, Record<string, unknown>>;
  return { plugins, rest: { ...document, fermix_core: core } };
}

describe("enable", () => {
  test("makes the home private and the file when there is neither", async () => {
    await enableInConfig(ports, home, NOTES);
    expect(content()).toBe('[fermix_core.plugins]\nenabled = ["notes"]\n');
    expect(statSync(home.root).mode & 0o777).toBe(0o700);
    expect(statSync(home.configFile).mode & 0o777).toBe(0o600);
  });

  test("records the auth profile once and leaves one that was chosen", async () => {
    await enableInConfig(ports, home, NOTES, { authProfile: "google" });
    expect(content()).toBe(
      '[fermix_core.plugins]\nenabled = ["notes"]\n\n[fermix_core.plugins.notes]\nauth_profile = "google"\n',
    );
    await enableInConfig(ports, home, NOTES, { authProfile: "other" });
    expect((await readConfig(home)).plugins.settings.get(NOTES)?.get("auth_profile")).toBe("google");
  });

  test("CLI-5/survives-disable: disable and enable keep settings, comments and blank lines", async () => {
    const before =
      '# top\n\n[fermix_core.plugins] # ours\nenabled = ["slack", "notes"] # both\n\n[fermix_core.plugins.notes]\n# my vault\nVAULT = "/v" # here\n';
    write(before);
    await disableInConfig(ports, home, NOTES);
    expect(content()).toBe(before.replace(', "notes"]', "]").replace("# here\n", "# here\nenabled = false\n"));
    await enableInConfig(ports, home, NOTES);
    expect(content()).toBe(before.replace("# here\n", "# here\nenabled = true\n"));
  });

  test("what is enabled already is not written again", async () => {
    write('[fermix_core.plugins]\nenabled = ["notes"]\n');
    const { mtimeNs, ino } = statSync(home.configFile, { bigint: true });
    await enableInConfig(ports, home, NOTES);
    const after = statSync(home.configFile, { bigint: true });
    expect([after.mtimeNs, after.ino]).toEqual([mtimeNs, ino]);
  });
});

describe("whatever the file looks like", () => {
  const edit = fc.oneof(
    fc.constant({ do: "enable" as const }),
    fc.constant({ do: "disable" as const }),
    fc.record({
      do: fc.constant("set" as const),
      key: fc.constantFrom("KEY", "OTHER_KEY"),
      value: fc.oneof(fc.boolean(), fc.string({ unit: "grapheme" })),
    }),
  );

  test("an edit reads back and every comment, foreign block and value is as before", async () => {
    await fc.assert(
      fc.asyncProperty(forgedConfig, fc.constantFrom("notes", "slack", "fresh"), edit, async (forged, name, change) => {
        write(forged.text);
        const plugin = name as PluginName;
        const before = says(forged.text);
        if (change.do === "enable") await enableInConfig(ports, home, plugin);
        else if (change.do === "disable") await disableInConfig(ports, home, plugin);
        else await setPluginValue(ports, home, plugin, change.key, change.value);
        const text = content();
        const after = says(text);

        const own = (before.plugins[name] ?? {}) as Record<string, unknown>;
        const list = (before.plugins["enabled"] ?? []) as string[];
        const expected: Record<string, unknown> = { ...before.plugins };
        if (change.do === "set") expected[name] = { ...own, [change.key]: change.value };
        else if (change.do === "disable") {
          if (list.includes(name)) expected["enabled"] = list.filter((item) => item !== name);
          expected[name] = { ...own, enabled: false };
        } else {
          if (!list.includes(name)) expected["enabled"] = [...list, name];
          if (own["enabled"] === false) expected[name] = { ...own, enabled: true };
        }
        expect(after).toEqual({ plugins: expected, rest: before.rest });

        const added = change.do === "set" && typeof change.value === "string" && change.value.includes("#");
        if (!added) expect(commentsOf(text)).toEqual(commentsOf(forged.text));
        let at = 0;
        for (const piece of forged.kept) {
          at = text.indexOf(piece, at);
          expect(at).not.toBe(-1);
          at += piece.length;
        }
        expect(text.startsWith("\ufeff")).toBe(forged.text.startsWith("\ufeff"));
        if (forged.text.includes("\r\n")) expect(text).not.toMatch(/[^\r]\n/);
      }),
      { numRuns: 300 },
    );
  });
});

describe("links, modes and refusals", () => {
  test("a config.toml that is a link stays one, and its target is edited", async () => {
    mkdirSync(home.root);
    const target = join(folder, "dotfiles.toml");
    writeFileSync(target, "# dots\n", { mode: 0o640 });
    symlinkSync(target, home.configFile);
    await enableInConfig(ports, home, NOTES);
    expect(readlinkSync(home.configFile)).toBe(target);
    expect(readFileSync(target, "utf8")).toBe('# dots\n\n[fermix_core.plugins]\nenabled = ["notes"]\n');
    expect(statSync(target).mode & 0o777).toBe(0o640);
  });

  test("a link to a file that is not there yet stays one too", async () => {
    mkdirSync(home.root);
    symlinkSync("../later.toml", home.configFile);
    await enableInConfig(ports, home, NOTES);
    expect(readlinkSync(home.configFile)).toBe("../later.toml");
    expect(readFileSync(join(folder, "later.toml"), "utf8")).toContain('enabled = ["notes"]');
  });

  test("a link into a folder that is not there is named, and nothing is made", async () => {
    mkdirSync(home.root);
    symlinkSync("../dotfiles/config.toml", home.configFile);
    const before = snapshotTree(folder);
    await expectRefusal(enableInConfig(ports, home, NOTES), "home_unusable", {
      path: home.configFile,
      reason: "it is a link into a folder that does not exist",
    });
    expect(snapshotTree(folder)).toEqual(before);
  });

  test("an edit that would make the file too long to read is refused; one that just fits is made", async () => {
    const added = '\n[fermix_core.plugins]\nenabled = ["notes"]\n';
    const most = MAX_CONFIG_BYTES - added.length;
    write(`${"#".repeat(most)}\n`);
    const before = snapshotTree(home.root);
    await expectRefusal(enableInConfig(ports, home, NOTES), "config_not_editable", {
      path: home.configFile,
      key: "fermix_core.plugins.enabled",
      reason: "the file would be over 1 MiB",
    });
    expect(snapshotTree(home.root)).toEqual(before);
    write(`${"#".repeat(most - 1)}\n`);
    await enableInConfig(ports, home, NOTES);
    expect((await readConfig(home)).plugins.enabled).toEqual([NOTES]);
  });

  test("a link that leads to itself is named", async () => {
    mkdirSync(home.root);
    symlinkSync("config.toml", home.configFile);
    await expectRefusal(enableInConfig(ports, home, NOTES), "home_unusable", {
      path: home.configFile,
      reason: "its links go round in a circle",
    });
  });

  test("a broken file is refused with its line and left as it is", async () => {
    write("[fermix_core.plugins]\n# mine\nenabled =\n");
    const before = snapshotTree(home.root);
    const details = await expectRefusal(enableInConfig(ports, home, NOTES), "config_invalid");
    expect(details).toMatchObject({ path: home.configFile, line: 3 });
    expect(snapshotTree(home.root)).toEqual(before);
  });

  test("text that TOML cannot hold is refused and the file left as it is", async () => {
    write("# mine\n");
    const before = snapshotTree(home.root);
    await expectRefusal(setPluginValue(ports, home, NOTES, "KEY", "\ud800"), "config_not_editable", {
      path: home.configFile,
      key: "fermix_core.plugins.notes.KEY",
      reason: "the result would not be TOML",
    });
    expect(snapshotTree(home.root)).toEqual(before);
  });

  test("another editor is waited for, then named", async () => {
    write("# mine\n");
    // The process that started this one: alive, and not us.
    writeFileSync(`${home.configFile}.lock`, `${ports.clock.now()} ${process.ppid}\n`);
    const before = snapshotTree(home.root);
    await expectRefusal(enableInConfig(ports, home, NOTES), "config_busy", { path: home.configFile });
    expect(snapshotTree(home.root)).toEqual(before);
  });

  test("edits at once all arrive", async () => {
    const names = ["a", "b", "c", "d", "e", "f"] as PluginName[];
    await Promise.all(names.map((name) => enableInConfig({ clock: systemClock() }, home, name)));
    expect([...(await readConfig(home)).plugins.enabled].sort()).toEqual(names);
    expect(Object.keys(snapshotTree(home.root))).toEqual(["config.toml"]);
  });

  test("a folder in the file's place is named", async () => {
    mkdirSync(home.configFile, { recursive: true });
    await expectRefusal(enableInConfig(ports, home, NOTES), "home_unusable", {
      path: home.configFile,
      reason: "it is a folder",
    });
  });

  test("a home that is a file is named", async () => {
    writeFileSync(home.root, "");
    await expectRefusal(enableInConfig(ports, home, NOTES), "home_unusable", {
      path: home.root,
      reason: "it is not a folder",
    });
  });
});

test("the mode of the file survives an edit", async () => {
  write("# mine\n");
  chmodSync(home.configFile, 0o644);
  await setPluginValue(ports, home, NOTES, "SWITCH", true);
  expect(statSync(home.configFile).mode & 0o777).toBe(0o644);
  expect(content()).toBe("# mine\n\n[fermix_core.plugins.notes]\nSWITCH = true\n");
});
