/** Who descends from whom, read from /proc on Linux and from `ps` elsewhere. */
import { readdirSync, readFileSync } from "node:fs";

interface Row {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly zombie: boolean;
}

/** The fields of /proc/<pid>/stat; the command name may hold spaces and parentheses, so it is cut at the last one. */
function readStat(pid: number): Row | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [state, parent, group, session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const zombie = state === "Z" || state === "X";
    return { pid, parent: Number(parent), group: Number(group), session: Number(session), zombie };
  } catch {
    return undefined; // It ended between the listing and the look.
  }
}

function allProcesses(): Row[] {
  if (process.platform === "linux") {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => readStat(Number(name)) ?? []);
  }
  const listing = Bun.spawnSync(["/bin/ps", "-axo", "pid=,ppid=,pgid=,sess=,stat="], { env: {} });
  return listing.stdout
    .toString()
    .split("\n")
    .flatMap((line) => {
      const [pid, parent, group, session, state = ""] = line.trim().split(/\s+/);
      if (!pid || Number(pid) === listing.pid) return [];
      const zombie = state.startsWith("Z");
      return { pid: Number(pid), parent: Number(parent), group: Number(group), session: Number(session), zombie };
    });
}

/** Direct children by the kernel's own list where it keeps one (CONFIG_PROC_CHILDREN). */
function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, "latin1").split(" ").filter(Boolean).map(Number),
    );
  } catch {
    return allProcesses().flatMap((row) => (row.parent === pid ? row.pid : []));
  }
}

/** Every living process below `root`, itself not included; also those of its group or session that lost their parent. */
export function descendantsOf(root: number): number[] {
  const rows = allProcesses();
  const found = new Set<number>([root]);
  for (let before = 0; before !== found.size; ) {
    before = found.size;
    for (const { pid, parent, group, session } of rows) {
      if (found.has(parent) || group === root || session === root) found.add(pid);
    }
  }
  return rows.flatMap(({ pid, zombie }) => (found.has(pid) && pid !== root && !zombie ? pid : []));
}

/** Children of `root` that have ended and only wait to be reaped. */
export function zombieChildrenOf(root: number): number[] {
  return childrenOf(root).filter((pid) => readStat(pid)?.zombie === true);
}
