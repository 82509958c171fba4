/** Tests of plugins/doctor/health.ts: ready plugins are asked, a few at a time, and the others are not. */
import { describe, expect, test } from "bun:test";
import { doctor } from "../../../src/cli/doctor.ts";
import { doctor as pluginsDoctor } from "../../../src/cli/plugins/doctor.ts";
import type { App } from "../../../src/plugins/app.ts";
import { healthRows } from "../../../src/plugins/doctor/health.ts";
import { checkPlugins } from "../../../src/plugins/doctor/plugins.ts";
import { loadPlugins } from "../../../src/plugins/load.ts";
import { answers } from "../../cli/plugins/answers.ts";
import { FakeDns } from "../../fakes/dns.ts";
import { FakeHttp, reply } from "../../fakes/http.ts";
import { ManualClock } from "../../fakes/manual-clock.ts";
import { type Json, keyManifest, noteManifest, PluginLab } from "../lab.ts";

/** A plugin with a key whose service is asked at a path of its own name. */
function asked(name: string): Json {
  return {
    ...keyManifest(name),
    health_check: { url: `https://api.example.com/${name}`, method: "GET", success: [200] },
  };
}

const JSON_TYPE = { "content-type": "application/json" };

class HealthLab extends PluginLab {
  readonly http = new FakeHttp();
  readonly online: App;

  constructor(plugins: readonly Json[]) {
    super();
    for (const plugin of plugins) this.installed(plugin);
    const names = plugins.map((plugin) => String(plugin["name"]));
    this.enable(names);
    for (const name of names) this.variables.set(`FERMIX_PLUGIN_KEY_${name.toUpperCase()}`, "canary-key");
    this.keychain.item("fermix", "FERMIX_DOCTOR");
    const dns = new FakeDns().answer("api.example.com", ["93.184.216.34"]);
    this.online = { ...this.app, ports: { ...this.app.ports, http: this.http, dns, clock: new ManualClock() } };
  }

  answers(name: string, status: number): this {
    this.http.on(`https://api.example.com/${name}`, () => reply(status, "{}", JSON_TYPE));
    return this;
  }
}

describe("DOC-1/full: --full asks the services of ready plugins", () => {
  test("each is a row: it takes the request, refuses the key, or has nothing to ask", async () => {
    using lab = new HealthLab([
      asked("agent"),
      asked("chat"),
      { ...keyManifest("mail"), health_check: { kind: "local_readiness" } },
    ]);
    lab.installed(noteManifest("off"));
    lab.answers("agent", 200).answers("chat", 401);
    const { json, exit } = await answers(doctor, lab.online, { full: true, env: false });
    const { checks } = json as { checks: readonly { name: string }[] };
    expect(checks.filter(({ name }) => name.startsWith("health "))).toEqual([
      { name: "health agent", level: "ok", detail: "its service takes the request" },
      {
        name: "health chat",
        level: "fail",
        detail: "API key rejected — update it with `fermix plugins auth set chat`",
        fix: expect.stringContaining("`fermix plugins auth set chat`"),
      },
      { name: "health mail", level: "ok", detail: "ready; its manifest names nothing to ask" },
    ] as never);
    expect(exit).toBe("failed");
    expect(JSON.stringify(json)).not.toContain("canary");
    expect(lab.http.sent.map(({ headers }) => headers["authorization"])).toEqual([
      "Bearer canary-key",
      "Bearer canary-key",
    ]);
  });

  test("without it nobody is asked, and what is not ready is not asked either", async () => {
    using lab = new HealthLab([asked("chat")]);
    await answers(doctor, lab.online, { full: false, env: false });
    await answers(pluginsDoctor, lab.online, { name: undefined, full: false });
    lab.variables.clear();
    await answers(doctor, lab.online, { full: true, env: false });
    await answers(pluginsDoctor, lab.online, { name: "chat", full: true });
    expect(lab.http.sent).toEqual([]);
  });

  test("plugins doctor says it in the plugin's own row, with the fix of what the service said", async () => {
    using lab = new HealthLab([asked("agent"), asked("chat")]);
    lab.answers("agent", 200).answers("chat", 401);
    const { json } = await answers(pluginsDoctor, lab.online, { name: undefined, full: true });
    expect(json).toMatchObject({
      plugins: [
        { name: "agent", doctor: "ok", detail: "ready; its service takes the request", fix: null },
        { name: "chat", doctor: "error", fix: expect.stringContaining("`fermix plugins auth set chat`") },
      ],
    });
    const one = await answers(pluginsDoctor, lab.online, { name: "agent", full: true });
    expect(one.piped).toBe("agent\tok\tready; its service takes the request\t-");
  });

  test("four are asked at once and no more; the rows keep their order", async () => {
    const names = ["a", "b", "c", "d", "e", "f"];
    using lab = new HealthLab(names.map(asked));
    const waiting: (() => void)[] = [];
    let most = 0;
    for (const name of names) {
      lab.http.on(`https://api.example.com/${name}`, async () => {
        const gate = Promise.withResolvers<void>();
        waiting.push(gate.resolve);
        most = Math.max(most, waiting.length);
        await gate.promise;
        return reply(200, "{}", JSON_TYPE);
      });
    }
    const report = await loadPlugins(lab.online);
    const rows = healthRows(lab.online, report, await checkPlugins(lab.online, report));
    for (let left = names.length; left > 0; ) {
      await new Promise(setImmediate);
      if (waiting.length < Math.min(4, left)) continue;
      left -= waiting.length;
      for (const go of waiting.splice(0)) go();
    }
    expect((await rows).map(({ name }) => name)).toEqual(names.map((name) => `health ${name}`));
    expect(most).toBe(4);
  });
});
