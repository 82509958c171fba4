/** Opens sessions of small real servers and ends them with the test. */
import { expect } from "bun:test";
import type { PluginSettings } from "../../../src/config/config.ts";
import type { Environment } from "../../../src/config/env.ts";
import { openLocalSession } from "../../../src/rails/local-mcp/open.ts";
import { SESSION_LIMITS, type SessionLimits } from "../../../src/rails/local-mcp/supervise-policy.ts";
import type { RailSession } from "../../../src/rails/rail.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { systemProcesses } from "../../../src/system/processes.ts";
import type { FakeClock } from "../../fakes/clock.ts";
import { environment, type LabPlugin, labPlugin, NO_SETTINGS, tinyServer } from "./laboratory.ts";

export const ports = { processes: systemProcesses(), clock: systemClock() };

export interface Given {
  readonly env?: Environment;
  readonly settings?: PluginSettings;
  readonly limits?: Partial<SessionLimits>;
  readonly clock?: FakeClock;
}

const opened: { session: RailSession; lab: LabPlugin }[] = [];
/** For `afterEach`: ends what the test opened. */
export async function closeAll(): Promise<void> {
  for (const { session, lab } of opened.splice(0)) {
    await session.close();
    lab.dispose();
  }
}

/** Opens a session that ends with the test. */
export function open(lab: LabPlugin, { env = environment(), settings = NO_SETTINGS, limits = {}, clock }: Given = {}) {
  const session = openLocalSession({ ...ports, ...(clock ? { clock } : {}) }, env, lab.plugin, settings, {
    ...SESSION_LIMITS,
    ...limits,
  });
  opened.push({ session, lab });
  return session;
}

/** A session of a tiny server with this code added, once it is ready. */
export async function ready(more: string, given: Given = {}): Promise<RailSession> {
  const session = open(labPlugin(tinyServer(more)), given);
  await session.settled();
  expect(session.state()).toEqual({ status: "ready" });
  return session;
}

/** The failure of a session that never became ready. */
export async function failureOf(session: RailSession): Promise<{ code: string; details: unknown }> {
  await session.settled();
  const state = session.state();
  if (state.status !== "failed") throw new Error(`the session is ${state.status}`);
  return { code: state.error.code, details: state.error.details };
}
