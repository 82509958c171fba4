/** The files of the catalog inside the binary, by name; written by `bun run catalog`, never by hand. */
import file0 from "../../catalog/artifacts/obsidian-1.0.0.tar.gz" with { type: "file" };
import file1 from "../../catalog/artifacts/obsidian-1.0.0.tar.gz.sig" with { type: "file" };
import file2 from "../../catalog/index.json" with { type: "file" };
import file3 from "../../catalog/index.json.sig" with { type: "file" };
import file4 from "../../catalog/index.pub" with { type: "file" };
import file5 from "../../catalog/publishers/fd694085cdb044d65f3a753b0bcbe440.pub" with { type: "file" };

/** Name below `catalog/` to a path that node:fs and Bun.file can read, also inside the compiled binary. */
export const embeddedPaths: ReadonlyMap<string, string> = new Map([
  ["artifacts/obsidian-1.0.0.tar.gz", String(file0)],
  ["artifacts/obsidian-1.0.0.tar.gz.sig", String(file1)],
  ["index.json", String(file2)],
  ["index.json.sig", String(file3)],
  ["index.pub", String(file4)],
  ["publishers/fd694085cdb044d65f3a753b0bcbe440.pub", String(file5)],
]);
