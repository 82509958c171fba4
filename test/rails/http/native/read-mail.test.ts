/** `read-mail.ts`: which part of a mail is its text, and in which charset that text is. */
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../../src/kernel/json.ts";
import { mailHeader, mailText } from "../../../../src/rails/http/native/read-mail.ts";

const bytes = (...parts: (string | readonly number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));

function leaf(mimeType: string, data: string | Uint8Array, more: JsonObject = {}): JsonObject {
  return {
    mimeType,
    filename: "",
    headers: [],
    body: { data: Buffer.from(data as string).toString("base64url") },
    ...more,
  };
}

function typed(type: string, data: Uint8Array): JsonObject {
  return { ...leaf("text/plain", data), headers: [{ name: "content-TYPE", value: type }] };
}

const message = (payload: JsonObject): JsonObject => ({ id: "1", payload });
const multipart = (...parts: readonly JsonObject[]): JsonObject => ({
  mimeType: "multipart/mixed",
  body: { size: 0 },
  parts,
});

describe("the part that is read", () => {
  test("is the first plain text, wherever the HTML stands", () => {
    const mail = multipart(
      leaf("text/html", "<p>html</p>"),
      multipart(leaf("text/plain", "first"), leaf("text/plain", "second")),
    );
    expect(mailText(message(mail))).toBe("first");
  });

  test("is the first HTML when there is no plain text", () => {
    expect(
      mailText(message(multipart(leaf("image/png", "x"), leaf("text/html", "<p>é</p>"), leaf("text/html", "2")))),
    ).toBe("<p>é</p>");
  });

  test("is the payload itself of a mail of one part", () => {
    expect(mailText(message(leaf("TEXT/Plain", "alone")))).toBe("alone");
  });

  test("is no attached file, and no part whose data is elsewhere or empty", () => {
    const attached = leaf("text/plain", "file", { filename: "notes.txt" });
    const elsewhere: JsonObject = { mimeType: "text/plain", filename: "", body: { attachmentId: "a1", size: 9 } };
    expect(mailText(message(multipart(attached, elsewhere, leaf("text/plain", ""), leaf("text/html", "body"))))).toBe(
      "body",
    );
  });

  test("may be eight levels deep and no deeper", () => {
    const nest = (levels: number): JsonObject =>
      levels === 1 ? leaf("text/plain", "deep") : multipart(nest(levels - 1));
    expect(mailText(message(nest(8)))).toBe("deep");
    expect(mailText(message(nest(9)))).toBeUndefined();
  });

  test("is missing from what is no mail at all", () => {
    for (const odd of [
      null,
      "text",
      7,
      [],
      {},
      { payload: 3 },
      { payload: { parts: "x" } },
      { payload: { parts: [null, 1, []] } },
    ]) {
      expect(mailText(odd)).toBeUndefined();
    }
  });
});

describe("the charset", () => {
  test("of the header is used for bytes that are not UTF-8", () => {
    expect(mailText(message(typed("text/plain; charset=ISO-8859-1", bytes("Gr", [0xfc, 0xdf], "e"))))).toBe("Grüße");
    expect(mailText(message(typed('text/plain; format=flowed; charset="gbk"', bytes([0xc4, 0xe3, 0xba, 0xc3]))))).toBe(
      "你好",
    );
    expect(mailText(message(typed("text/plain; charset=koi8-r", bytes([0xf0, 0xf2, 0xe9]))))).toBe("ПРИ");
  });

  test("of the header is used for JIS, whose bytes would pass for UTF-8", () => {
    const jis = bytes([0x1b, 0x24, 0x42, 0x46, 0x7c, 0x4b, 0x5c, 0x1b, 0x28, 0x42]);
    expect(mailText(message(typed("text/plain; charset=iso-2022-jp", jis)))).toBe("日本");
  });

  test("of the header is not believed for bytes that are UTF-8, as Gmail hands text out", () => {
    expect(mailText(message(typed("text/plain; charset=iso-2022-jp", bytes("日本語"))))).toBe("日本語");
    expect(mailText(message(typed("text/plain; charset=windows-1252", bytes("• café"))))).toBe("• café");
  });

  test("that nobody knows becomes UTF-8 with marks for what it cannot hold", () => {
    expect(mailText(message(typed("text/plain; charset=x-unheard-of", bytes("a", [0xff], "b"))))).toBe("a\ufffdb");
    expect(mailText(message(leaf("text/plain", bytes("a", [0xff], "b"))))).toBe("a\ufffdb");
  });
});

test("headers are found in any case; the first of a name counts", () => {
  const mail = message({
    headers: [{ name: "SUBJECT", value: "one" }, { name: "Subject", value: "two" }, { name: 1 }, null],
  });
  expect(mailHeader(mail, "Subject")).toBe("one");
  expect(mailHeader(mail, "Cc")).toBeUndefined();
  expect(mailHeader(null, "Cc")).toBeUndefined();
});
