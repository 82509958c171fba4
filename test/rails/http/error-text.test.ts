/** The body of an error as it is shown: masked by value, redacted by shape, cut at 2048 bytes of whole characters. */
import { describe, expect, test } from "bun:test";
import { FermixError } from "../../../src/kernel/error.ts";
import { describeBody, readErrorBody } from "../../../src/rails/http/error-text.ts";
import { answer, SECRET } from "./answers.ts";

const mask = (text: string): string => text.replaceAll(SECRET, "[REDACTED]");
const shown = (body: string, whole = true): string => describeBody(Buffer.from(body), whole, mask).text;

describe("HTTP-10/redacted", () => {
  test("the credential is masked wherever it is echoed", () => {
    expect(shown(`{"message":"bad key ${SECRET}","key":"${SECRET}"}`)).toBe(
      '{"message":"bad key [REDACTED]","key":"[REDACTED]"}',
    );
    expect(shown(`no JSON: ${SECRET}!`)).toBe("no JSON: [REDACTED]!");
  });

  test("a credential that JSON spells with escapes is masked too", () => {
    const escaped = [...SECRET].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
    expect(shown(`{"echo":"${escaped}"}`)).toBe('{"echo":"[REDACTED]"}');
  });

  test("credentials of others are redacted by their shape, and no word is redacted for being 'token'", () => {
    const body = { next_page_token: "CAESBA", hint: "the token is invalid", sent: `ghp_${"a".repeat(20)}` };
    expect(shown(JSON.stringify(body))).toBe(
      '{"next_page_token":"CAESBA","hint":"the token is invalid","sent":"[REDACTED:github]"}',
    );
  });

  test("where reading stopped, half a word is dropped: it may be half a credential", () => {
    expect(shown(`<p>rejected: ${SECRET.slice(0, 10)}`, false)).toBe("<p>rejected:…(truncated)");
    expect(shown(SECRET.slice(0, 10), false)).toBe("…(truncated)");
  });
});

describe("HTTP-10/bounded", () => {
  test("2048 bytes are shown whole, one more is cut", () => {
    expect(shown("x".repeat(2048))).toBe("x".repeat(2048));
    expect(shown("x".repeat(2049))).toBe(`${"x".repeat(2048)}…(truncated)`);
  });

  test.each([
    ["é", 1024],
    ["€", 682],
    ["😀", 512],
  ])("a cut never splits %p", (char, whole) => {
    expect(shown(char.repeat(2000))).toBe(`${char.repeat(whole)}…(truncated)`);
  });

  test("the cut comes after masking, so no half of a credential is left at it", () => {
    expect(shown(`${"x ".repeat(1020)}${SECRET} and more text`)).toBe(`${"x ".repeat(1020)}[REDACTE…(truncated)`);
  });

  test("at most 64 KiB are read, then the body is cancelled", async () => {
    const full = answer(500, ["y".repeat(60_000), "y".repeat(5536)]);
    expect((await readErrorBody(full, mask)).text).toBe(`${"y".repeat(2048)}…(truncated)`);
    expect(full.fate()).toBe("ended");
    const more = answer(500, [`${"y ".repeat(32_768)}`, "z", "never read"]);
    expect((await readErrorBody(more, mask)).text).toBe(`${"y ".repeat(1024)}…(truncated)`);
    expect(more.fate()).toBe("cancelled");
  });

  test("a long body without an end of a word takes no time worth speaking of", () => {
    expect(shown("a".repeat(1 << 20), false)).toBe("…(truncated)");
  });
});

describe("what a body is", () => {
  test("JSON is shown compact, with the digits it had, and is there to be classified", () => {
    const body = describeBody(Buffer.from('{ "id": 12345678901234567890,\n  "m": "x" }'), true, mask);
    expect(body.text).toBe('{"id":12345678901234567890,"m":"x"}');
    expect(JSON.stringify(body.json)).toBe('{"id":12345678901234567890,"m":"x"}');
  });

  test("a page is shown on one line", () => {
    expect(shown("<html>\n  <h1>502 Bad\tGateway</h1>\n</html>\n")).toBe("<html> <h1>502 Bad Gateway</h1> </html>");
  });

  test("nothing is the empty text", async () => {
    expect(await readErrorBody(answer(500), mask)).toEqual({ text: "", json: undefined });
    expect(await readErrorBody(answer(500, ""), mask)).toEqual({ text: "", json: undefined });
  });

  test("bytes that are not UTF-8 and JSON of absurd depth are still text", () => {
    expect(describeBody(new Uint8Array([0x61, 0xff, 0x62]), true, mask)).toEqual({ text: "a\ufffdb", json: undefined });
    expect(describeBody(Buffer.from("[".repeat(20_000) + "]".repeat(20_000)), true, mask).json).toBeUndefined();
  });

  test("a compressed one is not read", async () => {
    const reply = answer(500, "gzip", { "content-encoding": "gzip" });
    expect(await readErrorBody(reply, mask)).toEqual({ text: "(its body is compressed)", json: undefined });
    expect(reply.fate()).toBe("cancelled");
  });

  test("one that breaks off or stalls counts as far as it came", async () => {
    const broken = answer(500, "start ");
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.from("it began ")),
      pull: (controller) => controller.error(new FermixError("network_failed", { host: "h", reason: "reset" })),
    });
    expect((await readErrorBody({ ...broken, body: stream }, mask)).text).toBe("it began…(truncated)");
  });

  test("a call that its caller gave up says so", async () => {
    const reason = new DOMException("given up", "AbortError");
    const stream = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(reason) });
    await expect(readErrorBody({ headers: new Headers(), body: stream }, mask)).rejects.toBe(reason);
  });
});
