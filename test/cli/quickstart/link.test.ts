/** Tests of cli/quickstart/link.ts: a link only when asked, and never over something that is there. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readlinkSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assertLinkable, makeLink, planLink } from "../../../src/cli/quickstart/link.ts";
import { ownCommand } from "../../../src/cli/quickstart/own-command.ts";
import { expectRefusal, snapshotTree } from "../../expect.ts";

let userHome: string;
let binary: string;
beforeEach(() => {
  userHome = realpathSync(mkdtempSync(join(tmpdir(), "fermix-link-")));
  binary = join(userHome, "fermix-binary");
  writeFileSync(binary, "");
});
afterEach(() => rmSync(userHome, { recursive: true }));

const place = () => join(userHome, ".local/bin/fermix");

test("a plan changes nothing and gives the command and the PATH line", () => {
  const before = snapshotTree(userHome);
  const folder = join(userHome, ".local/bin");
  expect(planLink({ userHome, path: ["/usr/bin"] }, binary)).toEqual({
    path: place(),
    target: binary,
    linked: false,
    taken: undefined,
    onPath: false,
    linkCommand: `mkdir -p ${folder} && ln -s ${binary} ${place()}`,
    pathLine: 'export PATH="$HOME/.local/bin:$PATH"',
  });
  expect(planLink({ userHome, path: ["/usr/bin", folder] }, binary).onPath).toBe(true);
  expect(snapshotTree(userHome)).toEqual(before);
});

test("the link is made once, and a second time is fine", () => {
  const env = { userHome, path: [] };
  expect(makeLink(planLink(env, binary)).linked).toBe(true);
  expect(readlinkSync(place())).toBe(binary);
  const before = snapshotTree(userHome);
  expect(makeLink(planLink(env, binary)).linked).toBe(true);
  expect(snapshotTree(userHome)).toEqual(before);
});

test("a file, a folder, or a link to another program is left alone", async () => {
  mkdirSync(join(userHome, ".local/bin"), { recursive: true });
  const takers: readonly (readonly [() => void, string])[] = [
    [() => writeFileSync(place(), "mine"), "a file"],
    [() => mkdirSync(place()), "a folder"],
    [() => symlinkSync("/usr/bin/other", place()), "a link to /usr/bin/other"],
  ];
  for (const [take, found] of takers) {
    take();
    const before = snapshotTree(userHome);
    const plan = planLink({ userHome, path: [] }, binary);
    expect([plan.linked, plan.taken]).toEqual([false, found]);
    await expectRefusal(() => assertLinkable(plan), "link_taken", { path: place(), found });
    await expectRefusal(() => makeLink(plan), "link_taken", { path: place(), found });
    expect(snapshotTree(userHome)).toEqual(before);
    rmSync(place(), { recursive: true });
  }
});

test("what took the name after the plan was made is left alone too", async () => {
  const plan = planLink({ userHome, path: [] }, binary);
  mkdirSync(join(userHome, ".local/bin"), { recursive: true });
  writeFileSync(place(), "mine");
  const before = snapshotTree(userHome);
  await expectRefusal(() => makeLink(plan), "link_taken", { path: place(), found: "a file" });
  expect(snapshotTree(userHome)).toEqual(before);
});

test("a folder that cannot be made is said with the command to run", async () => {
  writeFileSync(join(userHome, ".local"), "");
  const plan = planLink({ userHome, path: [] }, binary);
  await expectRefusal(() => makeLink(plan), "link_failed", { path: place(), command: plan.linkCommand });
});

test("the compiled binary is one word, the sources are Bun and their entry", () => {
  expect(ownCommand("/opt/fermix", "/$bunfs/root/fermix")).toEqual(["/opt/fermix"]);
  expect(ownCommand("/opt/bun", "/src/main.ts")).toEqual(["/opt/bun", "/src/main.ts"]);
});
