/** Tests of auth/plugin-key.ts: where a key comes from, in which order, and how long it is kept. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { Credential } from "../../src/auth/credential.ts";
import type { CredentialSource } from "../../src/auth/credential-source.ts";
import { type KeyedPlugin, openKeySource } from "../../src/auth/plugin-key.ts";
import { setPluginSecret } from "../../src/config/edit-secrets.ts";
import { asPluginName } from "../../src/kernel/names.ts";
import { expectRefusal } from "../expect.ts";
import type { FakeClock } from "../fakes/clock.ts";
import { PluginLab } from "../plugins/lab.ts";

let lab: PluginLab;
let source: CredentialSource;
const clock = () => lab.app.ports.clock as FakeClock;

function plugin(keyName: string | undefined = "SLACK_BOT_TOKEN"): KeyedPlugin {
  const name = asPluginName("slack");
  if (name === undefined) throw new Error("not a name");
  const auth = { type: "api_key", keyName, header: "authorization", scheme: "Bearer" } as const;
  return { name, auth: { ...auth, prompt: undefined, helpUrl: undefined, validation: undefined } };
}

/** The key that would be sent now. */
async function key(): Promise<string> {
  return (await source.current()).credential.headerValue("Bearer").slice("Bearer ".length);
}

const OWN = "PLUGIN_SLACK_SLACK_BOT_TOKEN";
const BARE = "SLACK_BOT_TOKEN";
const VARIABLE = "FERMIX_PLUGIN_KEY_SLACK";
const secret = (value: string): void => lab.config("[fermix_core.plugin_secrets]", `slack = ${JSON.stringify(value)}`);

beforeEach(() => {
  lab = new PluginLab();
  source = openKeySource(lab.app, plugin());
});
afterEach(() => lab[Symbol.dispose]());

describe("the environment", () => {
  test("KEY-4/variable: gives the key before anything else is looked at, without its one line end and with its spaces", async () => {
    secret("@keyring");
    lab.variables.set(VARIABLE, " from env \r\n");
    lab.variables.set(`${VARIABLE}_FILE`, "/nowhere");
    expect(await key()).toBe(" from env ");
    expect(lab.keychain.asked).toEqual([]);
  });

  test("KEY-4/file: names a file, whose value may lie behind a link", async () => {
    const file = join(lab.folder, "key");
    writeFileSync(file, "from file\n");
    symlinkSync(file, join(lab.folder, "link"));
    lab.variables.set(VARIABLE, "");
    lab.variables.set(`${VARIABLE}_FILE`, join(lab.folder, "link"));
    expect(await key()).toBe("from file");
  });

  test("a file that cannot be used is told without what the variable holds", async () => {
    const file = join(lab.folder, "key");
    lab.variables.set(`${VARIABLE}_FILE`, file);
    const refused = async (reason: string): Promise<void> => {
      const details = { plugin: "slack", variable: `${VARIABLE}_FILE`, reason };
      await expectRefusal(source.current(), "key_file_unusable", details);
    };
    await refused("it does not exist");
    writeFileSync(file, " \n");
    await refused("it is empty");
    rmSync(file);
    mkdirSync(file);
    await refused("it is a folder");
    rmSync(file, { recursive: true });
    writeFileSync(file, "k".repeat(64 * 1024));
    expect((await key()).length).toBe(64 * 1024);
    truncateSync(file, 64 * 1024 + 1);
    clock().advance(60_000);
    await refused("it is larger than such a file may be");
    lab.variables.set(`${VARIABLE}_FILE`, "a\0b");
    await refused("it cannot be read");
    lab.variables.set(`${VARIABLE}_FILE`, "xoxb-the-key-itself");
    const failure = await source.current().catch((error: unknown) => error);
    expect(`${inspect(failure)} ${JSON.stringify(failure)}`).not.toContain("xoxb-the-key-itself");
  });
});

describe("config.toml", () => {
  test("a plaintext value of an older home works", async () => {
    secret("plain key");
    expect(await key()).toBe("plain key");
    expect(lab.keychain.asked).toEqual([]);
  });

  test("AUTH-6/key-missing: none, a blank one, or one with an unfilled placeholder is a missing key (CASE-13)", async () => {
    const missing = { plugin: "slack", variable: VARIABLE };
    await expectRefusal(source.current(), "key_missing", missing);
    for (const value of ["", "  ", "$" + "{user_config.key}"]) {
      secret(value);
      await expectRefusal(source.current(), "key_missing", missing);
    }
    expect(lab.keychain.asked).toEqual([]);
    const { message } = (await source.current().catch((error: unknown) => error)) as Error;
    expect(message).toBe("slack is missing its API key. Run `fermix plugins auth set slack`.");
  });

  test("CASE-13: what only stands for a key is sent from nowhere", async () => {
    const placeholder = ["$", "{SLACK}"].join("");
    const sentinel = "it is only the word by which config.toml refers to the keychain";
    const unusable = (from: string, reason: string) => ({ plugin: "slack", from, reason });
    secret("@keyring");
    lab.keychain.item("fermix", BARE);
    for (const [value, reason] of [
      [placeholder, "it still holds a placeholder"],
      ["@keyring", sentinel],
    ] as const) {
      lab.variables.set(VARIABLE, value);
      await expectRefusal(source.current(), "key_unusable", unusable(VARIABLE, reason));
      lab.variables.delete(VARIABLE);
    }
    lab.keychain.item("fermix", OWN, placeholder);
    const kept = unusable("the keychain", "it still holds a placeholder");
    await expectRefusal(source.current(), "key_unusable", kept);
    lab.keychain.item("fermix", OWN, "@keyring");
    await expectRefusal(source.current(), "key_missing", { plugin: "slack", variable: VARIABLE });
  });

  test("a broken one is told as such", async () => {
    lab.config("nonsense");
    await expectRefusal(source.current(), "config_invalid");
  });
});

describe("the keychain", () => {
  test("is asked for the plugin's own item, then for the bare name, in the profile's part", async () => {
    secret(" @keyring ");
    lab.keychain.item("fermix", OWN).item("fermix", BARE, "bare\n");
    expect(await key()).toBe("bare");
    expect(lab.keychain.asked).toEqual([[`fermix/${OWN}`, `fermix/${BARE}`]]);
    lab.config("[fermix_core]", 'profile = "work"', "[fermix_core.plugin_secrets]", 'slack = "@keyring"');
    lab.keychain.item("fermix:work", OWN, "own").item("fermix:work", BARE, "bare");
    source = openKeySource(lab.app, plugin());
    expect(await key()).toBe("own");
  });

  test("a plugin that does not name its key has one item", async () => {
    secret("@keyring");
    const nameless = { ...plugin(), auth: { ...plugin().auth, keyName: undefined } };
    lab.keychain.item("fermix", "PLUGIN_SLACK_API_KEY", "v");
    source = openKeySource(lab.app, nameless);
    expect(await key()).toBe("v");
    expect(lab.keychain.asked).toEqual([["fermix/PLUGIN_SLACK_API_KEY"]]);
  });

  test("a missing or blank item is a missing key; trouble is told, and not remembered", async () => {
    secret("@keyring");
    lab.keychain.item("fermix", OWN).item("fermix", BARE);
    await expectRefusal(source.current(), "key_missing");
    lab.keychain.item("fermix", OWN, " \n");
    await expectRefusal(source.current(), "key_missing");
    lab.keychain.trouble = { state: "locked" };
    await expectRefusal(source.current(), "keychain_locked", { item: OWN, instead: VARIABLE });
    lab.keychain.trouble = undefined;
    lab.keychain.item("fermix", OWN, "unlocked");
    expect(await key()).toBe("unlocked");
  });
});

test("a key that no header may carry is refused with where it came from, and never sent", async () => {
  lab.variables.set(VARIABLE, "two\nlines");
  const broken = { plugin: "slack", from: VARIABLE, reason: "it holds a line break" };
  await expectRefusal(source.current(), "key_unusable", broken);
  lab.variables.set(VARIABLE, "k\u00e9y");
  const reason = "it holds a character that no header may carry";
  await expectRefusal(source.current(), "key_unusable", { ...broken, reason });
});

describe("a key in a long-lived process", () => {
  beforeEach(() => {
    secret("@keyring");
    lab.keychain.item("fermix", OWN, "first");
  });

  test("is read once for calls at the same time, and kept for less than a minute", async () => {
    expect(await Promise.all([key(), key(), key()])).toEqual(["first", "first", "first"]);
    lab.keychain.item("fermix", OWN, "second");
    clock().advance(59_999);
    expect(await key()).toBe("first");
    expect(lab.keychain.asked.length).toBe(1);
    clock().advance(1);
    expect(await key()).toBe("second");
  });

  test("is read again at once after a set of the same sentinel, which moves the time of config.toml", async () => {
    expect(await key()).toBe("first");
    lab.keychain.item("fermix", OWN, "second");
    await setPluginSecret(lab.app.ports, lab.home, plugin().name);
    expect(await key()).toBe("second");
    expect(await key()).toBe("second");
    expect(lab.keychain.asked.length).toBe(2);
  });

  test("is read again when the clock was put back", async () => {
    expect(await key()).toBe("first");
    lab.keychain.item("fermix", OWN, "second");
    clock().advance(-1);
    expect(await key()).toBe("second");
  });

  test("renew reads it again at once: another key, or none to try", async () => {
    const { credential } = await source.current();
    expect(await source.renew(credential)).toBe(undefined);
    lab.keychain.item("fermix", OWN, "second");
    const renewed = await source.renew(credential);
    expect(renewed?.credential.headerValue("Bot")).toBe("Bot second");
    expect(await key()).toBe("second");
    lab.keychain.item("fermix", OWN).item("fermix", BARE);
    await expectRefusal(source.renew(credential), "key_missing");
  });

  test("renewals at the same time share one look into the keychain", async () => {
    const { credential } = await source.current();
    lab.keychain.item("fermix", OWN, "second");
    const renewed = await Promise.all([1, 2, 3].map(() => source.renew(credential)));
    expect(renewed.map((grant) => grant?.credential.headerValue("Bot"))).toEqual(Array(3).fill("Bot second"));
    expect(lab.keychain.asked.length).toBe(2);
  });

  test("a read that fails late does not forget a newer one", async () => {
    const late = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    lab.keychain.onFind = () => {
      lab.keychain.onFind = () => {};
      asked.resolve();
      return late.promise;
    };
    const slow = source.current();
    await asked.promise;
    expect(await source.renew(new Credential("rejected"))).toBeDefined();
    lab.keychain.trouble = { state: "locked" };
    late.resolve();
    await expectRefusal(slow, "keychain_locked");
    lab.keychain.trouble = undefined;
    const before = lab.keychain.asked.length;
    expect(await key()).toBe("first");
    expect(lab.keychain.asked.length).toBe(before);
  });
});
