/** The compiled binary calls hostile plugins: no address of a hostile kind is dialled, as literal, DNS answer or redirect. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { HOSTILE_ADDRESSES, spellings } from "../forge/hostile-addresses.ts";
import { type HostileLab, nameOf, openHostileLab } from "../lab/hostile/hostile-lab.ts";
import { literalTool, toolFor } from "../lab/hostile/http-plugin.ts";
import type { HttpHome } from "../lab/http-home.ts";
import { labMissing, SERVER_ADDRESS, SERVER_ADDRESS_V6 } from "../lab/network.ts";

const missing = labMissing();
if (missing !== undefined) console.warn(`not run: ${missing} is missing`);

/** What the agent reads of a call: the text, and the code of a refusal. */
interface Heard {
  readonly code: string | undefined;
  readonly text: string;
}

async function ask(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Heard> {
  const { content, _meta } = await client.callTool({ name, arguments: args });
  const [block] = content as { readonly text: string }[];
  const code = _meta?.["fermix/code"];
  return { code: typeof code === "string" ? code : undefined, text: block?.text.split("\n")[0] ?? "" };
}

describe.if(missing === undefined)("in a network where every address answers", () => {
  let lab: HostileLab;
  let home: HttpHome;

  beforeAll(async () => {
    lab = await openHostileLab();
    home = await lab.home();
  }, 120_000);
  afterAll(() => {
    home?.[Symbol.dispose]();
    lab?.[Symbol.dispose]();
  });

  test("a sound call opens one connection, which the count sees, and the next call uses it again", async () => {
    const before = lab.connectionsBegun();
    await home.agent(async (client) => {
      for (const _ of [1, 2, 3]) {
        expect(await ask(client, "hostile_get", { path: "sound" })).toEqual({
          code: undefined,
          text: '{"sound":true}',
        });
      }
    });
    expect(lab.connectionsBegun() - before).toBe(1);
    expect(await lab.asked()).toHaveLength(3);
  });

  test("HTTP-2/literals an address in a template is not dialled, whatever kind it is of", async () => {
    const before = lab.connectionsBegun();
    await home.agent(async (client) => {
      for (const { kind, address } of HOSTILE_ADDRESSES) {
        const heard = await ask(client, literalTool(kind));
        const host = new URL(`https://${spellings(address)[0]}/`).hostname;
        const text = `request failed: Fermix does not connect to "${host}": it is an IP address, not a name.`;
        expect(heard).toEqual({ code: "blocked_url", text });
      }
    });
    expect(lab.connectionsBegun() - before).toBe(0);
    expect([await lab.queries(), await lab.asked()]).toEqual([[], []]);
  }, 60_000);

  test("HTTP-2/dns-answers a name that resolves to one is not dialled", async () => {
    const before = lab.connectionsBegun();
    await home.agent(async (client) => {
      for (const { kind, address, why } of HOSTILE_ADDRESSES) {
        const { code, text } = await ask(client, toolFor(nameOf(kind)));
        expect({ kind, code }).toEqual({ kind, code: "blocked_address" });
        expect(text).toStartWith(`request failed: Fermix does not connect to "${nameOf(kind)}": it resolves to `);
        expect({ address, text }).toEqual({
          address,
          text: expect.stringMatching(new RegExp(`, which is ${escaped(why)}.$`)),
        });
      }
    });
    expect(lab.connectionsBegun() - before).toBe(0);
    expect(await lab.asked()).toEqual([]);
    expect(new Set(await lab.queries()).size).toBe(HOSTILE_ADDRESSES.length * 2);
  }, 60_000);

  test("HTTP-2/literals, HTTP-3/never-followed a redirect to one is told and not followed", async () => {
    const before = lab.connectionsBegun();
    await home.agent(async (client) => {
      for (const { kind, address } of HOSTILE_ADDRESSES) {
        const { code, text } = await ask(client, "hostile_to", { path: kind });
        expect({ kind, code }).toEqual({ kind, code: "redirect_refused" });
        expect(text).toContain(`The API answered 302 and points to "https://${spellings(address)[0]}/"`);
      }
    });
    expect(lab.connectionsBegun() - before).toBe(1);
    expect(await lab.asked()).toHaveLength(HOSTILE_ADDRESSES.length);
  }, 60_000);

  test("HTTP-2/dialled-is-checked a name that rebinds after the check is asked at the address that was checked", async () => {
    await lab.queries();
    const host = "rebind.fermix.test";
    const first = await home.call(toolFor(host));
    expect([first, await lab.queries()]).toEqual([{ code: 0, value: { sound: true } }, [`A ${host}`, `AAAA ${host}`]]);
    expect(await lab.asked()).toEqual([{ host, line: "GET /sound HTTP/1.1", to: SERVER_ADDRESS }]);
    const before = lab.connectionsBegun();
    const second = await home.call(toolFor(host));
    expect(second).toMatchObject({ error: { code: "blocked_address", details: { host, address: "127.0.0.1" } } });
    expect([lab.connectionsBegun() - before, await lab.asked()]).toEqual([0, []]);
  });

  for (const [host, address] of [
    ["mixed.fermix.test", "10.0.0.1"],
    ["mixed-families.fermix.test", "fd00::1"],
  ] as const) {
    test(`HTTP-2/dns-answers ${host} with a public and a private answer is not dialled at all`, async () => {
      const before = lab.connectionsBegun();
      const called = await home.call(toolFor(host));
      expect(called).toMatchObject({ error: { code: "blocked_address", details: { host, address } } });
      expect([lab.connectionsBegun() - before, await lab.asked()]).toEqual([0, []]);
    });
  }

  test("a name with IPv6 addresses alone is reached", async () => {
    const host = "v6-only.fermix.test";
    expect(await home.call(toolFor(host))).toEqual({ code: 0, value: { sound: true } });
    expect(await lab.asked()).toEqual([{ host, line: "GET /sound HTTP/1.1", to: SERVER_ADDRESS_V6 }]);
  });

  for (const [host, to] of [
    ["v4-refuses.fermix.test", SERVER_ADDRESS_V6],
    ["v6-refuses.fermix.test", SERVER_ADDRESS],
    ["most-refuse.fermix.test", SERVER_ADDRESS],
  ] as const) {
    test(`${host} is reached at the address that answers`, async () => {
      expect(await home.call(toolFor(host))).toEqual({ code: 0, value: { sound: true } });
      expect(await lab.asked()).toEqual([{ host, line: "GET /sound HTTP/1.1", to }]);
    });
  }

  for (const host of ["nowhere.fermix.test", "broken.fermix.test", "silent.fermix.test"]) {
    test(`${host} has no address, and is named`, async () => {
      const called = await home.call(toolFor(host));
      expect(called).toMatchObject({ code: 1, error: { code: "dns_failed", details: { host } } });
    }, 20_000);
  }
});

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
