/** Tests of auth/change-entry.ts: one entry changes, everything else stays, and nothing is written over what is no auth.json. */
import { expect, test } from "bun:test";
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { changeEntry, rehearseChange } from "../../src/auth/change-entry.ts";
import { expectRefusal, snapshotTree } from "../expect.ts";
import { SignInLab } from "./sign-in-lab.ts";

const NEW = { tokens: { access_token: "new" } };

function change(lab: SignInLab, entry: typeof NEW | "remove" | undefined): Promise<void> {
  return changeEntry(lab.deps.ports, lab.home, "gmail:primary", () => entry);
}

test("TOK-1/version-2 the entry is replaced, and every other entry and member stays as it was written", async () => {
  using lab = new SignInLab();
  const other = '{"tokens":{"access_token":"o"},"id":12345678901234567890}';
  writeFileSync(lab.home.authFile, `{"providers":{"gmail:primary":{},"other":${other}},"note":"kept"}`, {
    mode: 0o600,
  });
  await change(lab, NEW);
  const text = readFileSync(lab.home.authFile, "utf8");
  expect(text.replace(/\s/g, "")).toBe(
    `{"version":2,"note":"kept","providers":{"gmail:primary":${JSON.stringify(NEW)},"other":${other}}}`,
  );
  expect(text).toEndWith("}\n");
  expect(text).toContain('\n  "providers": {\n    "gmail:primary"');
  expect(statSync(lab.home.authFile).mode & 0o7777).toBe(0o600);
  expect(lab.debris).toEqual([]);
});

test("TOK-5/first-login the first entry makes the file; removing it leaves an empty list; leaving it as it is writes nothing", async () => {
  using lab = new SignInLab();
  await change(lab, undefined);
  expect(existsSync(lab.home.authFile)).toBe(false);
  await change(lab, NEW);
  expect(lab.entry).toEqual(NEW);
  await change(lab, "remove");
  expect(JSON.parse(readFileSync(lab.home.authFile, "utf8"))).toEqual({ version: 2, providers: {} });
});

test("the oldest layout becomes the other one with its first change", async () => {
  using lab = new SignInLab();
  writeFileSync(lab.home.authFile, '{"tokens":{"access_token":"codex"}}', { mode: 0o600 });
  await change(lab, NEW);
  expect(JSON.parse(readFileSync(lab.home.authFile, "utf8"))).toEqual({
    version: 2,
    providers: { openai_codex: { tokens: { access_token: "codex" } }, "gmail:primary": NEW },
  });
});

test("a profile named like something every object has is an entry like others", async () => {
  using lab = new SignInLab();
  for (const profile of ["__proto__", "constructor"]) {
    await changeEntry(lab.deps.ports, lab.home, profile, (entry) => (entry === undefined ? NEW : undefined));
  }
  expect(Object.keys(JSON.parse(readFileSync(lab.home.authFile, "utf8")).providers)).toEqual([
    "__proto__",
    "constructor",
  ]);
});

test("TOK-3/set-aside TOK-3/write-refused what is no auth.json is put aside under a name of its own, and nothing is written", async () => {
  using lab = new SignInLab();
  const seconds = Math.floor(lab.clock.now() / 1000);
  for (const backup of [`${lab.home.authFile}.broken.${seconds}`, `${lab.home.authFile}.broken.${seconds}-2`]) {
    writeFileSync(lab.home.authFile, '{"half', { mode: 0o600 });
    const details = await expectRefusal(change(lab, NEW), "auth_file_malformed");
    expect(details).toMatchObject({ path: lab.home.authFile, backup });
    expect(readFileSync(backup, "utf8")).toBe('{"half');
    expect(statSync(backup).mode & 0o7777).toBe(0o600);
    expect(existsSync(lab.home.authFile)).toBe(false);
  }
});

test("a file that others may read, or a link, is neither changed nor moved", async () => {
  using lab = new SignInLab().signedIn();
  chmodSync(lab.home.authFile, 0o644);
  const before = snapshotTree(lab.root);
  await expectRefusal(change(lab, NEW), "auth_file_exposed");
  await expectRefusal(rehearseChange(lab.deps.ports, lab.home), "auth_file_exposed");
  expect(snapshotTree(lab.root)).toEqual(before);
  using linked = new SignInLab();
  symlinkSync(lab.home.authFile, linked.home.authFile);
  await expectRefusal(change(linked, NEW), "auth_file_unusable");
  expect(snapshotTree(lab.root)).toEqual(before);
});

test("a rehearsal leaves the home as it is", async () => {
  using lab = new SignInLab().signedIn();
  const before = snapshotTree(lab.root);
  await rehearseChange(lab.deps.ports, lab.home);
  expect(snapshotTree(lab.root)).toEqual(before);
  expect(readdirSync(lab.root).toSorted()).toEqual(["auth.json", "config.toml"]);
});

test("a lock that another process keeps is named after eight seconds, and nothing changes", async () => {
  using lab = new SignInLab().signedIn();
  writeFileSync(`${lab.home.authFile}.lock`, `${Date.now()} ${process.ppid}\n`);
  const before = snapshotTree(lab.root);
  await expectRefusal(change(lab, NEW), "auth_file_busy", { path: lab.home.authFile });
  expect(lab.clock.slept).toEqual(Array.from({ length: 79 }, () => 100));
  expect(snapshotTree(lab.root)).toEqual(before);
});
