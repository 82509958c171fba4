/**
 * A `bun --preload` for children of tests: ends or disturbs the process at one of its changes to the disk.
 * FERMIX_TEST_CRASH=kill:N ends it (SIGKILL) before the Nth change; fail:N lets that change fail with EIO. Each change
 * made is counted on stderr's last line when the process ends by itself, as `changes: N`.
 */
import fs from "node:fs";

const CHANGES = ["rename", "symlink", "mkdir", "rmdir", "rm", "open", "unlink", "writeFile"] as const;
const [mode, at] = (process.env["FERMIX_TEST_CRASH"] ?? "count:0").split(":");
let changes = 0;

type AnyCall = (...args: unknown[]) => unknown;
const calls = fs.promises as unknown as Record<string, AnyCall>;

for (const name of CHANGES) {
  const real = calls[name];
  if (real === undefined) continue;
  calls[name] = async (...args: unknown[]) => {
    if (name === "open" && args[1] === "r") return await real(...args);
    changes += 1;
    if (changes === Number(at)) {
      if (mode === "kill") process.kill(process.pid, "SIGKILL");
      if (mode === "fail") throw Object.assign(new Error(`EIO: ${name} disturbed`), { code: "EIO" });
    }
    return await real(...args);
  };
}

process.on("exit", () => process.stderr.write(`changes: ${changes}\n`));
