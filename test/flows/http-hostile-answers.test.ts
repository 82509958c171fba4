/** The compiled binary reads what no honest API answers: each answer is data or a named refusal, and spoils no later one. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ANSWERS, MAX_REPLY_BYTES } from "../lab/hostile/answers.ts";
import { BAD_CERTIFICATES, type HostileLab, openHostileLab } from "../lab/hostile/hostile-lab.ts";
import { toolFor } from "../lab/hostile/http-plugin.ts";
import type { HttpHome } from "../lab/http-home.ts";
import { labMissing } from "../lab/network.ts";
import { until } from "../lab/until.ts";

const missing = labMissing();
if (missing !== undefined) console.warn(`not run: ${missing} is missing`);

/** What the agent reads of a call: the first line of the text, and the code of a refusal. */
interface Heard {
  readonly code: string | undefined;
  readonly text: string;
}

const SOUND: Heard = { code: undefined, text: '{"sound":true}' };
const TIMED_OUT = 'request failed: "answers.fermix.test" took longer than 1 s to answer in full.';
const NO_JSON = "unexpected non-JSON response (text that does not parse as JSON)";
const TOO_LARGE = `response exceeds the ${MAX_REPLY_BYTES}-byte size cap (downloads belong on the mcp rail)`;
const NO_FOLLOWING = "plugin requests do not follow redirects, and the manifest must use the final URL.";

const packed = (encoding: string): string => `response used content-encoding ${encoding}; expected identity`;
const broken = (reason: string): string =>
  `request failed: the connection to "answers.fermix.test" broke or was refused: "${reason}".`;
const moved = (status: number, where: string): string =>
  `The API answered ${status} and points to ${where}; ${NO_FOLLOWING}`;

const CLOSED = broken("the server closed the connection before its answer was complete");
const LENGTH = broken("the answer contradicts itself about its length");
const NO_HTTP = broken("the server does not answer in HTTP");

/** Answers that are data, and the JSON that the agent reads. */
const GIVEN: Readonly<Record<string, string>> = {
  sound: '{"sound":true}',
  chunked: '{"sound":true}',
  "chunked-and-length": '{"sound":true}',
  "no-length": '{"sound":true}',
  "length-too-short": '{"a":1}',
  "with-mark": '{"sound":true}',
  refresh: '{"sound":true}',
  cookie: '{"cookie":"set"}',
  "big-numbers": '{"id":12345678901234567890,"price":1.10,"tiny":1e-400,"huge":1e400,"minus":-0}',
  "deep-500": `${"[".repeat(500)}${"]".repeat(500)}`,
  proto: '{"__proto__":{"polluted":true},"constructor":{"a":1}}',
  empty: "{}",
};

/** Answers that are refused: the code, and the sentence. */
const REFUSED: Readonly<Record<string, readonly [code: string, text: string]>> = {
  "past-limit": ["response_too_large", TOO_LARGE],
  "past-limit-chunked": ["response_too_large", TOO_LARGE],
  endless: ["response_too_large", TOO_LARGE],
  "endless-error": ["provider_error", "provider error (500). …(truncated)"],
  gzip: ["compressed_response_refused", packed("gzip")],
  "gzip-upper": ["compressed_response_refused", packed("gzip")],
  "x-gzip": ["compressed_response_refused", packed("x-gzip")],
  "gzip-that-is-not": ["compressed_response_refused", packed("gzip")],
  bomb: ["compressed_response_refused", packed("gzip")],
  deflate: ["compressed_response_refused", packed("deflate")],
  br: ["compressed_response_refused", packed("br")],
  zstd: ["compressed_response_refused", packed("zstd")],
  "gzip-twice": ["compressed_response_refused", packed("gzip, gzip")],
  "gzip-chunked": ["compressed_response_refused", packed("gzip")],
  "length-too-long": ["network_failed", CLOSED],
  "length-huge": ["response_too_large", TOO_LARGE],
  "length-negative": ["network_failed", LENGTH],
  "two-lengths": ["network_failed", LENGTH],
  "chunk-size-nonsense": ["network_failed", broken("the answer breaks the rules of HTTP")],
  "chunked-cut": ["network_failed", CLOSED],
  closed: ["network_failed", CLOSED],
  "not-http": ["network_failed", NO_HTTP],
  "not-utf8": ["response_not_utf8", "The response holds bytes that are not UTF-8, so it is not JSON."],
  "lone-surrogate": ["response_not_utf8", "The response holds bytes that are not UTF-8, so it is not JSON."],
  utf16: ["response_not_utf8", "The response holds bytes that are not UTF-8, so it is not JSON."],
  nan: ["non_json_response", NO_JSON],
  infinity: ["non_json_response", NO_JSON],
  "two-values": ["non_json_response", NO_JSON],
  "cut-json": ["non_json_response", NO_JSON],
  "html-as-json": ["non_json_response", "unexpected non-JSON response (HTML that says it is application/json)"],
  html: ["non_json_response", "unexpected non-JSON response (content-type text/html; charset=utf-8)"],
  "no-type": ["non_json_response", "unexpected non-JSON response (no content-type)"],
  "deep-501": ["response_too_deep", "The response nests in more than 500 levels."],
  "deep-million": ["response_too_deep", "The response nests in more than 500 levels."],
  "no-content": ["request_failed", "request failed (204)."],
  "301": ["redirect_refused", moved(301, '"https://elsewhere.example.net/"')],
  "302": ["redirect_refused", moved(302, '"https://127.0.0.1/latest/meta-data/"')],
  "303": ["redirect_refused", moved(303, '"/sound"')],
  "307": ["redirect_refused", moved(307, '"http://answers.fermix.test/sound"')],
  "308": ["redirect_refused", moved(308, '"file:///etc/passwd"')],
  "300": ["redirect_refused", moved(300, '"//169.254.169.254/"')],
  "302-nowhere": ["redirect_refused", moved(302, "an unstated location")],
  "302-empty": ["redirect_refused", moved(302, '""')],
  "302-twice": ["redirect_refused", moved(302, '"/sound, https://127.0.0.1/"')],
  "302-control": ["network_failed", NO_HTTP],
  "500": ["provider_error", "provider error (500). \\u001b]0;title\\u0007boom"],
};

/** Answers that never end, each within one second of the operator's. */
const ENDLESS = ["stalled-head", "stalled-body", "dripping", "endless-interim"];
/** Judged by their length alone. */
const AT_THE_LIMIT = ["limit", "limit-chunked"];
/** Data that an agent's client would end the connection over. */
const TOO_MUCH = "quotes";
/** Where the engine gives up is a matter of how much has arrived, and so is its reason. */
const ENDLESS_HEAD = "endless-head";

async function ask(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Heard> {
  const { content, _meta } = await client.callTool({ name, arguments: args });
  const [block] = content as { readonly text: string }[];
  const code = _meta?.["fermix/code"];
  return { code: typeof code === "string" ? code : undefined, text: block?.text.split("\n")[0] ?? "" };
}

/** The most memory the server of this client has ever had resident, in MB. */
function mostMemory({ transport }: Client): number {
  if (!(transport instanceof StdioClientTransport)) throw new Error("the client has no process");
  const status = readFileSync(`/proc/${transport.pid}/status`, "utf8");
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

test("every answer of the lab is expected to be something", () => {
  const expected = [
    ...Object.keys(GIVEN),
    ...Object.keys(REFUSED),
    ...ENDLESS,
    ...AT_THE_LIMIT,
    ENDLESS_HEAD,
    TOO_MUCH,
  ];
  expect(expected.map((path) => `/${path}`).sort()).toEqual(Object.keys(ANSWERS).sort());
});

describe.if(missing === undefined)("an API that answers", () => {
  let lab: HostileLab;
  let home: HttpHome;
  const heard = new Map<string, Heard>();
  /** What a sound answer read as right after the hostile one of this path. */
  const afterwards = new Map<string, Heard>();

  beforeAll(async () => {
    lab = await openHostileLab();
    home = await lab.home();
    await home.agent(async (client) => {
      for (const path of [...Object.keys(GIVEN), ...Object.keys(REFUSED), ...AT_THE_LIMIT, ENDLESS_HEAD, TOO_MUCH]) {
        heard.set(path, await ask(client, "hostile_get", { path }));
        afterwards.set(path, await ask(client, "hostile_get", { path: "sound" }));
      }
    });
  }, 120_000);
  afterAll(() => {
    home?.[Symbol.dispose]();
    lab?.[Symbol.dispose]();
  });

  for (const [path, text] of Object.entries(GIVEN)) {
    test(`${path} is data`, () => expect(heard.get(path)).toEqual({ code: undefined, text }));
  }

  for (const path of AT_THE_LIMIT) {
    test(`HTTP-4/size-cap ${path}: 5 MiB are data`, () => {
      expect([heard.get(path)?.code, heard.get(path)?.text.length]).toEqual([undefined, MAX_REPLY_BYTES]);
    });
  }

  test(`${TOO_MUCH} is told as too much for a message, and the connection to the agent stands`, () => {
    expect(heard.get(TOO_MUCH)?.code).toBe("result_too_large");
    expect(heard.get(TOO_MUCH)?.text).toMatch(
      /^hostile_get succeeded, and its result is 1048\d{4} bytes as a message;/,
    );
  });

  for (const [path, [code, text]] of Object.entries(REFUSED)) {
    test(`${path} is ${code}`, () => expect(heard.get(path)).toEqual({ code, text }));
  }

  test(`${ENDLESS_HEAD} is network_failed`, () => {
    expect(heard.get(ENDLESS_HEAD)?.code).toBe("network_failed");
    expect(heard.get(ENDLESS_HEAD)?.text).toMatch(/the head of the answer is too large|does not answer in HTTP/);
  });

  test("whatever one answer was, the next one is read as it is", () => {
    expect(Object.fromEntries([...afterwards].filter(([, { text }]) => text !== SOUND.text))).toEqual({});
    expect(afterwards.size).toBeGreaterThan(50);
  });

  test("no cookie is kept", async () => {
    const asked = await lab.asked();
    expect(asked.some(({ line }) => line.startsWith("GET /cookie "))).toBe(true);
    expect(asked.filter(({ cookie }) => cookie !== undefined)).toEqual([]);
  });

  test("CASE-71 what never ends takes no memory beyond the cap", async () => {
    await home.agent(async (client) => {
      await ask(client, "hostile_get", { path: "past-limit-chunked" });
      const before = mostMemory(client);
      for (const path of ["endless", "endless-error", "bomb", "endless", ENDLESS_HEAD, "endless"]) {
        expect((await ask(client, "hostile_get", { path })).code).toBe(REFUSED[path]?.[0] ?? "network_failed");
      }
      expect(mostMemory(client) - before).toBeLessThan(64);
    });
  }, 60_000);

  test("nothing for too long is given up in the operator's time, all of them together", async () => {
    using hurried = await lab.home(1);
    await hurried.agent(async (client) => {
      const given = await Promise.all(ENDLESS.map((path) => ask(client, "hostile_get", { path })));
      expect(given).toEqual(ENDLESS.map(() => ({ code: "network_timeout", text: TIMED_OUT })));
    });
  }, 60_000);

  test("an agent that gives a call up closes its connection, before the answer and in the middle of it", async () => {
    for (const path of ["stalled-head", "stalled-body", "dripping"]) {
      while (await lab.wasClosed(`/${path}`));
      await lab.asked();
      await home.agent(async (client) => {
        const stop = new AbortController();
        const call = client.callTool({ name: "hostile_get", arguments: { path } }, undefined, { signal: stop.signal });
        call.catch(() => undefined);
        await until(`${path} is asked`, async () => (await lab.asked()).length === 1);
        stop.abort();
        await until(`${path} is closed`, () => lab.wasClosed(`/${path}`));
        expect(await ask(client, "hostile_get", { path: "sound" })).toEqual(SOUND);
      });
    }
  }, 60_000);

  test("a write that breaks off is not sent again", async () => {
    await lab.asked();
    await home.agent(async (client) => {
      await ask(client, "hostile_get", { path: "sound" });
      expect((await ask(client, "hostile_post", { path: "closed" })).code).toBe("network_failed");
    });
    expect((await lab.asked()).map(({ line }) => line)).toEqual(["GET /sound HTTP/1.1", "POST /closed HTTP/1.1"]);
  });

  for (const [host, [reason, certificate]] of Object.entries(BAD_CERTIFICATES)) {
    test(`under ${host} is not believed, nothing is sent, and the fix is no second try`, async () => {
      await lab.asked();
      const called = await home.call(toolFor(host));
      expect(called).toMatchObject({ code: 1, error: { code: "network_failed", details: { host, certificate } } });
      const { message, fix } = "error" in called ? called.error : { message: "", fix: "" };
      expect(message).toMatch(reason);
      expect(fix).toContain(certificate === "time" ? "this machine's clock" : "NODE_EXTRA_CA_CERTS");
      expect(await lab.asked()).toEqual([]);
    });
  }
});
