/** The compiled binary behind the operator's proxy, and in front of proxies that nobody but the environment names. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type HostileLab, nameOf, openHostileLab } from "../lab/hostile/hostile-lab.ts";
import { literalTool, toolFor } from "../lab/hostile/http-plugin.ts";
import type { HttpHome } from "../lab/http-home.ts";
import { LineServer } from "../lab/line-server.ts";
import { labMissing, PROXY_ADDRESS, SERVER_ADDRESS } from "../lab/network.ts";

const missing = labMissing();
if (missing !== undefined) console.warn(`not run: ${missing} is missing`);

const PROXY = `http://${PROXY_ADDRESS}:8080`;
/** Every variable that a Bun program would obey: trust, proxies, tracing. */
const HOSTILE = {
  NODE_TLS_REJECT_UNAUTHORIZED: "0",
  NO_PROXY: "*",
  no_proxy: "*",
  BUN_CONFIG_VERBOSE_FETCH: "curl",
  NODE_DEBUG: "http,https,net,tls",
  ...Object.fromEntries(
    ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "https_proxy", "http_proxy", "all_proxy"].map((name) => [name, PROXY]),
  ),
};

describe.if(missing === undefined)("in a network with a proxy", () => {
  let lab: HostileLab;
  let home: HttpHome;
  let proxy: LineServer<string>;
  const tunnels = async (): Promise<readonly string[]> => {
    await proxy.command({});
    return proxy.take();
  };

  beforeAll(async () => {
    lab = await openHostileLab();
    home = await lab.home();
    const script = join(import.meta.dirname, "../lab/connect-proxy.ts");
    const words = [process.execPath, script, PROXY_ADDRESS, "8080", SERVER_ADDRESS];
    proxy = await LineServer.start<string>([...lab.network.inside, ...words]);
  }, 120_000);
  afterAll(() => {
    proxy?.[Symbol.dispose]();
    home?.[Symbol.dispose]();
    lab?.[Symbol.dispose]();
  });

  test("EGR-1/same-with-all-set a tool call is the same with every such variable set, and no proxy is asked", async () => {
    const answers = [];
    for (const env of [{}, HOSTILE]) {
      const { code, stdout, stderr } = await home.inLab(["call", "hostile_get", "--args", '{"path":"sound"}'], { env });
      answers.push({ code, stdout, stderr });
    }
    expect(answers[0]).toMatchObject({ code: 0, stderr: "" });
    expect(answers[1]).toEqual(answers[0]);
    expect(await tunnels()).toEqual([]);
  });

  test("EGR-1/same-with-all-set a certificate that nobody vouches for stays refused", async () => {
    await lab.asked();
    const called = await home.call(toolFor("self-signed.fermix.test"), {}, { env: HOSTILE });
    expect(called).toMatchObject({ code: 1, error: { code: "network_failed" } });
    expect([await lab.asked(), await tunnels()]).toEqual([[], []]);
  });

  test("SSL_CERT_FILE replaces the roots, and one that is not there is named", async () => {
    const { caFile } = lab.network;
    for (const [env, expected] of [
      [
        { NODE_EXTRA_CA_CERTS: "", SSL_CERT_FILE: caFile },
        { code: 0, value: { sound: true } },
      ],
      [{ SSL_CERT_FILE: `${caFile}.gone` }, { code: 1, error: { code: "network_failed" } }],
    ] as const) {
      expect(await home.call("hostile_get", { path: "sound" }, { env })).toMatchObject(expected);
    }
  });

  describe("that the operator configured", () => {
    const config = (): string => join(home.root, "config.toml");
    let before: string;
    beforeAll(() => {
      before = readFileSync(config(), "utf8");
      appendFileSync(config(), `\n[fermix_core.http]\nproxy = "${PROXY}"\n`);
    });
    afterAll(() => writeFileSync(config(), before));

    test("every call goes through it, by the name, and nothing is resolved here", async () => {
      await lab.queries();
      for (const host of ["answers.fermix.test", "mixed.fermix.test", nameOf("loopback")]) {
        const name = host === "answers.fermix.test" ? "hostile_get" : toolFor(host);
        const args = name === "hostile_get" ? { path: "sound" } : {};
        expect(await home.call(name, args, { env: HOSTILE })).toEqual({ code: 0, value: { sound: true } });
        expect(await tunnels()).toEqual([`CONNECT ${host}:443 HTTP/1.1`]);
      }
      expect(await lab.queries()).toEqual([]);
    });

    test("the name is judged all the same", async () => {
      for (const kind of ["loopback", "cloud_metadata", "v6_loopback"]) {
        expect(await home.call(literalTool(kind))).toMatchObject({ code: 5, error: { code: "blocked_url" } });
      }
      expect(await tunnels()).toEqual([]);
    });

    test("a server with another certificate behind it is refused", async () => {
      await lab.asked();
      const called = await home.call(toolFor("wrong-name.fermix.test"), {}, { env: HOSTILE });
      expect(called).toMatchObject({ code: 1, error: { code: "network_failed" } });
      expect("error" in called ? called.error.message : "").toContain(`through the proxy ${PROXY}: `);
      expect([await lab.asked(), await tunnels()]).toEqual([[], ["CONNECT wrong-name.fermix.test:443 HTTP/1.1"]]);
    });

    test("doctor says that it is in use", async () => {
      const { stdout } = await home.inLab("doctor --json");
      const told = `every request goes through ${PROXY}, which resolves the names; addresses are not judged here`;
      const details = JSON.parse(stdout).checks.map(({ detail }: { readonly detail: string }) => detail);
      expect(details).toContainEqual(expect.stringContaining(told));
    });
  });
});
