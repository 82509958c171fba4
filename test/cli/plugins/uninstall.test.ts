import { expect, test } from "bun:test";
import { uninstall } from "../../../src/cli/plugins/uninstall.ts";
import { FakeKeychain } from "../../fakes/keychain.ts";
import { InstallLab } from "../../plugins/install-lab.ts";
import { keyManifest, oauthManifest, write } from "../../plugins/lab.ts";
import { answers } from "./answers.ts";

const PICKED_UP = "no daemon is running; every `fermix mcp serve` picks this up by itself";

test("says what went and what stays", async () => {
  using lab = new InstallLab();
  lab.publish("slack", { whole: keyManifest("slack") });
  await lab.install("slack");
  write(lab.home.configFile, '[fermix_core.plugins]\nenabled = ["slack"]\n');
  expect(await answers(uninstall, lab.app(), { name: "slack", purge: false })).toEqual({
    terminal: "uninstalled slack",
    piped: "uninstalled slack",
    json: {
      uninstalled: "slack",
      version: "1.0.0",
      disabled: true,
      credential_kept: "api_key",
      credential_removed: false,
    },
    notices: [
      "slack was disabled first; its settings stay in config.toml",
      "a credential stored for it, if any, stays: `fermix plugins auth clear slack` removes it",
      PICKED_UP,
    ],
    exit: "ok",
  });
});

test("a plugin with sign-ins is told how to sign out; one without credentials is told nothing", async () => {
  using lab = new InstallLab();
  lab.publish("github", { whole: oauthManifest("github") });
  lab.publish("notes");
  await lab.install("github");
  await lab.install("notes");
  const signedIn = await answers(uninstall, lab.app(), { name: "github", purge: false });
  expect(signedIn.notices).toEqual([
    "a credential stored for it, if any, stays: `fermix plugins auth logout github` removes it",
    PICKED_UP,
  ]);
  expect((await answers(uninstall, lab.app(), { name: "notes", purge: false })).notices).toEqual([PICKED_UP]);
});

test("--purge says what went with it and that nothing was revoked", async () => {
  using lab = new InstallLab();
  lab.publish("slack", { whole: keyManifest("slack") });
  lab.publish("notes");
  await lab.install("slack");
  await lab.install("notes");
  const keychain = new FakeKeychain().item("fermix", "PLUGIN_SLACK_SLACK_KEY", "k").item("fermix", "SLACK_KEY");
  const app = { ...lab.app(), ports: { ...lab.app().ports, keychain } };
  const purged = await answers(uninstall, app, { name: "slack", purge: true });
  expect(purged.json).toEqual({
    uninstalled: "slack",
    version: "1.0.0",
    disabled: false,
    credential_kept: null,
    credential_removed: true,
  });
  expect(purged.notices).toEqual([
    "its API key was removed from this machine and not revoked: revoke it with the service too",
    PICKED_UP,
  ]);
  expect(keychain.stored()).toEqual({});
  expect((await answers(uninstall, app, { name: "notes", purge: true })).notices).toEqual([PICKED_UP]);
});
