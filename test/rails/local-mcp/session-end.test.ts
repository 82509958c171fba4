import { afterEach, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RailSession } from "../../../src/rails/rail.ts";
import { call } from "../contract.ts";
import { eventually, isAlive, labPlugin, survivors, tinyServer } from "./laboratory.ts";
import { closeAll, open, ready } from "./sessions.ts";

afterEach(closeAll);

describe("what a session leaves behind", () => {
  const FORKS = `offer("fork", async () => {
    const away = spawn("sh", ["-c", "trap '' TERM HUP; exec sleep 300"], { detached: true, stdio: "ignore" });
    const pids = [process.pid, away.pid];
    const twice = execFileSync("sh", ["-c", "(setsid sh -c 'exec sleep 300' >/dev/null 2>&1 & echo $!)"]).toString();
    return text(JSON.stringify([...pids, Number(twice)]));
  });`;

  const pidsOf = async (session: RailSession): Promise<number[]> => {
    const outcome = await call(session, "fork", {});
    const [block] = outcome.ok ? (outcome.result["content"] as { text: string }[]) : [];
    const pids = JSON.parse(block?.text ?? "[]") as number[];
    expect(pids.filter(isAlive)).toHaveLength(3);
    return pids;
  };

  test("closing ends the server and its grandchildren, even when it ignores EOF and SIGTERM", async () => {
    const session = await ready(`${FORKS} process.on("SIGTERM", () => {}); setInterval(() => {}, 1000);`);
    const pids = await pidsOf(session);
    await session.close();
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test("a crash ends the grandchildren", async () => {
    const session = await ready(`${FORKS} offer("crash", () => process.exit(1));`);
    const pids = await pidsOf(session);
    await call(session, "crash", {});
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test("closing while the server starts leaves nothing", async () => {
    const lab = labPlugin(
      `require("node:fs").writeFileSync(process.argv[2] + "/pid", String(process.pid)); process.stdin.resume();`,
    );
    const session = open(lab);
    const pid = (): number => {
      try {
        return Number(readFileSync(join(lab.scratch, "pid"), "utf8"));
      } catch {
        return 0;
      }
    };
    expect(await eventually(() => pid() > 0)).toBe(true);
    await session.close();
    await session.settled();
    expect(session.state()).toEqual({ status: "closed" });
    expect(isAlive(pid())).toBe(false);
  });

  test("kill -9 of the process that holds the session ends the server and its grandchildren", async () => {
    const lab = labPlugin(tinyServer(`${FORKS} process.stdin.on("end", () => {}); setInterval(() => {}, 1000);`));
    const holder = join(lab.scratch, "holder.ts");
    const at = (path: string): string => JSON.stringify(join(import.meta.dir, path));
    writeFileSync(
      holder,
      `import { openLocalSession } from ${at("../../../src/rails/local-mcp/open.ts")};
       import { systemProcesses } from ${at("../../../src/system/processes.ts")};
       import { systemClock } from ${at("../../../src/system/clock.ts")};
       import { environment, loaded, localRuntime } from ${at("laboratory.ts")};
       import { call } from ${at("../contract.ts")};
       const plugin = loaded(${JSON.stringify(lab.dir)}, localRuntime());
       const ports = { processes: systemProcesses(), clock: systemClock() };
       const session = openLocalSession(ports, environment(), plugin, new Map());
       await session.settled();
       const outcome = await call(session, "fork", {});
       console.log(outcome.result.content[0].text);
       setInterval(() => {}, 1000);`,
    );
    const parent = Bun.spawn([process.execPath, holder], { stdio: ["ignore", "pipe", "inherit"] });
    const { value } = await parent.stdout.getReader().read();
    const pids = JSON.parse(Buffer.from(value ?? []).toString()) as number[];
    expect(pids.filter(isAlive)).toHaveLength(3);
    parent.kill("SIGKILL");
    expect(await survivors(pids)).toEqual([]);
    lab.dispose();
  });
});
