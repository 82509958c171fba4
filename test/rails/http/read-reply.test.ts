/** What becomes of an answer with a status of success: data, or a refusal named for what is wrong with it. */
import { describe, expect, test } from "bun:test";
import { guardedFetch } from "../../../src/egress/guarded-fetch.ts";
import { DIRECT } from "../../../src/egress/network-policy.ts";
import { FermixError } from "../../../src/kernel/error.ts";
import { expectRefusal } from "../../expect.ts";
import { FakeDns } from "../../fakes/dns.ts";
import { FakeHttp, reply } from "../../fakes/http.ts";
import { ManualClock } from "../../fakes/manual-clock.ts";
import { answer, CALL, jsonAnswer, judge, READ, request, SECRET } from "./answers.ts";

const MIB5 = 5 * 1024 * 1024;
const JSON_TYPE = { "content-type": "application/json" };

/** JSON text of exactly this many bytes. */
function jsonOf(bytes: number): string {
  return `"${"x".repeat(bytes - 2)}"`;
}

describe("a success", () => {
  test("is its body as data, with its status and its bytes", async () => {
    expect(await judge(jsonAnswer({ a: [1, "ü"] }, 201), {}, { success: [200, 201] })).toEqual({
      status: 201,
      body: { a: [1, "ü"] },
      bytes: 14,
    });
  });

  test.each([
    "application/json",
    "Application/JSON; charset=utf-8",
    "application/vnd.github+json",
    "application/problem+json; x=y",
    "text/x; application/json",
  ])("the content type %s is JSON's", async (type) => {
    expect((await judge(answer(200, "[]", { "content-type": type }))).body).toEqual([]);
  });

  test("numbers keep their digits, also beside text that only looks like one", async () => {
    const text = '{"id":12345678901234567890,"price":1.10,"exp":1e400,"ts":"1700000000.000100","n":7}';
    expect(JSON.stringify((await judge(answer(200, text))).body)).toBe(text);
  });

  test("a byte order mark is not part of the JSON", async () => {
    expect((await judge(answer(200, "\ufeff{}"))).body).toEqual({});
  });
});

describe("HTTP-8/empty-204", () => {
  test.each([
    [204, null],
    [204, "a body that may not be there"],
    [205, "x"],
    [200, null],
    [200, ""],
  ])("%i with %p is {}", async (status, body) => {
    const given = answer(status, body, {});
    expect(await judge(given, {}, { success: [200, 204, 205] })).toEqual({ status, body: {}, bytes: 0 });
    expect(given.fate()).not.toBe("reading");
  });

  test("a 204 may claim any type, length and encoding", async () => {
    const headers = { "content-type": "text/html", "content-length": "99", "content-encoding": "gzip" };
    expect((await judge(answer(204, null, headers), {}, { success: [204] })).body).toEqual({});
  });
});

describe("HTTP-5/compressed CASE-71", () => {
  test.each(["gzip", "br", "zstd", "deflate", "x-made-up", "identity, gzip", ""])(
    "content-encoding %p is refused before a byte is read",
    async (encoding) => {
      const given = answer(200, "unread", { ...JSON_TYPE, "content-encoding": encoding });
      await expectRefusal(judge(given), "compressed_response_refused", { ...READ, encoding });
      expect(given.fate()).toBe("cancelled");
    },
  );

  test("identity is what was asked for", async () => {
    expect((await judge(answer(200, "[1]", { ...JSON_TYPE, "content-encoding": " Identity " }))).body).toEqual([1]);
  });

  test("the sentence is the ecosystem's", () => {
    const error = new FermixError("compressed_response_refused", { ...READ, encoding: "br" });
    expect(error.message).toBe("response used content-encoding br; expected identity");
  });
});

describe("HTTP-4/size-cap CASE-71", () => {
  const limit = { ...READ, limitBytes: MIB5 };

  test("5 MiB pass, with and without a declared length", async () => {
    expect((await judge(answer(200, jsonOf(MIB5)))).bytes).toBe(MIB5);
    expect((await judge(answer(200, jsonOf(MIB5), { ...JSON_TYPE, "content-length": String(MIB5) }))).bytes).toBe(MIB5);
  });

  test("one byte more is refused at the chunk that crosses, and the transfer ends there", async () => {
    let given = 0;
    const chunk = new Uint8Array(64 * 1024).fill(0x20);
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          given += chunk.byteLength;
          controller.enqueue(chunk);
        },
        cancel() {
          cancelled = true;
        },
      },
      { highWaterMark: 0 },
    );
    await expectRefusal(judge({ ...answer(200), body }), "response_too_large", limit);
    expect({ given, cancelled }).toEqual({ given: MIB5 + chunk.byteLength, cancelled: true });
    await expectRefusal(judge(answer(200, [jsonOf(MIB5), " "])), "response_too_large", limit);
  });

  test("a declared length that is too large is refused before a byte is read", async () => {
    for (const length of [MIB5 + 1, Number.MAX_SAFE_INTEGER, "9".repeat(40)]) {
      const given = answer(200, "unread", { ...JSON_TYPE, "content-length": String(length) });
      await expectRefusal(judge(given), "response_too_large", limit);
      expect(given.fate()).toBe("cancelled");
    }
  });

  test("the sentence is the ecosystem's", () => {
    expect(new FermixError("response_too_large", limit).message).toBe(
      "response exceeds the 5242880-byte size cap (downloads belong on the mcp rail)",
    );
  });
});

describe("HTTP-4/json-only CASE-71", () => {
  test.each([
    ["text/html", "<html>", "content-type text/html"],
    ["text/plain; charset=utf-8", "{}", "content-type text/plain; charset=utf-8"],
    ["application/jsonp-not", "{}", undefined],
    ["application/xml", "<a/>", "content-type application/xml"],
  ])("the content type %s", async (type, body, found) => {
    const given = answer(200, [body, "more"], { "content-type": type });
    if (found === undefined) return expect((await judge(answer(200, body, { "content-type": type }))).body).toEqual({});
    await expectRefusal(judge(given), "non_json_response", { ...READ, found });
    expect(given.fate()).toBe("cancelled");
  });

  test("none at all", async () => {
    await expectRefusal(judge(answer(200, "{}", {})), "non_json_response", { ...READ, found: "no content-type" });
  });

  test("a type is masked and bounded", async () => {
    const { found } = await expectRefusal(
      judge(answer(200, "x", { "content-type": `text/${SECRET}${"t".repeat(200)}` })),
      "non_json_response",
    );
    expect(found).toBe(`content-type text/[REDACTED]${"t".repeat(85)}…(truncated)`);
  });

  test.each([
    ["<!DOCTYPE html><p>sign in", "HTML that says it is application/json"],
    ["\n  <html>", "HTML that says it is application/json"],
    ['{"a":NaN}', "text that does not parse as JSON"],
    ["[Infinity]", "text that does not parse as JSON"],
    ['{"a":1', "text that does not parse as JSON"],
    ["{} {}", "text that does not parse as JSON"],
    ["   ", "text that does not parse as JSON"],
    ["{'a':1}", "text that does not parse as JSON"],
  ])("%p under application/json", async (body, found) => {
    await expectRefusal(judge(answer(200, body)), "non_json_response", { ...READ, found });
  });

  test("the sentence is the ecosystem's, and a write is told to look first", () => {
    const error = new FermixError("non_json_response", { ...CALL, write: true, found: "no content-type" });
    expect(error.message).toBe("unexpected non-JSON response (no content-type)");
    expect(error.fix).toStartWith("check first whether web_look took effect, as it may have; then ");
  });

  test("what is no GET counts as a write, unless the manifest says what the tool does", async () => {
    const writes = async (method: "GET" | "POST", readOnly?: boolean): Promise<boolean> => {
      const more = readOnly === undefined ? {} : { readOnly };
      return (await expectRefusal(judge(answer(200, "x"), more, { method }), "non_json_response")).write;
    };
    expect([await writes("GET"), await writes("POST")]).toEqual([false, true]);
    expect([await writes("POST", true), await writes("GET", false)]).toEqual([false, true]);
  });
});

describe("bytes and depth", () => {
  test.each([
    [new Uint8Array([0x22, 0xff, 0x22])],
    [new Uint8Array([0x22, 0xc3, 0x22])],
    [new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22])],
    [Buffer.from('"ü"', "latin1")],
  ])("%p is not UTF-8", async (bytes) => {
    await expectRefusal(judge(answer(200, bytes)), "response_not_utf8", READ);
  });

  test("500 levels pass, one more does not", async () => {
    const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
    expect(JSON.stringify((await judge(answer(200, nested(500)))).body)).toBe(nested(500));
    await expectRefusal(judge(answer(200, nested(501))), "response_too_deep", { ...READ, limit: 500 });
  });

  test("millions of levels with numbers that must keep their digits are refused, not a broken stack", async () => {
    const text = `${'{"a":'.repeat(700_000)}12345678901234567890${"}".repeat(700_000)}`;
    await expectRefusal(judge(answer(200, text)), "response_too_deep", { ...READ, limit: 500 });
  });
});

describe("a length that lies", () => {
  const headers = { ...JSON_TYPE, "content-length": "10" };

  test("a body shorter than it is an error, even when what came is JSON", async () => {
    await expectRefusal(judge(answer(200, '{"a":1}', headers)), "response_cut_short", {
      ...READ,
      receivedBytes: 7,
      declaredBytes: 10,
    });
    await expectRefusal(judge(answer(200, "", headers)), "response_cut_short");
    await expectRefusal(judge(answer(200, null, headers)), "response_cut_short");
  });

  test("a chunked body has its own length, and a length that is no number says nothing", async () => {
    expect((await judge(answer(200, "{}", { ...headers, "transfer-encoding": "chunked" }))).body).toEqual({});
    expect((await judge(answer(200, "{}", { ...JSON_TYPE, "content-length": "ten" }))).body).toEqual({});
  });
});

describe("the host's slot", () => {
  const dns = new FakeDns().answer("api.example.com", ["93.184.216.34"]);

  /** Judges one real reply of the guarded fetch after another, more than a host has slots. */
  async function manyTimes(status: number, body: string, headers: Readonly<Record<string, string>>): Promise<number> {
    const http = new FakeHttp().on("https://api.example.com/look", () => reply(status, [body, body], headers));
    const ports = { dns, http, clock: new ManualClock() };
    for (let turn = 0; turn < 20; turn += 1) {
      await judge(await guardedFetch(ports, request(), { network: DIRECT })).catch(() => undefined);
    }
    return http.sent.length;
  }

  test.each([
    [200, "[", JSON_TYPE],
    [200, "x", { "content-type": "text/html" }],
    [200, "x", { ...JSON_TYPE, "content-encoding": "gzip" }],
    [200, "x", { ...JSON_TYPE, "content-length": "99999999" }],
    [200, "x".repeat(3 * 1024 * 1024), JSON_TYPE],
    [204, "x", {}],
    [302, "x", { location: "/y" }],
    [401, "x", {}],
    [403, "x", {}],
    [429, "x", {}],
    [500, "x".repeat(50_000), {}],
    [500, "x", { "content-encoding": "gzip" }],
  ])("is free after %i %#", async (status, body, headers) => {
    expect(await manyTimes(status, body, headers)).toBe(20);
  });
});

describe("HTTP-10/transport", () => {
  test("a body that breaks off is a failure of the connection, not a short answer", async () => {
    const http = new FakeHttp().on("https://api.example.com/look", () => ({
      ...reply(200, null, JSON_TYPE),
      body: new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(Buffer.from("{}")),
        pull: (controller) => controller.error(new Error("The socket connection was closed unexpectedly.")),
      }),
    }));
    const dns = new FakeDns().answer("api.example.com", ["93.184.216.34"]);
    const given = await guardedFetch({ dns, http, clock: new ManualClock() }, request(), { network: DIRECT });
    await expectRefusal(judge(given), "network_failed", {
      host: "api.example.com",
      reason: "The socket connection was closed unexpectedly",
    });
  });
});
