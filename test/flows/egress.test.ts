/** The compiled binary against a network of its own: no variable weakens a connection, and bytes come from where they should. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildFermix } from "../../build.ts";
import { buildCatalog } from "../../scripts/catalog/build.ts";
import { openSigner } from "../../scripts/catalog/sign.ts";
import { FlowHome, ROOT } from "../lab/binary.ts";
import { Lab, labMissing, PROXY_ADDRESS, SERVER_ADDRESS } from "../lab/network.ts";
import { homeOf } from "../lab/refusal.ts";

const HOST = "plugins.fermix.test";
const missing = labMissing();
if (missing !== undefined) console.warn(`not run: ${missing} is missing`);

/** Every variable that a Bun program would obey: trust, proxies, tracing. */
const HOSTILE = {
  NODE_TLS_REJECT_UNAUTHORIZED: "0",
  HTTPS_PROXY: `http://${PROXY_ADDRESS}:8080`,
  HTTP_PROXY: `http://${PROXY_ADDRESS}:8080`,
  ALL_PROXY: `http://${PROXY_ADDRESS}:8080`,
  https_proxy: `http://${PROXY_ADDRESS}:8080`,
  http_proxy: `http://${PROXY_ADDRESS}:8080`,
  all_proxy: `http://${PROXY_ADDRESS}:8080`,
  BUN_CONFIG_VERBOSE_FETCH: "curl",
  NODE_DEBUG: "http,https,net,tls",
  BUN_CONFIG_HTTP_IDLE_TIMEOUT: "1",
  NODE_OPTIONS: "--require=/nonexistent.js",
} as const;

describe.if(missing === undefined)("in a network namespace", () => {
  let lab: Lab;
  let work: FlowHome;
  let binary: string;

  beforeAll(async () => {
    lab = new Lab([HOST]);
    work = new FlowHome();
    binary = await binaryWithRemoteArtifact(work);
  }, 120_000);
  afterAll(() => {
    lab?.[Symbol.dispose]();
    work?.[Symbol.dispose]();
  });

  test("EGR-1/same-with-all-set an install over https is the same with every such variable set", async () => {
    const { cert, key } = lab.certificate([HOST]);
    const requests = await lab.serve(join(import.meta.dirname, "../lab/artifact-server.ts"), [
      join(work.folder, "remote"),
      cert,
      key,
      SERVER_ADDRESS,
      "443",
    ]);
    const proxied = await lab.serve(join(import.meta.dirname, "../lab/tcp-recorder.ts"), [PROXY_ADDRESS, "8080"]);
    const answers: unknown[] = [];
    for (const env of [{}, HOSTILE]) {
      using home = new FlowHome();
      const answer = await home.fermix("plugins install obsidian --json", {
        binary,
        through: lab.inside,
        env: { NODE_EXTRA_CA_CERTS: lab.caFile, ...env },
      });
      answers.push({ ...answer, live: existsSync(join(home.root, "plugins/installed/obsidian/current/plugin.json")) });
    }
    expect(answers[0]).toMatchObject({ code: 0, live: true });
    expect(answers[1]).toEqual(answers[0]);
    expect(requests()).toEqual(
      [1, 2].flatMap(() => [`GET ${HOST}/obsidian-1.0.0.tar.gz`, `GET ${HOST}/obsidian-1.0.0.tar.gz.sig`]),
    );
    expect(proxied()).toEqual([]);
  }, 60_000);

  test("EGR-1/same-with-all-set a certificate nobody vouches for stays refused with every such variable set", async () => {
    const { cert, key } = lab.certificate(["another.fermix.test"]);
    const requests = await lab.serve(join(import.meta.dirname, "../lab/artifact-server.ts"), [
      join(work.folder, "remote"),
      cert,
      key,
      PROXY_ADDRESS,
      "443",
    ]);
    writeFileSync(`/etc/netns/${lab.name}/hosts`, `${PROXY_ADDRESS} ${HOST}\n`);
    for (const env of [HOSTILE, { ...HOSTILE, NODE_EXTRA_CA_CERTS: lab.caFile }]) {
      using home = new FlowHome();
      mkdirSync(home.root);
      const before = await home.fermix("plugins list --json").then(() => homeOf(home.root));
      const answer = await home.fermix("plugins install obsidian --json", { binary, through: lab.inside, env });
      expect(answer.code).toBe(1);
      const { code, details } = JSON.parse(answer.stdout).error;
      expect({ code, host: details.host }).toEqual({ code: "network_failed", host: HOST });
      expect(details.reason).toMatch(/certificate|altname/i);
      expect(answer.stderr).not.toContain("[fetch]");
      expect(homeOf(home.root)).toEqual(before);
    }
    expect(requests()).toEqual([]);
  }, 60_000);
});

/** A binary whose Obsidian comes from an https address instead of from inside it. */
async function binaryWithRemoteArtifact(work: FlowHome): Promise<string> {
  const sources = join(work.folder, "sources");
  const catalog = join(work.folder, "catalog");
  const remote = join(work.folder, "remote");
  cpSync(join(ROOT, "catalog/plugins/obsidian"), join(sources, "plugins/obsidian"), { recursive: true });
  cpSync(join(ROOT, "catalog/bundled"), join(sources, "bundled"), { recursive: true });
  const key = generateKeyPairSync("ec", { namedCurve: "prime256v1" })
    .privateKey.export({ type: "pkcs8", format: "pem" })
    .toString();
  await buildCatalog({ sources, out: catalog, key, lint: false });
  renameSync(join(catalog, "artifacts"), remote);
  const index = readFileSync(join(catalog, "index.json"), "utf8").replaceAll("embedded:artifacts/", `https://${HOST}/`);
  writeFileSync(join(catalog, "index.json"), index);
  writeFileSync(join(catalog, "index.json.sig"), `${openSigner(key).sign(Buffer.from(index))}\n`);
  const binary = await buildFermix({ catalog, outfile: join(work.folder, "fermix-remote") });
  rmSync(sources, { recursive: true });
  return binary;
}
