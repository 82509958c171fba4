/** Tests of `uninstall --purge`: the credential goes first, alone, and only when nothing else needs it. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { App } from "../../src/plugins/app.ts";
import { uninstallPlugin } from "../../src/plugins/uninstall.ts";
import { expectRefusal } from "../expect.ts";
import { FakeKeychain } from "../fakes/keychain.ts";
import { placeSignIn } from "../lab/auth-file.ts";
import { InstallLab } from "./install-lab.ts";
import { keyManifest, oauthManifest, write } from "./lab.ts";

let lab: InstallLab;
let keychain: FakeKeychain;
beforeEach(() => {
  lab = new InstallLab();
  keychain = new FakeKeychain();
});
afterEach(() => lab[Symbol.dispose]());

const app = (): App => ({ ...lab.app(), ports: { ...lab.app().ports, keychain } });
const profiles = () => Object.keys(JSON.parse(readFileSync(lab.home.authFile, "utf8")).providers);

test("AUTH-10/purge a key goes from the keychain and config.toml, and other settings stay", async () => {
  lab.publish("slack", { whole: keyManifest("slack") });
  await lab.install("slack");
  write(lab.home.configFile, '[fermix_core.plugin_secrets]\nslack = "@keyring"\ndiscord = "@keyring"\n');
  keychain.item("fermix", "PLUGIN_SLACK_SLACK_KEY", "k").item("fermix", "SLACK_KEY");
  const { purged } = await uninstallPlugin(app(), "slack", { purge: true });
  expect(purged as unknown).toEqual({
    kind: "api_key",
    removed: true,
    revokeAt: undefined,
    sharedWith: [],
    stillGivenBy: undefined,
  });
  expect(keychain.stored()).toEqual({});
  expect(readFileSync(lab.home.configFile, "utf8")).toBe('[fermix_core.plugin_secrets]\ndiscord = "@keyring"\n');
});

test("a keychain that refuses leaves the plugin where it is", async () => {
  lab.publish("slack", { whole: keyManifest("slack") });
  await lab.install("slack");
  write(lab.home.configFile, '[fermix_core.plugin_secrets]\nslack = "@keyring"\n');
  keychain.item("fermix", "PLUGIN_SLACK_SLACK_KEY", "k").item("fermix", "SLACK_KEY").trouble = { state: "locked" };
  const before = lab.disk();
  await expectRefusal(() => uninstallPlugin(app(), "slack", { purge: true }), "keychain_locked");
  expect(lab.disk()).toEqual(before);
});

test("a sign-in goes, and those of others stay; without --purge it stays too", async () => {
  lab.publish("github", { whole: oauthManifest("github") });
  await lab.install("github");
  placeSignIn(lab.home.root, "github:primary");
  placeSignIn(lab.home.root, "x:primary");
  await uninstallPlugin(app(), "github");
  expect(profiles()).toEqual(["github:primary", "x:primary"]);
  await lab.install("github");
  const { purged } = await uninstallPlugin(app(), "github", { purge: true });
  expect(purged).toMatchObject({ kind: "oauth2", removed: true, revokeAt: "https://github.com/settings/applications" });
  expect(profiles()).toEqual(["x:primary"]);
});

test("a sign-in that another plugin uses stays, and who uses it is told", async () => {
  for (const name of ["mail", "calendar"]) {
    lab.publish(name, { whole: oauthManifest(name, "google") });
    await lab.install(name);
  }
  write(lab.home.configFile, '[fermix_core.plugins.calendar]\nauth_profile = "mail:primary"\n');
  placeSignIn(lab.home.root, "mail:primary");
  const { purged } = await uninstallPlugin(app(), "mail", { purge: true });
  expect(purged).toMatchObject({ removed: false, sharedWith: ["calendar"] });
  expect(profiles()).toEqual(["mail:primary"]);
});

test("a plugin whose own files are damaged is purged by what the catalog knows of it", async () => {
  lab.publish("slack", { whole: keyManifest("slack") });
  await lab.install("slack");
  write(`${lab.home.versionDir("slack" as never, "1.0.0" as never)}/plugin.json`, "{");
  keychain.item("fermix", "PLUGIN_SLACK_SLACK_KEY", "k").item("fermix", "SLACK_KEY");
  expect((await uninstallPlugin(app(), "slack", { purge: true })).purged).toMatchObject({ removed: true });
  expect(keychain.stored()).toEqual({});
});
