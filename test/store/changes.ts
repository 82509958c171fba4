/** The ways a version comes into the store, each with the state before it. */
import { type StoreLab, V1, V2 } from "./store-lab.ts";

export interface Change {
  readonly title: string;
  readonly before: (lab: StoreLab) => Promise<void>;
  readonly make: (lab: StoreLab) => Promise<void>;
}

export const CHANGES: readonly Change[] = [
  {
    title: "a first install",
    before: async () => {},
    make: async (lab) => await lab.put(V1, "new", { evidence: true }),
  },
  {
    title: "an upgrade",
    before: async (lab) => await lab.put(V1, "old"),
    make: async (lab) => await lab.put(V2, "new"),
  },
  {
    title: "a reinstall of the live version with other bytes",
    before: async (lab) => await lab.put(V1, "old", { evidence: true }),
    make: async (lab) => await lab.put(V1, "new", { evidence: true }),
  },
  {
    title: "a reinstall of the live version with the same bytes",
    before: async (lab) => await lab.put(V1, "same", { evidence: true }),
    make: async (lab) => await lab.put(V1, "same", { evidence: true }),
  },
  {
    title: "a reinstall of a kept version that is not live",
    before: async (lab) => {
      await lab.put(V2, "kept", { evidence: true });
      await lab.put(V1, "old", { evidence: true });
    },
    make: async (lab) => await lab.put(V2, "new", { evidence: true }),
  },
];

export function changeTitled(title: string | undefined): Change {
  const change = CHANGES.find((candidate) => candidate.title === title);
  if (change === undefined) throw new Error(`there is no change titled ${title}`);
  return change;
}
