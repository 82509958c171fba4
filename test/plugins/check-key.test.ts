/** Tests of plugins/check-key.ts: a key is tried with the service's own answer before anything is stored. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { isFermixError } from "../../src/kernel/error.ts";
import type { HttpReply } from "../../src/kernel/ports.ts";
import type { App } from "../../src/plugins/app.ts";
import { checkKey } from "../../src/plugins/check-key.ts";
import { setPluginKey } from "../../src/plugins/set-secret.ts";
import { systemClock } from "../../src/system/clock.ts";
import { expectRefusal, snapshotTree } from "../expect.ts";
import { FakeDns } from "../fakes/dns.ts";
import { FakeHttp, reply } from "../fakes/http.ts";
import { keyManifest, PluginLab } from "./lab.ts";

const KEY = "k3y-canary-value";
const URL = "https://api.example.com/me";

let lab: PluginLab;
let http: FakeHttp;
beforeEach(() => {
  lab = new PluginLab();
  lab.keychain.item("fermix", "PLUGIN_NOTES_NOTES_KEY");
  http = new FakeHttp();
});
afterEach(() => lab[Symbol.dispose]());

async function set(answer: (() => HttpReply) | undefined, healthCheck: object | undefined = { url: URL }) {
  lab.installed({ ...keyManifest("notes"), ...(healthCheck === undefined ? {} : { health_check: healthCheck }) });
  if (answer !== undefined) http.on(URL, answer);
  const dns = new FakeDns().answer("api.example.com", ["93.184.216.34"]);
  const app: App = { ...lab.app, ports: { ...lab.app.ports, http, dns, clock: systemClock() } };
  return await setPluginKey(app, "notes", async () => KEY, { check: checkKey });
}

const json = (value: unknown, status = 200) =>
  reply(status, JSON.stringify(value), { "content-type": "application/json" });

describe("a key that is tried", () => {
  test("is sent as the manifest says, and stored when the service takes it", async () => {
    expect(await set(() => json({ ok: true }))).toMatchObject({ outcome: "stored", checked: "taken" });
    expect(http.sent.map(({ headers }) => headers["authorization"])).toEqual([`Bearer ${KEY}`]);
    expect(lab.keychain.stored()).toEqual({ "fermix/PLUGIN_NOTES_NOTES_KEY": KEY });
  });

  test("and refused by the service is not stored, and what was there stays; nothing of it is told", async () => {
    lab.keychain.item("fermix", "PLUGIN_NOTES_NOTES_KEY", "the old one");
    lab.config("[fermix_core.plugin_secrets]", 'notes = "@keyring"');
    const before = snapshotTree(lab.home.root);
    const echo = () => json({ error: `no such key: ${KEY}` }, 401);
    const details = await expectRefusal(() => set(echo), "key_check_failed");
    expect({ plugin: details.plugin, code: details.code }).toEqual({ plugin: "notes", code: "api_key_rejected" });
    expect(JSON.stringify(details)).not.toContain(KEY);
    expect(lab.keychain.stored()).toEqual({ "fermix/PLUGIN_NOTES_NOTES_KEY": "the old one" });
    lab.installed(keyManifest("notes"));
    expect(snapshotTree(lab.home.root)["config.toml"]).toBe(before["config.toml"]);
  });

  test("and a service that is down are told apart by the code, and the fix asks for another key in the first case only", async () => {
    const fixes: string[] = [];
    for (const [status, expected] of [
      [401, "api_key_rejected"],
      [503, "provider_error"],
    ] as const) {
      const failed = await set(() => json({}, status)).catch((error: unknown) => error);
      if (!isFermixError(failed, "key_check_failed")) throw failed;
      expect(failed.details.code).toBe(expected);
      fixes.push(failed.fix);
    }
    expect(fixes[0]).toStartWith("`fermix plugins auth set notes --check` with another key");
    expect(fixes[1]).toEndWith("; without --check the key is stored untried");
    expect(fixes[1]).not.toContain("another key");
    expect(lab.keychain.changes).toEqual([]);
  });

  test("where the manifest names no request it is stored untried, and that is told", async () => {
    expect(await set(undefined, { kind: "local_readiness", requires_auth: true })).toMatchObject({
      outcome: "stored",
      checked: "not_asked",
    });
    expect(http.sent).toEqual([]);
  });
});
