/** Tests of auth/keychain-item.ts: how items are named, and what the keychain has wrong as a named failure. */
import { describe, expect, test } from "bun:test";
import { askedOnce, keychainItem, readKeychain } from "../../src/auth/keychain-item.ts";
import type { KeychainAnswer } from "../../src/kernel/ports.ts";
import { expectRefusal } from "../expect.ts";
import { FakeKeychain } from "../fakes/keychain.ts";

test("a profile has its own part of the keychain; general and none are the plain one", () => {
  for (const profile of [undefined, "", "general"]) {
    expect(keychainItem(profile, "X_KEY")).toEqual({ service: "fermix", name: "X_KEY" });
  }
  expect(keychainItem("work", "X_KEY")).toEqual({ service: "fermix:work", name: "X_KEY" });
});

describe("readKeychain", () => {
  const item = keychainItem(undefined, "X_KEY");
  const wanted = { item: "X_KEY", instead: "FERMIX_PLUGIN_KEY_X" };

  test("gives the value, or undefined when there is no such item", async () => {
    expect(await readKeychain(new FakeKeychain().item("fermix", "X_KEY", "v"), [item])).toBe("v");
    expect(await readKeychain(new FakeKeychain().item("fermix", "X_KEY"), [item])).toBe(undefined);
  });

  test("names what the keychain has wrong, with the variable that helps", async () => {
    const keychain = new FakeKeychain();
    const read = () => readKeychain(keychain, [item], wanted.instead);
    keychain.trouble = { state: "locked" };
    await expectRefusal(read, "keychain_locked", wanted);
    keychain.trouble = { state: "unavailable", reason: "no bus" };
    await expectRefusal(read, "keychain_unavailable", { ...wanted, reason: "no bus" });
    keychain.trouble = { state: "timed_out", afterMs: 3000 };
    await expectRefusal(read, "keychain_timed_out", { ...wanted, afterMs: 3000 });
  });
});

describe("askedOnce", () => {
  const one = [keychainItem(undefined, "ONE")];
  const two = [keychainItem(undefined, "TWO")];

  test("puts each question once, and never two at a time", async () => {
    const keychain = new FakeKeychain().item("fermix", "ONE", "1").item("fermix", "TWO");
    let running = 0;
    let most = 0;
    keychain.onFind = async () => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
    };
    const look = askedOnce(keychain);
    const answers = await Promise.all([look.find(one), look.find(two), look.find(one), look.find(two)]);
    expect(answers.map(({ state }) => state)).toEqual(["found", "missing", "found", "missing"]);
    expect(keychain.asked).toEqual([["fermix/ONE"], ["fermix/TWO"]]);
    expect(most).toBe(1);
  });

  test("puts those together that come at once or while others are answered", async () => {
    const keychain = new FakeKeychain().item("fermix", "ONE", "1").item("fermix", "TWO").item("fermix", "THREE", "3");
    const look = askedOnce(keychain);
    const three = [keychainItem(undefined, "THREE")];
    let late: Promise<KeychainAnswer> | undefined;
    keychain.onFind = () => {
      late ??= look.find(three);
    };
    const [first, second] = await Promise.all([look.find(one), look.find(two)]);
    expect([first, second, await late]).toEqual([
      { state: "found", value: "1" },
      { state: "missing" },
      { state: "found", value: "3" },
    ]);
    expect(keychain.batches).toEqual([2, 1]);
  });

  test("gives up at the first trouble with the keychain itself", async () => {
    const keychain = new FakeKeychain();
    const trouble: KeychainAnswer = { state: "timed_out", afterMs: 3000 };
    keychain.trouble = trouble;
    const look = askedOnce(keychain);
    expect(await Promise.all([look.find(one), look.find(two)])).toEqual([trouble, trouble]);
    expect(await look.find([keychainItem(undefined, "THREE")])).toEqual(trouble);
    expect(keychain.asked).toEqual([["fermix/ONE"]]);
  });
});
