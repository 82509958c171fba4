/** A call given up is heard once, by whoever still listens. */
import { expect, test } from "bun:test";
import { Cancellation } from "../../src/agent/cancellation.ts";

test("every listener hears it once, and one that left does not", () => {
  const heard: string[] = [];
  const call = new Cancellation();
  const gone = (): void => void heard.push("gone");
  call.addEventListener("abort", () => heard.push(`first ${call.aborted}`));
  call.addEventListener("abort", gone);
  call.addEventListener("abort", () => heard.push("second"));
  call.removeEventListener("abort", gone);
  expect(call.aborted).toBe(false);
  call.abort();
  call.abort();
  expect(heard).toEqual(["first true", "second"]);
});
