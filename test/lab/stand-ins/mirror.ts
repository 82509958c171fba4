/** A provider that takes everything: what arrives is what a test looks at. It answers any request with an empty object. */
import { json, type StandIn } from "../stand-in.ts";

export const standIn: StandIn = {
  hosts: ["api.mirror.example"],
  handle: () => json({}),
};
