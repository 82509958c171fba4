/** How fast the binary starts: against a hello world compiled with the same flags, and by installed plugins. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../lab/binary.ts";
import { compileLikeFermix, HELLO_WORLD } from "./compile.ts";
import { median, type Row, ratio, takeTurns, timeRun } from "./measure.ts";

const FEW = 20;
const MANY = 500;
/** What one more plugin may cost, and how fast the machine is on which that was asked for (PLATFORM, "Speed recipes"). */
const MS_A_PLUGIN = 0.25;
const MS_HELLO_WORLD = 4;

/** A home with `count` installed plugins, each a real manifest of the catalog under another name. */
function homeWith(folder: string, count: number): string {
  const home = join(folder, `home-${count}`);
  const source = readFileSync(join(ROOT, "catalog/plugins/github/plugin.json"), "utf8");
  const record: Record<string, object> = {};
  for (let n = 0; n < count; n += 1) {
    const name = `bench${n}`;
    const manifest = {
      ...JSON.parse(source.replaceAll("github_", `${name}_`)),
      name,
      version: "1.0.0",
      interface: {},
      skills: [],
    };
    const installed = join(home, "plugins/installed", name);
    mkdirSync(join(installed, "1.0.0"), { recursive: true });
    writeFileSync(join(installed, "1.0.0/plugin.json"), JSON.stringify(manifest, null, 2));
    symlinkSync("1.0.0", join(installed, "current"));
    record[name] = {
      version: "1.0.0",
      sha256: "0".repeat(64),
      h1: "0".repeat(64),
      tree_digest_v2: "0".repeat(64),
      plugin_api: manifest.plugin_api,
      min_core_version: manifest.min_core_version,
      verified_at: "2026-01-01T00:00:00Z",
    };
  }
  mkdirSync(join(home, "plugins"), { recursive: true });
  writeFileSync(join(home, "plugins/installed.json"), JSON.stringify(record, null, 2));
  return home;
}

/** Measures `--version` and `plugins list` against the hello world. */
export async function benchStartup(binary: string, rounds: number, scratch: string): Promise<Row[]> {
  const folder = mkdtempSync(join(scratch, "startup-"));
  try {
    const hello = await compileLikeFermix(folder, "hello", HELLO_WORLD);
    const env = (home: string): Record<string, string> => ({ PATH: "/usr/bin:/bin", HOME: folder, FERMIX_HOME: home });
    const few = homeWith(folder, FEW);
    const many = homeWith(folder, MANY);
    const taken = await takeTurns(rounds, {
      hello: () => timeRun([hello], env(few), folder),
      version: () => timeRun([binary, "--version"], env(few), folder),
      few: () => timeRun([binary, "plugins", "list"], env(few), folder),
      many: () => timeRun([binary, "plugins", "list"], env(many), folder),
    });
    const { hello: floor, few: few_, many: many_, version } = taken;
    const further = many_.map((time, round) => (time - (few_[round] ?? Number.NaN)) / (MANY - FEW));
    const ms = (times: readonly number[]): string => `${median(times).toFixed(2)} ms`;
    return [
      {
        what: "--version over hello world",
        measured: ratio(version, floor),
        unit: "x",
        limit: { most: 1.5 },
        note: `${ms(version)} / ${ms(floor)}`,
      },
      {
        what: `plugins list, ${FEW} installed, over hello world`,
        measured: ratio(few_, floor),
        unit: "x",
        limit: { most: 4 },
        note: `${ms(few_)} / ${ms(floor)}`,
      },
      {
        what: `plugins list, each further plugin up to ${MANY}, of hello world`,
        measured: ratio(further, floor) * 100,
        unit: "%",
        limit: { most: (MS_A_PLUGIN / MS_HELLO_WORLD) * 100 },
        note: `${ms(further)} a plugin here; ${MS_A_PLUGIN} ms where hello world takes ${MS_HELLO_WORLD} ms`,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
