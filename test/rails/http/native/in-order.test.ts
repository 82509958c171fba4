/** `in-order.ts`: the bound holds, the order holds, and a failure stops what has not begun. */
import { expect, test } from "bun:test";
import { inOrder } from "../../../../src/rails/http/native/in-order.ts";

test("results keep the list's order whatever order the work ends in", async () => {
  const waiting = new Map<number, () => void>();
  const done = inOrder([1, 2, 3], 3, async (item) => {
    await new Promise<void>((resolve) => waiting.set(item, resolve));
    return item * 10;
  });
  for (const item of [3, 1, 2]) waiting.get(item)?.();
  expect(await done).toEqual([10, 20, 30]);
});

test("no more than the bound is under way at once, and the bound is used", async () => {
  let under = 0;
  let most = 0;
  await inOrder([...Array(40).keys()], 6, async () => {
    under += 1;
    most = Math.max(most, under);
    await Promise.resolve();
    under -= 1;
  });
  expect(most).toBe(6);
});

test("the first failure is the answer and nothing new is begun", async () => {
  const begun: number[] = [];
  const failing = inOrder([0, 1, 2, 3, 4, 5], 2, async (item) => {
    begun.push(item);
    await Promise.resolve();
    if (item === 1) throw new Error("the second failed");
  });
  expect(await failing.catch(String)).toBe("Error: the second failed");
  expect(begun.length).toBeLessThan(5);
});

test("an empty list needs no work", async () => {
  expect(await inOrder([], 6, () => Promise.reject(new Error("never")))).toEqual([]);
});
