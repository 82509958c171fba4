/** `build-mail.ts`: a mail that another library reads back as what was meant, and no header that was not meant. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import addressparser from "nodemailer/lib/addressparser";
import PostalMime, { type Email } from "postal-mime";
import { isFermixError } from "../../../../src/kernel/error.ts";
import { buildMail } from "../../../../src/rails/http/native/build-mail.ts";
import { expectRefusal } from "../../../expect.ts";

type Given = Readonly<Record<string, string>>;

const TOOL = "gmail_send_message";
const build = (given: Given) =>
  buildMail({
    tool: TOOL,
    args: new Map(Object.entries({ to: "bo@example.com", subject: "Hi", body: "text", ...given })),
  });

const textOf = (raw: string): string => Buffer.from(raw, "base64url").toString("utf8");
const sent = async (given: Given): Promise<string> => textOf(await build(given));
const read = async (given: Given): Promise<Email> =>
  await PostalMime.parse(Buffer.from(await build(given), "base64url"));
const namesOf = ({ headers }: Email): string[] => headers.map(({ key }) => key);

describe("a mail", () => {
  test("is these lines and no others", async () => {
    expect(await sent({ body: "Hello\nBo\n" })).toBe(
      [
        "To: bo@example.com",
        "Subject: Hi",
        "Content-Transfer-Encoding: 7bit",
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=utf-8",
        "",
        "Hello",
        "Bo",
        "",
      ].join("\r\n"),
    );
  });

  test("ends each line in one way, however the text ended it: a bare CR or LF is another line to some servers", async () => {
    const text = await sent({ body: "one\rtwo\r\nthree\nfour\r\r.\r" });
    expect(text.slice(text.indexOf("\r\n\r\n"))).toBe("\r\n\r\none\r\ntwo\r\nthree\r\nfour\r\n\r\n.\r\n");
  });

  test("is base64url without padding", async () => {
    for (const body of ["a", "ab", "abc", "ÿ~?>"]) expect(await build({ body })).toMatch(/^[A-Za-z0-9_-]+$/);
  });

  test("encodes its headers as RFC 2047 has it, in lines of at most 76", async () => {
    const subject = "Grüße aus Köln 🎉 – und noch viel mehr, damit diese Zeile länger wird als ein Kopf sein darf";
    const text = await sent({ to: "Ann Müller <ann@example.org>", subject });
    const head = text.slice(0, text.indexOf("\r\n\r\n"));
    expect(head).toMatch(/^[\x20-\x7e\r\n]*$/);
    expect(head.split("\r\n").filter((line) => line.length > 76)).toEqual([]);
    const mail = await read({ to: "Ann Müller <ann@example.org>", subject });
    expect(mail.subject).toBe(subject);
    expect(mail.to).toEqual([{ name: "Ann Müller", address: "ann@example.org" }]);
  });

  test("has every recipient of its lists, quoted names and names with commas included", async () => {
    const mail = await read({
      to: 'bo@example.com, "Doe, Jo" <jo@example.org>, Ann <ann@bücher.example>',
      cc: "cy@example.net; di@example.net",
      bcc: "eve@example.net",
    });
    expect(mail.to).toEqual([
      { name: "", address: "bo@example.com" },
      { name: "Doe, Jo", address: "jo@example.org" },
      { name: "Ann", address: "ann@xn--bcher-kva.example" },
    ]);
    expect(mail.cc?.map(({ address }) => address)).toEqual(["cy@example.net", "di@example.net"]);
    expect(mail.bcc?.map(({ address }) => address)).toEqual(["eve@example.net"]);
  });

  test("leaves blank headers out", async () => {
    const mail = await read({ subject: "  ", cc: "", bcc: " ", in_reply_to: "", references: "\t" });
    expect(namesOf(mail)).toEqual(["to", "content-transfer-encoding", "mime-version", "content-type"]);
  });

  test("may be empty", async () => {
    expect((await read({ body: "" })).text ?? "").toBe("");
  });
});

describe("a reply", () => {
  test("names the answered mail and ends its references with it", async () => {
    const mail = await read({ in_reply_to: "<2@example.org>", references: "<0@example.org> <1@example.org>" });
    expect([mail.inReplyTo, mail.references]).toEqual([
      "<2@example.org>",
      "<0@example.org> <1@example.org> <2@example.org>",
    ]);
  });

  test("does not name it twice", async () => {
    const mail = await read({ in_reply_to: "<2@example.org>", references: "<1@example.org> <2@example.org>" });
    expect(mail.references).toBe("<1@example.org> <2@example.org>");
  });

  test("has references from the answered mail alone, and puts brackets where they were forgotten", async () => {
    const mail = await read({ in_reply_to: "2@example.org" });
    expect([mail.inReplyTo, mail.references]).toEqual(["<2@example.org>", "<2@example.org>"]);
  });
});

describe("refused by name", () => {
  const breaks = ["\r\n", "\n", "\r", "\u0000", "\u000b", "\u007f"];
  for (const argument of ["to", "cc", "bcc", "subject", "in_reply_to", "references"]) {
    test(`a line break or control character in ${argument}`, async () => {
      for (const broken of breaks) {
        await expectRefusal(build({ [argument]: `a@example.org${broken}Bcc: eve@example.net` }), "argument_invalid", {
          tool: TOOL,
          argument,
          reason: "it holds a line break or another control character, which a header cannot carry",
        });
      }
    });
  }

  test("what is no address, in each list", async () => {
    for (const argument of ["to", "cc", "bcc"]) {
      for (const [value, shown] of [
        ["Ann", "Ann"],
        ["bo@example.com, Ann Lee", "Ann Lee"],
        ["@example.com", "@example.com"],
        ["ann@", "ann@"],
        ["]ann@example.org", "]ann@example.org"],
        ["ann@exa=mple.org", "ann@exa=mple.org"],
        ["ann@example..org", "ann@example..org"],
      ] as const) {
        const { reason } = await expectRefusal(build({ [argument]: value }), "argument_invalid");
        expect(reason).toBe(`${JSON.stringify(shown)} is no mail address`);
      }
    }
  });

  test("a mail to nobody", async () => {
    for (const to of ["", "  ", ",", "Friends:;"]) {
      const details = { tool: TOOL, argument: "to", reason: "it holds no mail address" };
      await expectRefusal(build({ to }), "argument_invalid", details);
    }
  });
});

describe("whatever the text is", () => {
  test("the body arrives as it was given, its line ends as CR LF", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme", maxLength: 300 }), async (body) => {
        const expected = body.replace(/\r\n?|\n/g, "\n");
        expect(((await read({ body })).text ?? "").replace(/\r\n/g, "\n").replace(/\n$/, "")).toBe(
          expected.replace(/\n$/, ""),
        );
      }),
    );
  });

  test("the subject arrives as it was given and adds no header", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme", minLength: 1 }), async (subject) => {
        fc.pre(!/[\u0000-\u001f\u007f]/.test(subject) && subject.trim() !== "");
        const mail = await read({ subject });
        expect(namesOf(mail)).toEqual(["to", "subject", "content-transfer-encoding", "mime-version", "content-type"]);
        expect((mail.subject ?? "").replace(/\s+/g, " ").trim()).toBe(subject.replace(/\s+/g, " ").trim());
      }),
    );
  });

  test("a name arrives as it was given beside its address", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme", minLength: 1 }), async (name) => {
        fc.pre(!/[\u0000-\u001f\u007f"\\]/.test(name) && name.trim() !== "");
        const mail = await read({ to: `"${name}" <ann@example.org>` });
        expect(mail.to?.map(({ address }) => address)).toEqual(["ann@example.org"]);
        expect(mail.to?.[0]?.name.replace(/\s+/g, " ").trim()).toBe(name.replace(/\s+/g, " ").trim());
      }),
    );
  });

  test("a list of recipients means to another reader what it meant here, or is refused", async () => {
    const piece = fc.constantFrom(
      ..."ab@,;:<>\"'()[]\\. \t",
      "a@b.c",
      "<a@b.c>",
      '"x" ',

      "=?utf-8?q?=0A?=",
      "Bcc:",
    );
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 12 }), async (pieces) => {
        const to = pieces.join("");
        const meant = addressparser(to, { flatten: true }).map(({ address }) => address);
        const mail = await read({ to }).catch((error: unknown) => {
          if (isFermixError(error, "argument_invalid")) return undefined;
          throw error;
        });
        if (mail === undefined) return;
        accepted += 1;
        const unquoted = (address: string | undefined) => address?.replace(/^"(.*)"@/, "$1@").toLowerCase();
        expect(mail.to?.map(({ address }) => unquoted(address))).toEqual(meant.map(unquoted));
        expect(namesOf(mail)).toEqual(["to", "subject", "content-transfer-encoding", "mime-version", "content-type"]);
      }),
      { numRuns: 1000 },
    );
    expect(accepted).toBeGreaterThan(20);
  });

  test("half of a character becomes a mark", async () => {
    const mail = await read({ subject: "a\ud800b", body: "c\udc00d" });
    expect([mail.subject, mail.text?.trim()]).toEqual(["a\ufffdb", "c\ufffdd"]);
  });
});
