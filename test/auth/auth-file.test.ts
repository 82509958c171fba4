/** Tests of auth/auth-file.ts: which auth.json is read, and which is refused with what is wrong about it. */
import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { authFileText, readAuthFile } from "../../src/auth/auth-file.ts";
import { homeAt } from "../../src/files/home.ts";
import { expectRefusal } from "../expect.ts";

class FileLab implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), "fermix-auth-file-"));
  readonly home = homeAt(this.root);
  readonly path = this.home.authFile;

  write(text: string | Uint8Array, mode = 0o600): this {
    rmSync(this.path, { force: true });
    writeFileSync(this.path, text);
    chmodSync(this.path, mode);
    return this;
  }

  read() {
    return readAuthFile(this.home);
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

const ENTRY = { tokens: { access_token: "at" } };
const FILE = JSON.stringify({ version: 2, providers: { "gmail:primary": ENTRY } });

describe("reading", () => {
  test("a home without the file has no sign-ins; one with it has those in it, and what else is there", () => {
    using lab = new FileLab();
    expect(lab.read()).toEqual({ rest: { version: 2 }, providers: {} });
    lab.write(JSON.stringify({ version: 2, note: 1, providers: { "gmail:primary": ENTRY } }));
    expect(lab.read()).toEqual({ rest: { version: 2, note: 1 }, providers: { "gmail:primary": ENTRY } });
  });

  test("the oldest layout is the sign-in of Codex", () => {
    using lab = new FileLab().write(JSON.stringify({ tokens: { access_token: "at" }, last_refresh: "x" }));
    const providers = { openai_codex: { tokens: { access_token: "at" }, last_refresh: "x" } };
    expect(lab.read()).toEqual({ rest: { version: 2 }, providers });
  });

  test("the same file is read once, and a changed one anew: rewritten, replaced, removed", () => {
    using lab = new FileLab().write(FILE);
    const first = lab.read();
    expect(lab.read()).toBe(first);
    writeFileSync(lab.path, FILE.replace("at", "bt"));
    expect(lab.read().providers).toEqual({ "gmail:primary": { tokens: { access_token: "bt" } } });
    writeFileSync(`${lab.path}.new`, FILE.replace("at", "ct"), { mode: 0o600 });
    renameSync(`${lab.path}.new`, lab.path);
    expect(lab.read().providers).toEqual({ "gmail:primary": { tokens: { access_token: "ct" } } });
    rmSync(lab.path);
    expect(lab.read().providers).toEqual({});
  });

  test("a look costs microseconds: a thousand of them read nothing", () => {
    using lab = new FileLab().write(FILE);
    const first = lab.read();
    for (let at = 0; at < 1000; at += 1) expect(lab.read() === first).toBe(true);
  });

  test("numbers of other programs keep their digits through a rewriting", () => {
    using lab = new FileLab().write('{"version":2,"providers":{"other":{"id":12345678901234567890,"ratio":1.10}}}');
    const document = lab.read();
    const text = authFileText(document, document.providers);
    expect(text.replace(/\s/g, "")).toBe(
      '{"version":2,"providers":{"other":{"id":12345678901234567890,"ratio":1.10}}}',
    );
    expect(text).toEndWith("}\n");
  });
});

describe("refusing", () => {
  test("any mode but 0600, also when it changes later", async () => {
    using lab = new FileLab();
    for (const mode of [0o400, 0o700, 0o640, 0o604, 0o666, 0o4600]) {
      lab.write(FILE, mode);
      await expectRefusal(() => lab.read(), "auth_file_exposed", { path: lab.path, mode: `0o${mode.toString(8)}` });
    }
    lab.write(FILE).read();
    chmodSync(lab.path, 0o660);
    await expectRefusal(() => lab.read(), "auth_file_exposed", { path: lab.path, mode: "0o660" });
  });

  test("a link, a folder, a pipe and a file that is too large, none of which is read", async () => {
    const refuses = async (make: (path: string) => void, reason: string) => {
      using lab = new FileLab();
      make(lab.path);
      await expectRefusal(() => lab.read(), "auth_file_unusable", { path: lab.path, reason });
    };
    await refuses((path) => {
      writeFileSync(`${path}.real`, FILE, { mode: 0o600 });
      symlinkSync(`${path}.real`, path);
    }, "it is a symbolic link");
    await refuses((path) => mkdirSync(path), "it is a folder");
    await refuses((path) => void Bun.spawnSync(["mkfifo", "-m", "600", path]), "it is not a regular file");
    await refuses((path) => {
      writeFileSync(path, Buffer.alloc(8 * 1024 * 1024 + 1, " "), { mode: 0o600 });
    }, "it is larger than 8388608 bytes");
  });

  test("eight mebibytes are still read", () => {
    using lab = new FileLab().write(FILE.padEnd(8 * 1024 * 1024, " "));
    expect(lab.read().providers).toEqual({ "gmail:primary": ENTRY });
  });

  test.if(process.getuid?.() === 0)("another user's file, which writing it would take away from them", async () => {
    using lab = new FileLab().write(FILE);
    chownSync(lab.path, 65534, 65534);
    await expectRefusal(() => lab.read(), "auth_file_unusable", {
      path: lab.path,
      reason: "it belongs to another user",
    });
  });

  test("what is no such document, half a one included, with what is wrong and where", async () => {
    using lab = new FileLab();
    const faults: readonly (readonly [string | Uint8Array, string])[] = [
      ["", "is empty"],
      [FILE.slice(0, -20), "is no valid JSON: ends inside a string (line 1, column 54, at $.providers.gmail:primary)"],
      [Buffer.from([0x7b, 0xff]), "is no valid JSON: is not UTF-8 text (line 1, column 1, at $)"],
      ["[]", "holds no JSON object"],
      ["{}", "has no providers"],
      ['{"providers":[]}', "has no providers"],
      ['{"version":3,"providers":{}}', "is not of version 2"],
      ['{"version":"2","providers":{}}', "is not of version 2"],
    ];
    for (const [text, reason] of faults) {
      lab.write(text);
      const details = await expectRefusal(() => lab.read(), "auth_file_malformed");
      expect(details).toEqual({ path: lab.path, reason: expect.stringContaining(reason.split(" (")[0] ?? "") });
    }
    lab.write('{"version":2,"providers":{"a":{},"a":{}}}');
    const { reason } = await expectRefusal(() => lab.read(), "auth_file_malformed");
    expect(reason).toStartWith("is no valid JSON: ");
  });

  test("a second name for the file is no fault", () => {
    using lab = new FileLab().write(FILE);
    linkSync(lab.path, `${lab.path}.copy`);
    expect(lab.read().providers).toEqual({ "gmail:primary": ENTRY });
  });
});
