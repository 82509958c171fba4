/** Measuring side by side: variants take turns in one run, and only medians and ratios are compared. */

export interface Row {
  readonly what: string;
  readonly measured: number;
  readonly unit: "x" | "%" | "ms" | "MB";
  /** What the issue asks for; absent for a figure that is only told. */
  readonly limit?: { readonly most: number } | { readonly least: number };
  readonly note: string;
}

/** Whether the row holds its limit; one without a limit always does. */
export function met({ measured, limit }: Row): boolean {
  if (limit === undefined) return true;
  return "most" in limit ? measured <= limit.most : measured >= limit.least;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** The middle of the rounds' own ratios: what slows a machine down for a while slows both sides of one round. */
export function ratio(values: readonly number[], base: readonly number[]): number {
  return median(values.map((value, round) => value / (base[round] ?? Number.NaN)));
}

/**
 * Runs every variant once a round and gives each one's measurements; every second round goes backwards, so that no
 * variant always follows the same other one, and the first round only warms up.
 */
export async function takeTurns<Name extends string>(
  rounds: number,
  variants: Readonly<Record<Name, () => number | Promise<number>>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(variants) as Name[];
  const taken = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>;
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const value = await variants[name]();
      if (round > 0) taken[name].push(value);
    }
  }
  return taken;
}

/** Wall time in ms of one program run to its end; throws when it fails. */
export function timeRun(command: readonly string[], env: Readonly<Record<string, string>>, cwd: string): number {
  const start = Bun.nanoseconds();
  const { exitCode, stderr } = Bun.spawnSync([...command], { env, cwd, stdout: "pipe", stderr: "pipe" });
  const elapsed = (Bun.nanoseconds() - start) / 1e6;
  if (exitCode !== 0) throw new Error(`${command.join(" ")} exited ${exitCode}: ${stderr.toString()}`);
  return elapsed;
}
