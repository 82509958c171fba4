/** The five tools of the Obsidian server, used by the official MCP client under a real node. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { snapshotTree } from "../../expect.ts";
import { connect, type Lab, makeLab, type Session } from "./server.ts";

let lab: Lab;
let session: Session;
const call = (name: string, args?: Record<string, unknown>) => session.call(name, args);
const ok = async (name: string, args?: Record<string, unknown>) => {
  const { text, isError } = await call(name, args);
  if (isError) throw new Error(text);
  return text;
};
const refusal = async (name: string, args?: Record<string, unknown>) => {
  const before = snapshotTree(lab.root);
  const { text, isError } = await call(name, args);
  expect({ isError, tree: snapshotTree(lab.root) }).toEqual({ isError: true, tree: before });
  return text;
};
const found = async (query: string, limit?: number) =>
  JSON.parse(await ok("search_notes", limit === undefined ? { query } : { query, limit })) as {
    notes: { path: string; line?: number; snippet: string }[];
    more: boolean;
  };

beforeAll(async () => {
  lab = makeLab();
  session = await connect(lab.vault);
});
beforeEach(() => {
  rmSync(lab.vault, { recursive: true });
  mkdirSync(join(lab.vault, ".obsidian"), { recursive: true });
});
afterAll(async () => {
  await session.close();
  lab.remove();
});

test("tools are listed un-prefixed, with schemas, hints and the manifest's own names", async () => {
  const { tools } = await session.client.listTools();
  const manifest = JSON.parse(
    readFileSync(join(import.meta.dirname, "../../../catalog/plugins/obsidian/plugin.json"), "utf8"),
  ) as {
    version: string;
    tools: { name: string; read_only: boolean; parameters: { properties: object; required?: string[] } }[];
  };
  expect(
    tools.map(({ name, annotations, inputSchema }) => [
      `obsidian_${name}`,
      annotations?.readOnlyHint,
      Object.keys(inputSchema.properties ?? {}),
      inputSchema.required,
    ]),
  ).toEqual(
    manifest.tools.map(({ name, read_only, parameters }) => [
      name,
      read_only,
      Object.keys(parameters.properties),
      parameters.required ?? [],
    ]),
  );
  expect(session.client.getServerVersion()).toMatchObject({ name: "obsidian", version: manifest.version });
});

describe("create_note", () => {
  test("writes the note and the folders on the way", async () => {
    expect(await ok("create_note", { path: "A/B/C.md", content: "# Hi\nüñî 😀" })).toBe("Created A/B/C.md");
    expect(readFileSync(join(lab.vault, "A/B/C.md"), "utf8")).toBe("# Hi\nüñî 😀");
    expect(await ok("read_note", { path: "A/B/C.md" })).toBe("# Hi\nüñî 😀");
  });

  test("never overwrites, also not a name in another Unicode form or a folder", async () => {
    lab.write("vault/Caf\u0065\u0301.md", "decomposed");
    mkdirSync(join(lab.vault, "Folder.md"));
    lab.write("vault/Plan.md", "old");
    for (const path of ["Plan.md", "Caf\u00e9.md", "Folder.md"]) {
      expect(await refusal("create_note", { path, content: "new" })).toContain("exists already. Append to it");
    }
  });

  test("refuses a folder that is a file", async () => {
    lab.write("vault/Plan.md", "old");
    expect(await refusal("create_note", { path: "Plan.md/In.md", content: "x" })).toContain("is not a folder");
  });

  test("takes 5 MiB of content and refuses one byte more", async () => {
    const most = "a".repeat(5 * 1024 * 1024);
    await ok("create_note", { path: "Big.md", content: most });
    expect(readFileSync(join(lab.vault, "Big.md")).length).toBe(most.length);
    expect(await refusal("create_note", { path: "Bigger.md", content: `${most}a` })).toBe(
      "The content has 5242881 bytes; 5242880 is the most. Write it in parts.",
    );
  });

  test("two at once for one path: one is created, one is refused", async () => {
    const outcomes = await Promise.all(
      ["one", "two"].map((content) => call("create_note", { path: "Race.md", content })),
    );
    expect(outcomes.map(({ isError }) => isError).sort()).toEqual([false, true]);
    expect(["one", "two"]).toContain(readFileSync(join(lab.vault, "Race.md"), "utf8"));
  });
});

describe("append_note", () => {
  test("starts on a line of its own and keeps what is there", async () => {
    for (const [before, after] of [
      ["", "x"],
      ["a", "a\nx"],
      ["a\n", "a\nx"],
      ["é", "é\nx"],
    ] as const) {
      lab.write("vault/N.md", before);
      expect(await ok("append_note", { path: "N.md", content: "x" })).toBe("Appended to N.md");
      expect(readFileSync(join(lab.vault, "N.md"), "utf8")).toBe(after);
    }
  });

  test("of a hundred at once keeps every line whole and in order", async () => {
    lab.write("vault/Log.md", "start\n");
    const lines = Array.from({ length: 100 }, (_, at) => `line ${at}`);
    await Promise.all(lines.map((line) => ok("append_note", { path: "Log.md", content: `${line}\n` })));
    expect(readFileSync(join(lab.vault, "Log.md"), "utf8")).toBe(`start\n${lines.join("\n")}\n`);
  });

  test("refuses a note that is not there", async () => {
    expect(await refusal("append_note", { path: "No/Where.md", content: "x" })).toBe(
      'There is no note at "No/Where.md". Search for it, or list its folder.',
    );
  });
});

describe("read_note", () => {
  test("finds a name in either Unicode form", async () => {
    lab.write("vault/Caf\u0065\u0301/R\u0065\u0301sum\u0065\u0301.md", "decomposed");
    lab.write("vault/Ang\u00e9lique.md", "composed");
    expect(await ok("read_note", { path: "Caf\u00e9/R\u00e9sum\u00e9.md" })).toBe("decomposed");
    expect(await ok("read_note", { path: "Ang\u0065\u0301lique.md" })).toBe("composed");
  });

  test("shows 1 MiB whole and cuts a longer note at a character, saying so", async () => {
    const whole = "é".repeat(512 * 1024);
    lab.write("vault/Whole.md", whole);
    expect(await ok("read_note", { path: "Whole.md" })).toBe(whole);
    lab.write("vault/Long.md", `a${whole}`);
    const cut = await ok("read_note", { path: "Long.md" });
    expect(cut).toBe(
      `a${"é".repeat(512 * 1024 - 1)}\n\n[cut: the note has 1048577 bytes, the first 1048576 are shown]`,
    );
  });

  test("reads bytes that are not UTF-8 as replacement characters", async () => {
    writeFileSync(join(lab.vault, "Latin.md"), Buffer.from([0x63, 0xe9, 0x21]));
    expect(await ok("read_note", { path: "Latin.md" })).toBe("c\ufffd!");
  });

  test("refuses what is no note: a folder, another kind of file, a fifo, a socket", async () => {
    mkdirSync(join(lab.vault, "Dir.md"));
    lab.write("vault/image.png", "png");
    Bun.spawnSync(["mkfifo", join(lab.vault, "Pipe.md")]);
    expect(await refusal("read_note", { path: "Dir.md" })).toContain("is not a note but a folder or special file");
    expect(await refusal("read_note", { path: "Pipe.md" })).toContain("is not a note but a folder or special file");
    using _socket = Bun.listen({ unix: join(lab.vault, "Socket.md"), socket: { data() {} } });
    expect(await refusal("read_note", { path: "Socket.md" })).toContain("is not a note but a folder or special file");
    expect(JSON.parse((await session.call("search_notes", { query: "md" })).text)).toMatchObject({ more: false });
    expect(await refusal("read_note", { path: "image.png" })).toContain("must end in .md");
    expect(await refusal("append_note", { path: "Pipe.md", content: "x" })).toContain("is not a note");
  });
});

describe("list_folder", () => {
  test("shows folders, notes and other files, and nothing hidden", async () => {
    for (const path of ["B.md", "a.md", "Sub/x.md", "pic.png", ".hidden.md", ".trash/t.md"])
      lab.write(`vault/${path}`, "");
    const root = { folders: ["Sub"], notes: ["B.md", "a.md"], other_files: ["pic.png"] };
    for (const args of [{}, { path: "" }, { path: "." }])
      expect(JSON.parse(await ok("list_folder", args))).toEqual(root);
    for (const path of ["Sub", "Sub/"]) {
      expect(JSON.parse(await ok("list_folder", { path }))).toEqual({ folders: [], notes: ["x.md"], other_files: [] });
    }
  });

  test("refuses what is no folder or not there", async () => {
    lab.write("vault/N.md", "");
    expect(await refusal("list_folder", { path: "N.md" })).toContain("is not a folder");
    expect(await refusal("list_folder", { path: "Nope" })).toContain("There is no folder");
  });

  test("shows a thousand entries and says when there are more", async () => {
    for (let at = 0; at < 1001; at += 1) lab.write(`vault/Many/${at}.md`, "");
    const { notes, cut } = JSON.parse(await ok("list_folder", { path: "Many" })) as { notes: string[]; cut: string };
    expect([notes.length, cut]).toEqual([1000, "1001 entries; the first 1000 are shown"]);
  });
});

describe("search_notes", () => {
  test("wants every word, in any case and Unicode form, in path or text", async () => {
    lab.write("vault/Projects/Garden.md", "# Plan\n\nBuy TOMATO seeds\nand caf\u0065\u0301 chairs");
    lab.write("vault/Shopping.md", "tomato soup");
    lab.write("vault/.obsidian/notes.md", "tomato seeds");
    lab.write("vault/tomato.txt", "tomato seeds");
    expect(await found("tomato seeds")).toEqual({
      notes: [{ path: "Projects/Garden.md", line: 3, snippet: "# Plan Buy TOMATO seeds and café chairs" }],
      more: false,
    });
    expect((await found("CAF\u00c9")).notes.map(({ path }) => path)).toEqual(["Projects/Garden.md"]);
    expect((await found("garden tomato")).notes.map(({ path }) => path)).toEqual(["Projects/Garden.md"]);
    expect((await found("tomato")).notes.map(({ path }) => path)).toEqual(["Shopping.md", "Projects/Garden.md"]);
    expect((await found("no such thing")).notes).toEqual([]);
  });

  test("lists notes whose path matches first, with the start of their text", async () => {
    lab.write("vault/A.md", "about zebra");
    lab.write("vault/Zebra.md", "  A horse\nwith stripes");
    expect((await found("zebra")).notes).toEqual([
      { path: "Zebra.md", snippet: "A horse with stripes" },
      { path: "A.md", line: 1, snippet: "about zebra" },
    ]);
  });

  test("returns ten, or as many as asked up to fifty, and says when there are more", async () => {
    for (let at = 0; at < 51; at += 1) lab.write(`vault/n${String(at).padStart(2, "0")}.md`, "needle");
    const few = await found("needle");
    expect([few.notes.length, few.more, few.notes[0]?.path]).toEqual([10, true, "n00.md"]);
    const most = await found("needle", 50);
    expect([most.notes.length, most.more]).toEqual([50, true]);
    rmSync(join(lab.vault, "n50.md"));
    expect((await found("needle", 50)).more).toBe(false);
    for (const limit of [0, 51, 1.5, "10"]) {
      expect(await refusal("search_notes", { query: "needle", limit })).toBe(
        'The argument "limit" must be a whole number from 1 to 50.',
      );
    }
  });

  test("keeps snippets short and whole, also where lower case is longer", async () => {
    lab.write("vault/Long.md", `${"😀".repeat(500)} needle ${"x".repeat(500)}`);
    lab.write("vault/Turkish.md", `${"İ".repeat(300)} pin`);
    const [long] = (await found("needle")).notes;
    expect(long?.snippet.length).toBeLessThanOrEqual(240);
    expect(long?.snippet).toContain("needle");
    expect(long?.snippet.isWellFormed()).toBe(true);
    expect((await found("pin")).notes[0]?.snippet).toContain("pin");
  });

  test("reads a note that nobody may read as empty instead of failing", async () => {
    lab.write("vault/Locked.md", "needle");
    lab.write("vault/Open.md", "needle");
    chmodSync(join(lab.vault, "Locked.md"), 0o000);
    const paths = (await found("needle")).notes.map(({ path }) => path);
    expect(paths).toEqual(process.getuid?.() === 0 ? ["Locked.md", "Open.md"] : ["Open.md"]);
  });

  test("refuses a query without a word", async () => {
    for (const query of ["", "  \n "]) expect(await refusal("search_notes", { query })).toContain("The query is empty");
  });
});

describe("arguments", () => {
  test("that are missing, of another type or unknown are refused by name", async () => {
    lab.write("vault/N.md", "");
    expect(await refusal("read_note", {})).toBe('The argument "path" is missing.');
    expect(await refusal("read_note", { path: 1 })).toBe('The argument "path" must be text.');
    expect(await refusal("read_note", { path: "N.md", vault: "/" })).toBe(
      'The argument "vault" is not one of this tool.',
    );
    expect(await refusal("create_note", { path: "M.md" })).toBe('The argument "content" is missing.');
    expect(await refusal("read_note", { path: "N.md", constructor: 1 })).toContain(
      '"constructor" is not one of this tool',
    );
  });
});
