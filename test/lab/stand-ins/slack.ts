/** Slack's Web API. */
import { json, type StandIn } from "../stand-in.ts";

export const standIn: StandIn = {
  hosts: ["slack.com"],
  handle: () => json({ ok: false, error: "unknown_method" }),
};
