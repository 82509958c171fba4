/** Prints the rows of the bench as one table. */
import { met, type Row } from "./measure.ts";

const DIGITS = { x: 2, "%": 1, ms: 2, MB: 0 } as const;
const WIDEST_WHAT = 66;

function figure(value: number, unit: Row["unit"]): string {
  return `${value.toFixed(DIGITS[unit])} ${unit}`;
}

function bound({ limit, unit }: Row): string {
  if (limit === undefined) return "";
  return "most" in limit ? `<= ${figure(limit.most, unit)}` : `>= ${figure(limit.least, unit)}`;
}

/** One line: the verdict, what was measured, the figure, what it may be, and the figures behind it. */
export function line(row: Row): string {
  const verdict = row.limit === undefined ? "" : met(row) ? "ok" : "MISS";
  const { what, measured, unit, note } = row;
  return `${verdict.padEnd(4)}  ${what.padEnd(WIDEST_WHAT)} ${figure(measured, unit).padStart(8)}  ${bound(row).padEnd(10)}  ${note}`.trimEnd();
}
