/** The files inside the binary: a fixed set, read whole or as a stream. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { embeddedFiles } from "../../src/system/embedded.ts";

const CATALOG = join(import.meta.dirname, "../../catalog");

test("each name gives the bytes of its file below catalog/, read or streamed", async () => {
  const names = embeddedFiles.names();
  expect(names.length).toBeGreaterThan(20);
  for (const name of names) {
    const bytes = readFileSync(join(CATALOG, name));
    expect(Buffer.from(embeddedFiles.read(name) ?? []).equals(bytes)).toBe(true);
    const streamed = await new Response(embeddedFiles.stream(name)).arrayBuffer();
    expect(Buffer.from(streamed).equals(bytes)).toBe(true);
    expect(embeddedFiles.size(name)).toBe(bytes.byteLength);
  }
});

test("a name that was not compiled in gives nothing, whatever it looks like", () => {
  for (const name of ["", "index", "../package.json", "/etc/passwd", "plugins/obsidian/plugin.json", "artifacts"]) {
    const { read, size, stream } = embeddedFiles;
    expect([read(name), size(name), stream(name)]).toEqual([undefined, undefined, undefined]);
  }
});
