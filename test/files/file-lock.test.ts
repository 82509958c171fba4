/** One holder at a time; a lock without a living owner is taken over, one without a readable owner is loud. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withFileLock } from "../../src/files/file-lock.ts";
import { FermixError } from "../../src/kernel/error.ts";
import { expectRefusal, snapshotTree } from "../expect.ts";
import { FakeClock } from "../fakes/clock.ts";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
let folder: string;
let lock: string;
let clock: FakeClock;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fermix-lock-"));
  lock = join(folder, ".lock");
  clock = new FakeClock(NOW);
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const busy = () => new FermixError("config_busy", { path: lock });
const options = { attempts: 50, everyMs: 100, staleMs: 600_000, busy };

function locked<T>(work: () => Promise<T>, attempts = options.attempts): Promise<T> {
  return withFileLock({ clock }, lock, { ...options, attempts }, work);
}

/** The number of a process that has ended and been reaped. */
function deadPid(): number {
  return Bun.spawnSync({ cmd: ["true"] }).pid;
}

describe("holding", () => {
  test("the file names time and process in the ecosystem's form, and is gone afterwards", async () => {
    const content = await locked(async () => readFileSync(lock, "utf8"));
    expect(content).toBe(`${NOW} ${process.pid}\n`);
    expect(existsSync(lock)).toBe(false);
  });

  test("the result and the failure of the work come through, and both release", async () => {
    expect(await locked(async () => 7)).toBe(7);
    await expectRefusal(
      locked(async () => {
        throw busy();
      }),
      "config_busy",
    );
    expect(existsSync(lock)).toBe(false);
  });

  test("what a killed process left while it took the lock goes, a living one's and other locks' stay", async () => {
    const [dead, alive] = [deadPid(), process.ppid];
    const gone = [`.lock.${dead}.new`, `.lock.${dead}.stale`];
    const kept = [`.lock.${alive}.new`, `.lock-other.${dead}.new`, `.lock.${dead}.new.mine`, ".lock.new"];
    for (const name of [...gone, ...kept]) writeFileSync(join(folder, name), "1 2\n");
    await locked(async () => undefined);
    expect(Object.keys(snapshotTree(folder)).toSorted()).toEqual(kept.toSorted());
  });

  test("two in one process take turns", async () => {
    const seen: string[] = [];
    const job = (name: string) =>
      locked(async () => {
        seen.push(`${name} in`);
        await Promise.resolve();
        seen.push(`${name} out`);
      });
    await Promise.all([job("a"), job("b")]);
    expect(seen).toEqual(["a in", "a out", "b in", "b out"]);
  });

  test("a lock that somebody else put in our place is not removed", async () => {
    await locked(async () => writeFileSync(lock, "1 1\n"));
    expect(readFileSync(lock, "utf8")).toBe("1 1\n");
  });
});

describe("waiting", () => {
  test("for a living owner, as often as told, then busy", async () => {
    writeFileSync(lock, `${NOW} ${process.ppid}\n`);
    const before = snapshotTree(folder);
    await expectRefusal(
      locked(async () => undefined),
      "config_busy",
    );
    expect(clock.slept).toEqual(Array(49).fill(100));
    expect(snapshotTree(folder)).toEqual(before);
  });

  test("an old lock of a living owner is still its owner's", async () => {
    // Real time, because the owner's real age counts: the process that started us was there when it "locked".
    const since = Date.now();
    writeFileSync(lock, `${since} ${process.ppid}\n`);
    clock = new FakeClock(since + options.staleMs + 1);
    await expectRefusal(
      locked(async () => undefined, 2),
      "config_busy",
    );
  });

  test("ends when the owner lets go", async () => {
    writeFileSync(lock, `${NOW} ${process.ppid}\n`);
    clock.onSleep = () => {
      if (clock.slept.length === 3) rmSync(lock);
    };
    expect(await locked(async () => "mine")).toBe("mine");
    expect(clock.slept).toEqual([100, 100, 100]);
  });
});

describe("an owner that is gone", () => {
  test("its lock is taken over at once, however young", async () => {
    writeFileSync(lock, `${NOW} ${deadPid()}\n`);
    expect(await locked(async () => readFileSync(lock, "utf8"))).toBe(`${NOW} ${process.pid}\n`);
    expect(clock.slept).toEqual([]);
    expect(snapshotTree(folder)).toEqual({});
  });

  test("a left-over with our own number is not ours", async () => {
    writeFileSync(lock, `${NOW} ${process.pid}\n`);
    expect(await locked(async () => "mine")).toBe("mine");
  });

  test.if(process.platform === "linux")("a number that a younger process got since is no owner", async () => {
    writeFileSync(lock, `1000000000000 ${process.ppid}\n`);
    expect(await locked(async () => "mine")).toBe("mine");
  });

  test("many that find it abandoned still enter one at a time", async () => {
    writeFileSync(lock, `${NOW} ${deadPid()}\n`);
    let inside = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 10 }, () =>
        locked(async () => {
          inside += 1;
          most = Math.max(most, inside);
          await Promise.resolve();
          inside -= 1;
        }),
      ),
    );
    expect(most).toBe(1);
  });
});

describe("INS-10/corrupt-lock", () => {
  const corrupt = ["garbage", "12 x\n", "12", "12 0\n", "12 34 56\n", "-1 5\n", "12 34\n\n", "\u0000".repeat(20)];
  test.each(corrupt)("%j is a loud failure and stays for its owner to judge", async (content) => {
    writeFileSync(lock, content);
    const before = snapshotTree(folder);
    await expectRefusal(
      locked(async () => undefined),
      "lock_corrupt",
      { path: lock },
    );
    expect(clock.slept).toEqual([]);
    expect(snapshotTree(folder)).toEqual(before);
  });

  test("a pipe, which would be read for ever, is no lock of anybody's", async () => {
    expect(Bun.spawnSync(["mkfifo", lock]).exitCode).toBe(0);
    await expectRefusal(
      locked(async () => undefined),
      "lock_corrupt",
      { path: lock },
    );
  });

  test("an empty file may be about to be filled: loud only when it stays empty", async () => {
    writeFileSync(lock, "");
    await expectRefusal(
      locked(async () => undefined, 3),
      "lock_corrupt",
      { path: lock },
    );
    expect(clock.slept).toEqual([100, 100]);
  });

  test("one that stays empty is not waited for as long as a holder is, however long the others before it took", async () => {
    const content = `${NOW} ${process.ppid}\n`;
    writeFileSync(lock, content);
    clock.onSleep = () => {
      if (clock.slept.length === 10) writeFileSync(lock, "");
    };
    await expectRefusal(
      locked(async () => undefined),
      "lock_corrupt",
      { path: lock },
    );
    // Ten for the holder, and twenty looks at nothing.
    expect(clock.slept.length).toBe(10 + 19);
  });

  test("an empty file that is then let go is no failure", async () => {
    writeFileSync(lock, "");
    clock.onSleep = () => rmSync(lock, { force: true });
    expect(await locked(async () => "mine")).toBe("mine");
  });

  test("a folder in its place is named", async () => {
    lock = folder;
    await expectRefusal(
      locked(async () => undefined),
      "home_unusable",
      { path: folder, reason: "it is a folder" },
    );
  });
});
