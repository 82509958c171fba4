/** Randomness that counts: every answer is different and known beforehand. */
import type { Random } from "../../src/kernel/ports.ts";

export class FakeRandom implements Random {
  private next = 0;

  hex(bytes: number): string {
    this.next += 1;
    return this.next.toString(16).padStart(bytes * 2, "0");
  }
}
