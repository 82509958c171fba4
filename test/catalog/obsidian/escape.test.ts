/** Every way out of the vault that a path or a link could be: refused, with everything on disk as before. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { hasErrno } from "../../../src/kernel/error.ts";
import { snapshotTree } from "../../expect.ts";
import { connect, type Lab, makeLab, type Session } from "./server.ts";

let lab: Lab;
let session: Session;
const link = (target: string, at: string) => symlinkSync(target, join(lab.root, at));

beforeAll(async () => {
  lab = makeLab();
  session = await connect(lab.vault);
});
beforeEach(() => {
  rmSync(lab.vault, { recursive: true });
  lab.write("vault/.obsidian/app.md", "settings");
  lab.write("vault/Notes/In.md", "inside");
});
afterAll(async () => {
  await session.close();
  lab.remove();
});

/** Tries the path with all tools; returns what they said. No result may hold the secret, no file may differ. */
async function refusedEverywhere(path: string): Promise<readonly string[]> {
  const before = snapshotTree(lab.root);
  const said: string[] = [];
  for (const [name, more] of [
    ["read_note", {}],
    ["create_note", { content: "planted" }],
    ["append_note", { content: "planted" }],
    ["list_folder", {}],
  ] as const) {
    const { text, isError } = await session.call(name, { path, ...more });
    expect({ name, path, isError, secret: text.includes("the secret") }).toEqual({
      name,
      path,
      isError: true,
      secret: false,
    });
    said.push(text);
  }
  expect(snapshotTree(lab.root)).toEqual(before);
  return said;
}

describe("a path is refused", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["../outside/secret.md", '".."'],
    ["Notes/../../outside/secret.md", '".."'],
    ["Notes/../In.md", '".."'],
    ["./Notes/In.md", '"."'],
    ["/etc/passwd.md", "absolute"],
    ["C:/secret.md", "absolute"],
    ["..\\outside\\secret.md", "backslash"],
    ["Notes\\In.md", "backslash"],
    ["Notes/In.md\0.txt.md", "control character"],
    ["Notes/\nIn.md", "control character"],
    ["Notes//In.md", "empty part"],
    ["//outside/secret.md", "absolute"],
    [".obsidian/app.md", "hidden"],
    ["Notes/.hidden.md", "hidden"],
    ["Notes/.md", "hidden"],
    [`${"a".repeat(1022)}.md`, "1024 bytes"],
    ["a\ud800.md", "Unicode"],
  ];
  for (const [path, why] of cases) {
    test(`that says ${JSON.stringify(path.slice(0, 40))}: ${why}`, async () => {
      const said = await refusedEverywhere(path);
      expect(said[0]).toContain(why);
    });
  }

  test("that is a percent-encoded escape is only an odd name", async () => {
    const { isError, text } = await session.call("read_note", { path: "%2e%2e%2foutside%2fsecret.md" });
    expect([isError, text]).toEqual([
      true,
      'There is no note at "%2e%2e%2foutside%2fsecret.md". Search for it, or list its folder.',
    ]);
  });

  test("that has a part too long for a disk, before any folder is made", async () => {
    const said = await refusedEverywhere(`New/${"a".repeat(253)}.md`);
    expect(said[1]).toContain("has a part with more than 255 bytes");
    const longest = `New/${"a".repeat(252)}.md`;
    expect((await session.call("create_note", { path: longest, content: "x" })).text).toBe(`Created ${longest}`);
  });
});

describe("a link out of the vault is refused", () => {
  test("that is a note", async () => {
    link("../outside/secret.md", "vault/Leak.md");
    link(join(lab.root, "outside/secret.md"), "vault/Absolute.md");
    for (const path of ["Leak.md", "Absolute.md"]) await refusedEverywhere(path);
  });

  test("that is a folder on the way, also for new notes and folders", async () => {
    link("../outside", "vault/Door");
    link("../..", "vault/Notes/Up");
    for (const path of [
      "Door/secret.md",
      "Door/new.md",
      "Door/new/deep.md",
      "Door",
      "Notes/Up/outside/secret.md",
      "Notes/Up/new.md",
    ]) {
      await refusedEverywhere(path);
    }
  });

  test("that leads through another link, in a circle, to nothing, or to what is hidden", async () => {
    link("../outside", "vault/One");
    link("One", "vault/Two");
    link("Loop.md", "vault/Loop.md");
    link("../outside/not-there.md", "vault/Planted.md");
    link(".obsidian/app.md", "vault/Settings.md");
    link(".obsidian", "vault/Shown");
    for (const path of [
      "Two/secret.md",
      "Two/new.md",
      "Loop.md",
      "Planted.md",
      "Settings.md",
      "Shown/app.md",
      "Shown/new.md",
    ]) {
      await refusedEverywhere(path);
    }
  });

  test("to a folder whose name only starts like the vault's", async () => {
    lab.write("vault-backup/secret.md", "the secret of the backup");
    link("../vault-backup", "vault/Backup");
    await refusedEverywhere("Backup/secret.md");
    rmSync(join(lab.root, "vault-backup"), { recursive: true });
  });

  test("and never searched or listed", async () => {
    link("../outside", "vault/Door");
    link("../outside/secret.md", "vault/Leak.md");
    const search = await session.call("search_notes", { query: "secret" });
    expect(JSON.parse(search.text)).toEqual({ notes: [], more: false });
    const listed = await session.call("list_folder", {});
    expect(JSON.parse(listed.text)).toEqual({ folders: ["Notes"], notes: [], other_files: [] });
  });
});

test("a link to another place in the vault works: the vault's owner made it", async () => {
  link("Notes/In.md", "vault/Alias.md");
  link("Notes", "vault/Same");
  expect((await session.call("read_note", { path: "Alias.md" })).text).toBe("inside");
  expect((await session.call("read_note", { path: "Same/In.md" })).text).toBe("inside");
  await session.call("append_note", { path: "Same/In.md", content: "more" });
  expect(readFileSync(join(lab.vault, "Notes/In.md"), "utf8")).toBe("inside\nmore");
});

test("a vault that is itself reached through a link works", async () => {
  link("vault", "alias");
  const through = await connect(join(lab.root, "alias"));
  expect((await through.call("read_note", { path: "Notes/In.md" })).text).toBe("inside");
  await through.close();
});

test("no path of any kind reads or writes outside", async () => {
  link("../outside", "vault/Door");
  mkdirSync(join(lab.vault, "a"));
  const part = fc.constantFrom(
    "..",
    ".",
    "",
    "a",
    "Door",
    "secret.md",
    "outside",
    "vault",
    "~",
    "\\",
    "%2e%2e",
    "．．",
    "..md",
    "new.md",
  );
  const outside = snapshotTree(join(lab.root, "outside"));
  await fc.assert(
    fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 5 }), async (parts) => {
      const path = parts.join("/");
      for (const name of ["read_note", "list_folder"]) {
        expect((await session.call(name, { path })).text).not.toContain("the secret");
      }
      await session.call("create_note", { path, content: "planted" });
      expect(snapshotTree(join(lab.root, "outside"))).toEqual(outside);
    }),
    { numRuns: 150, seed: 7 },
  );
  expect(snapshotTree(lab.root)["new.md"]).toBeUndefined();
});

/** Removes what is at the path and puts something else there; the server may make a folder of that name in between. */
function inPlaceOf(path: string, put: () => void): void {
  for (;;) {
    rmSync(path, { recursive: true, force: true });
    try {
      put();
      return;
    } catch (error) {
      if (!hasErrno(error, "EEXIST", "ENOTEMPTY", "ENOTDIR")) throw error;
    }
  }
}

test("a folder that turns into a link while a tool runs leads nowhere outside", async () => {
  const [door, aside] = [join(lab.vault, "Door"), join(lab.root, "aside")];
  mkdirSync(door);
  const outside = snapshotTree(join(lab.root, "outside"));
  const said: string[] = [];
  for (let round = 0; round < 40; round += 1) {
    const calls = [
      session.call("create_note", { path: `Door/new${round}.md`, content: "planted" }),
      session.call("read_note", { path: "Door/secret.md" }),
      session.call("append_note", { path: "Door/secret.md", content: "planted" }),
      session.call("search_notes", { query: "secret" }),
    ];
    let running = true;
    const settled = Promise.all(calls).finally(() => {
      running = false;
    });
    while (running) {
      renameSync(door, aside);
      inPlaceOf(door, () => link("../outside", "vault/Door"));
      await new Promise(setImmediate);
      inPlaceOf(door, () => renameSync(aside, door));
      await new Promise(setImmediate);
    }
    said.push(...(await settled).map(({ text }) => text));
  }
  expect(said.filter((text) => text.includes("the secret"))).toEqual([]);
  expect(snapshotTree(join(lab.root, "outside"))).toEqual(outside);
});

describe("a vault setting", () => {
  const FIX = "Set it with: fermix plugins config set obsidian OBSIDIAN_VAULT_PATH /full/path/of/the/vault";

  test("that is missing, relative, not there or a file is named with its fix, and the session goes on", async () => {
    const cases: readonly (readonly [string | undefined, string])[] = [
      [undefined, `No vault is set. ${FIX}`],
      ["  ", `No vault is set. ${FIX}`],
      ["vault", `The vault path "vault" is not a full path. ${FIX}`],
      ["/not/there", `There is no vault folder at "/not/there". ${FIX}`],
      [join(lab.vault, "Notes/In.md"), `There is no vault folder at "${join(lab.vault, "Notes/In.md")}". ${FIX}`],
    ];
    for (const [setting, text] of cases) {
      const odd = await connect(setting);
      expect(await odd.call("list_folder")).toEqual({ text, isError: true });
      expect((await odd.client.listTools()).tools).toHaveLength(5);
      await odd.close();
    }
  });
});
