/** Tests of auth/credential.ts: a secret shows nowhere but in its header, and masks itself in every form it takes. */
import { describe, expect, test } from "bun:test";
import { format, inspect } from "node:util";
import fc from "fast-check";
import { Credential, unsendable } from "../../src/auth/credential.ts";

const SECRET = "xoxb-12/34+56=78_9.A~z";
const MASK = "[REDACTED]";

describe("what is shown of a credential", () => {
  const credential = new Credential(SECRET);

  test("is the mask, however it is printed", () => {
    const shown = [
      String(credential),
      `${credential}`,
      JSON.stringify(credential),
      inspect(credential, { showHidden: true, depth: 9 }),
      Bun.inspect(credential),
      format("%s %o %j", credential, credential, credential),
      inspect({ held: [credential] }, { depth: 9 }),
      JSON.stringify({ ...credential }),
      JSON.stringify(Object.getOwnPropertyNames(credential)),
      new Error("refused", { cause: credential }).stack ?? "",
    ].join("\n");
    expect(shown).toContain(MASK);
    expect(shown).not.toContain(SECRET);
    credential.maskIn("builds what it masks with");
    expect(inspect(credential, { showHidden: true, depth: 9 })).toBe(MASK);
  });

  test("is the whole header value under the manifest's scheme", () => {
    expect(credential.headerValue("Bearer")).toBe(`Bearer ${SECRET}`);
    expect(credential.headerValue("Bot")).toBe(`Bot ${SECRET}`);
  });

  test("equals compares secrets", () => {
    expect(credential.equals(new Credential(SECRET))).toBe(true);
    expect(credential.equals(new Credential(`${SECRET} `))).toBe(false);
  });
});

describe("maskIn", () => {
  const masked = (text: string, secret = SECRET) => new Credential(secret).maskIn(text);

  test("masks every occurrence and leaves the rest, the word token included", () => {
    expect(masked(`a ${SECRET}${SECRET}, next_page_token=${SECRET.slice(0, -1)}`)).toBe(
      `a ${MASK}${MASK}, next_page_token=${SECRET.slice(0, -1)}`,
    );
  });

  test("masks percent-encoded forms in either case, whole or in part", () => {
    const encoded = encodeURIComponent(SECRET);
    expect(encoded).toBe("xoxb-12%2F34%2B56%3D78_9.A~z");
    const lower = encoded.replaceAll(/%../g, (code) => code.toLowerCase());
    for (const form of [encoded, lower, encoded.replace("%2F", "/"), encoded.replace("~", "%7e")]) {
      expect(masked(`?key=${form}&x=1`)).toBe(`?key=${MASK}&x=1`);
    }
    expect(masked("q=two+words%20here", "two words here")).toBe(`q=${MASK}`);
    expect(masked("?key=k%C3%A9y%F0%9f%98%80", "k\u00e9y\u{1f600}")).toBe(`?key=${MASK}`);
  });

  test("masks JSON-escaped forms, and a secret that is itself full of what JSON escapes", () => {
    const hard = 'q"u\\o/t\té😀';
    expect(JSON.parse(`"${masked(JSON.stringify(hard).slice(1, -1), hard)}"`)).toBe(MASK);
    const slashes = JSON.stringify({ key: SECRET }).replaceAll("/", "\\/");
    expect(JSON.parse(masked(slashes))).toEqual({ key: MASK });
    const unicode = SECRET.replaceAll(/[/+=~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
    expect(unicode).toBe("xoxb-12\\u002f34\\u002b56\\u003d78_9.A\\u007ez");
    expect(masked(`"${unicode}"`)).toBe(`"${MASK}"`);
    expect(masked(`"${unicode.replace("002f", "002F").replace("003d", "003D")}"`)).toBe(`"${MASK}"`);
  });

  test("masks base64 and base64url at each of the three alignments, also percent-encoded or with escaped slashes", () => {
    const hard = "\u00fb\u00ff?>~~secret?~~>\u00ff\u00fe";
    for (const secret of [SECRET, hard]) {
      for (const before of ["", "a", "ab", "abc", "user:", "Basic x:"]) {
        for (const after of ["", "!", "!!", "!!!"]) {
          for (const alphabet of ["base64", "base64url"] as const) {
            const coded = Buffer.from(before + secret + after).toString(alphabet);
            for (const text of [coded, encodeURIComponent(coded), coded.replaceAll("/", "\\/")]) {
              const out = masked(`<${text}>`, secret);
              expect(out).toContain(MASK);
              const left = Buffer.from(out.replace(MASK, "").replaceAll(/[<>]/g, ""), "base64").toString("latin1");
              for (let at = 0; at + 4 <= secret.length; at += 1) expect(left).not.toContain(secret.slice(at, at + 4));
            }
          }
        }
      }
    }
  });

  test("masks a secret of 4 characters and leaves one of 3 alone", () => {
    expect(masked("abcd abc", "abcd")).toBe(`${MASK} abc`);
    expect(masked("abcd abc", "abc")).toBe("abcd abc");
    expect(masked("anything", "")).toBe("anything");
  });

  test("leaves no form of any secret in any text", () => {
    const secrets = fc.string({ unit: "binary", minLength: 4, maxLength: 40 });
    fc.assert(
      fc.property(secrets, fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (secret, before, after) => {
        const credential = new Credential(secret);
        for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]) {
          const out = credential.maskIn(before + form + after);
          expect(out.includes(MASK)).toBe(true);
          // The mask may itself spell a secret such as "REDA".
          if (!MASK.includes(form)) expect(out.replaceAll(MASK, "\n").includes(form)).toBe(false);
        }
      }),
    );
  });
});

test("a secret that no header may carry is told apart before it is sent", () => {
  for (const fine of ["abc", " spaces are kept ", "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"])
    expect(unsendable(fine)).toBe(undefined);
  for (const broken of ["a\nb", "a\r\nb", "a\rX-Other: 1"]) expect(unsendable(broken)).toBe("it holds a line break");
  for (const other of ["a\tb", "a\0b", "k\u00e9y", "key\u200b", "\u007f"]) {
    expect(unsendable(other)).toBe("it holds a character that no header may carry");
  }
});
