/** `ask.ts`: several requests of one call at once, when the credential is refused to some of them. */
import { expect, test } from "bun:test";
import { Credential } from "../../../src/auth/credential.ts";
import { DIRECT } from "../../../src/egress/network-policy.ts";
import type { HttpReply } from "../../../src/kernel/ports.ts";
import { openAsk } from "../../../src/rails/http/ask.ts";
import { expectRefusal } from "../../expect.ts";
import { FakeDns } from "../../fakes/dns.ts";
import { FakeHttp, reply } from "../../fakes/http.ts";
import { ManualClock } from "../../fakes/manual-clock.ts";
import { API, OAUTH, plugin, ScriptedSource, tool } from "./laboratory.ts";

const okay = (): HttpReply => reply(200, '{"fine":true}', { "content-type": "application/json" });
const refused = (): HttpReply => reply(401, "{}", { "content-type": "application/json" });

function laboratory(secrets: readonly string[], honoured: readonly string[]) {
  const http = new FakeHttp();
  const source = new ScriptedSource(secrets);
  const { manifest } = plugin([tool("look", { requires_scopes: ["read:things"] })], OAUTH);
  const [declared] = manifest.rail === "http" ? manifest.tools : [];
  if (declared === undefined) throw new Error("no tool");
  const used = [new Credential(secrets[0] ?? "")];
  const ask = openAsk({
    ports: { http, dns: new FakeDns().answer("api.example.com", ["93.184.216.34"]), clock: new ManualClock() },
    manifest,
    tool: declared,
    source,
    used,
    fetchOptions: () => ({ network: DIRECT }),
  });
  const get = (path: string) => {
    http.on(`${API}${path}`, ({ headers }) => {
      const token = headers["authorization"]?.replace("Bearer ", "") ?? "";
      return honoured.includes(token) ? okay() : refused();
    });
    return ask({ method: "GET", url: `${API}${path}`, headers: {}, success: [200] });
  };
  const tokens = () => http.sent.map(({ headers }) => headers["authorization"]);
  return { get, source, used, tokens };
}

test("AUTH-7/together requests that were refused together share one renewal, and each is sent once more", async () => {
  const { get, source, used, tokens } = laboratory(["stale", "fresh"], ["fresh"]);
  const answers = await Promise.all(["/a", "/b", "/c"].map(get));
  expect(answers.map(({ body }) => body)).toEqual([{ fine: true }, { fine: true }, { fine: true }]);
  expect(source.renewed.length).toBe(1);
  expect(used.length).toBe(2);
  expect(tokens()).toEqual([...Array(3).fill("Bearer stale"), ...Array(3).fill("Bearer fresh")]);
});

test("AUTH-7/once a fresh credential that is refused as well is not renewed again", async () => {
  const { get, source, tokens } = laboratory(["stale", "fresh", "fresher"], ["fresher"]);
  await Promise.all(["/a", "/b"].map((path) => expectRefusal(get(path), "reauthorization_required")));
  await expectRefusal(get("/c"), "reauthorization_required");
  expect(source.renewed.length).toBe(1);
  expect(tokens()).toEqual(["stale", "stale", "fresh", "fresh", "fresh"].map((token) => `Bearer ${token}`));
});

test("when there is no other credential, each request gives its own refusal", async () => {
  const { get, source, tokens } = laboratory(["stale"], []);
  await Promise.all(["/a", "/b"].map((path) => expectRefusal(get(path), "reauthorization_required")));
  expect(source.renewed.length).toBe(1);
  expect(tokens().length).toBe(2);
});
