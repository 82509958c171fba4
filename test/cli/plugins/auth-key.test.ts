/** Tests of `fermix plugins auth set` and `clear`: what they say on every surface, and that a key is in none of it. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { clear } from "../../../src/cli/plugins/auth/clear.ts";
import { set } from "../../../src/cli/plugins/auth/set.ts";
import type { App } from "../../../src/plugins/app.ts";
import { expectRefusal } from "../../expect.ts";
import { FakeTerminal } from "../../fakes/terminal.ts";
import { keyManifest, PluginLab } from "../../plugins/lab.ts";
import { answers } from "./answers.ts";

const KEY = "xoxb-the-key";
const PICKED_UP = "no daemon is running; every `fermix mcp serve` picks this up by itself";

let lab: PluginLab;
beforeEach(() => {
  lab = new PluginLab();
  const auth = { type: "api_key", key_name: "SLACK_KEY", prompt: "Token", help_url: "https://slack.example/apps" };
  lab.installed({ ...keyManifest("slack"), auth });
  lab.keychain.item("fermix", "PLUGIN_SLACK_SLACK_KEY").item("fermix", "SLACK_KEY");
  lab.enable(["slack"]);
});
afterEach(() => lab[Symbol.dispose]());

const appWith = (terminal: FakeTerminal): App => ({ ...lab.app, ports: { ...lab.app.ports, terminal } });
const piped = (input = `${KEY}\n`): App => appWith(new FakeTerminal({ input }));
const setFrom = async (app: App, stdin = true) => await answers(set, app, { name: "slack", stdin, check: false });

describe("set", () => {
  test("says that it is stored, and once more that nothing had to be written", async () => {
    const first = await setFrom(piped());
    expect(first).toEqual({
      terminal: "stored api key for slack",
      piped: "stored api key for slack",
      json: { plugin: "slack", secret_set: true, changed: true, in_keychain: true, checked: null },
      notices: [PICKED_UP],
      exit: "ok",
    });
    const again = await setFrom(piped());
    expect(again.json).toMatchObject({ secret_set: true, changed: false });
    expect(again.notices[0]).toBe("the keychain had this key of slack already; it was not written again");
  });

  test("a plugin that is off, and a variable that goes before the key, are told", async () => {
    lab.config("[fermix_core.plugins]", "enabled = []");
    lab.variables.set("FERMIX_PLUGIN_KEY_SLACK", "k");
    expect((await setFrom(piped())).notices).toEqual([
      "FERMIX_PLUGIN_KEY_SLACK is set and goes before the stored key",
      "slack is not enabled yet: `fermix plugins enable slack` gives its tools to agents",
    ]);
  });

  test("KCH-2/warning a key that stays in clear is told with the command that moves it", async () => {
    lab.enable(["slack"], "[fermix_core.plugin_secrets]", `slack = "${KEY}"`);
    lab.keychain.trouble = { state: "unavailable", reason: "no bus" };
    const { json, piped: text, notices } = await setFrom(piped());
    expect(json).toEqual({ plugin: "slack", secret_set: true, changed: false, in_keychain: false, checked: null });
    expect(text).toBe("kept api key for slack as it is");
    expect(notices[0]).toContain("`fermix setup --migrate-secrets`");
  });

  test("without a terminal, without a pipe or with nothing in it, nothing is done", async () => {
    const command = "fermix plugins auth set slack";
    await expectRefusal(() => setFrom(piped(), false), "not_a_terminal", { command });
    await expectRefusal(() => setFrom(appWith(new FakeTerminal({ tty: true }))), "stdin_is_a_terminal", { command });
    await expectRefusal(() => setFrom(piped("\n")), "no_input", { command });
    expect(lab.keychain.changes).toEqual([]);
  });
});

describe("clear", () => {
  const run = () => answers(clear, appWith(new FakeTerminal()), { name: "slack" });

  test("AUTH-4/revokes-nothing AUTH-10/clear says which of the three it was", async () => {
    await setFrom(piped());
    expect(await run()).toEqual({
      terminal: "cleared api key for slack",
      piped: "cleared api key for slack",
      json: { plugin: "slack", cleared: true, changed: true, revoked: false, item_kept: null },
      notices: [
        "this removed the key from this machine and revoked nothing: revoke it at https://slack.example/apps too, or it goes on working",
        "slack is as enabled as before; `fermix plugins disable slack` switches it off",
        PICKED_UP,
      ],
      exit: "ok",
    });
  });

  test("nothing there is said, and that a variable still gives a key", async () => {
    lab.variables.set("FERMIX_PLUGIN_KEY_SLACK", "k");
    const { piped: text, json, notices } = await run();
    expect(text).toBe("slack had no api key to clear");
    expect(json).toMatchObject({ cleared: true, changed: false });
    expect(notices).toEqual(["FERMIX_PLUGIN_KEY_SLACK is set and still gives slack its key", PICKED_UP]);
  });
});
