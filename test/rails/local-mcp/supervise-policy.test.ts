import { expect, test } from "bun:test";
import { afterFailedStart, MAX_ATTEMPTS, SESSION_LIMITS } from "../../../src/rails/local-mcp/supervise-policy.ts";

test("five starts in all, with waits of half a second that double, and then no more", () => {
  expect([1, 2, 3, 4, 5, 6].map(afterFailedStart)).toEqual([
    { do: "retry", afterMs: 500 },
    { do: "retry", afterMs: 1_000 },
    { do: "retry", afterMs: 2_000 },
    { do: "retry", afterMs: 4_000 },
    { do: "give_up" },
    { do: "give_up" },
  ]);
  expect(MAX_ATTEMPTS).toBe(5);
});

test("a call waits a minute and takes five mebibytes", () => {
  expect(SESSION_LIMITS).toMatchObject({ callMs: 60_000, argumentBytes: 5_242_880 });
});
