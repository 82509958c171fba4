/** Every tool of every plugin of the catalog and the binary, called with hostile arguments at a hostile provider. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { DIRECT } from "../../../src/egress/network-policy.ts";
import { isFermixError } from "../../../src/kernel/error.ts";
import type { JsonObject, JsonValue } from "../../../src/kernel/json.ts";
import { isJsonObject } from "../../../src/kernel/json.ts";
import type { HttpReply, HttpRequest } from "../../../src/kernel/ports.ts";
import type { LoadedPlugin } from "../../../src/manifest/manifest.ts";
import { parseManifest } from "../../../src/manifest/parse.ts";
import { openHttpSession } from "../../../src/rails/http/session.ts";
import type { RailTool } from "../../../src/rails/rail.ts";
import { reply } from "../../fakes/http.ts";
import { ManualClock } from "../../fakes/manual-clock.ts";
import { ScriptedSource } from "./laboratory.ts";

const CATALOG = join(import.meta.dirname, "../../../catalog");
/** What the provider may echo: it was sent. The other one is used after a 401. */
const FIRST = "first-secret-of-the-test-0001";
const SECRETS = [FIRST, "other-secret-of-the-test-0002"];
const HOSTS = ["agentmail.to", "discord.com", "github.com", "googleapis.com", "notion.com", "slack.com", "x.com"];

function pluginsIn(folder: "bundled" | "plugins"): readonly LoadedPlugin[] {
  return [...new Bun.Glob("*/plugin.json").scanSync({ cwd: join(CATALOG, folder) })]
    .map((path) => parseManifest(readFileSync(join(CATALOG, folder, path))))
    .filter((manifest) => manifest.rail === "http" && manifest.tools.length > 0)
    .map((manifest) => ({
      name: manifest.name,
      version: manifest.version,
      origin: folder === "bundled" ? ("bundled" as const) : ("installed" as const),
      dir: undefined,
      manifest,
    }));
}

const words = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc
    .array(
      fc.constantFrom("..", "/", "\\", "%2e", "?", "#", "@", ":", "\r\n", "\0", "\ud800", "é", "a@b.example", "<", ">"),
      {
        maxLength: 5,
      },
    )
    .map((parts) => parts.join("")),
);

/** What the schema declares, or anything at all. */
function argumentsFor({ inputSchema }: RailTool): fc.Arbitrary<JsonObject> {
  const properties = isJsonObject(inputSchema["properties"]) ? inputSchema["properties"] : {};
  const anything = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>;
  const fitting = Object.entries(properties).map(([name, schema]): [string, fc.Arbitrary<JsonValue>] => {
    const { type, enum: allowed } = isJsonObject(schema) ? schema : {};
    if (Array.isArray(allowed)) return [name, fc.constantFrom(...(allowed as readonly JsonValue[]))];
    if (type === "integer" || type === "number") return [name, fc.integer()];
    if (type === "boolean") return [name, fc.boolean()];
    if (type === "array") return [name, fc.array(fc.oneof(words, anything), { maxLength: 3 })];
    if (type === "object") return [name, fc.dictionary(words, anything, { maxKeys: 3 })];
    return [name, words];
  });
  const one = (arbitrary: fc.Arbitrary<JsonValue>) =>
    fc.oneof({ weight: 9, arbitrary }, { weight: 1, arbitrary: anything });
  return fc.record(Object.fromEntries(fitting.map(([name, value]) => [name, one(value)])));
}

const key = fc.constantFrom(
  ...["ok", "error", "errors", "data", "message", "documentation_url", "status", "code", "needed", "results", "items"],
  ...["next_cursor", "response_metadata", "channels", "messages", "members", "inboxes", "threads", "next_page_token"],
  ...[
    "id",
    "threadId",
    "payload",
    "headers",
    "name",
    "value",
    "parts",
    "mimeType",
    "body",
    "attendees",
    "self",
    "etag",
  ],
);
const leaf = fc.oneof(
  words,
  fc.constantFrom(FIRST, `x${FIRST}y`, true, false, null, "", "text/plain", "invalid_auth"),
  fc.double(),
);
const { body } = fc.letrec<{ body: unknown }>((tie) => ({
  body: fc.oneof(
    { depthSize: "small" },
    leaf,
    fc.array(tie("body"), { maxLength: 4 }),
    fc.dictionary(key, tie("body"), { maxKeys: 8 }),
  ),
}));
const answer: fc.Arbitrary<() => HttpReply> = fc
  .record({
    status: fc.constantFrom(200, 200, 200, 200, 201, 204, 206, 301, 400, 401, 403, 404, 409, 429, 500, 503),
    type: fc.constantFrom("application/json", "application/json", "application/problem+json", "text/html", ""),
    more: fc.constantFrom(
      {},
      {},
      {},
      { "content-encoding": "gzip" },
      { location: `https://evil.example/${FIRST}` },
      {
        "retry-after": "soon",
      },
    ),
    text: fc.oneof(
      { weight: 6, arbitrary: body.map((value) => JSON.stringify(value)) },
      { weight: 1, arbitrary: words },
    ),
  })
  .map(({ status, type, more, text }) => () => {
    const headers = { ...(type === "" ? {} : { "content-type": type }), ...more } as Record<string, string>;
    return reply(status, status === 204 ? null : text, headers);
  });

/** Nothing that is sent points elsewhere, smuggles a line or carries the credential outside its one header. */
function expectOwnPlace({ url, headers }: HttpRequest, authHeader: string): void {
  expect(url.protocol).toBe("https:");
  expect(HOSTS.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`))).toBe(true);
  expect([url.username, url.password, url.port, url.hash]).toEqual(["", "", "", ""]);
  for (const [name, value] of Object.entries(headers)) {
    expect(value).not.toMatch(/[\r\n\0]/);
    if (name.toLowerCase() !== authHeader.toLowerCase())
      for (const secret of SECRETS) expect(value).not.toContain(secret);
  }
  for (const secret of SECRETS) expect(url.href).not.toContain(secret);
}

for (const plugin of [...pluginsIn("plugins"), ...pluginsIn("bundled")]) {
  describe(plugin.name, () => {
    const { auth } = plugin.manifest;
    const authHeader = auth.type === "none" ? "" : auth.header;
    const tools = openHttpSession(
      { dns: { lookup: async () => [] }, http: { send: async () => reply(204) }, clock: new ManualClock() },
      plugin,
      { source: undefined, network: DIRECT },
    ).tools();

    for (const tool of tools) {
      test(`${tool.upstreamName}: every call is an answer or a refusal that says what to do, and shows no secret`, async () => {
        await fc.assert(
          fc.asyncProperty(
            argumentsFor(tool),
            fc.array(answer, { minLength: 1, maxLength: 4 }),
            async (args, answers) => {
              const sent: HttpRequest[] = [];
              const http = {
                send: async (request: HttpRequest) => {
                  sent.push(request);
                  return (answers[(sent.length - 1) % answers.length] as () => HttpReply)();
                },
              };
              const dns = { lookup: async () => ["93.184.216.34"] };
              const session = openHttpSession({ dns, http, clock: new ManualClock() }, plugin, {
                source: new ScriptedSource(SECRETS),
                network: DIRECT,
              });
              const outcome = await session.call(tool, args, {});
              for (const request of sent) expectOwnPlace(request, authHeader);
              const shown = outcome.ok
                ? JSON.stringify(outcome.result)
                : `${outcome.error.message}\n${outcome.error.fix}\n${JSON.stringify(outcome.error.details)}`;
              for (const secret of SECRETS) expect(shown).not.toContain(secret);
              if (outcome.ok) return;
              expect(isFermixError(outcome.error) && outcome.error.fix !== "").toBe(true);
              expect(outcome.error.message).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
            },
          ),
          { numRuns: 12 },
        );
      });
    }
  });
}
