/** How each plugin stands at this moment: not ready, starting, serving or failed. Lives in memory only. */
import { type FermixError, never } from "../kernel/error.ts";
import type { LoadedPlugin } from "../manifest/manifest.ts";
import type { Readiness } from "../plugins/readiness.ts";
import type { RailSession } from "../rails/rail.ts";

/** Why a plugin has no session. */
export type Obstacle =
  | { readonly kind: "not_ready"; readonly readiness: Readiness }
  /** Ready on disk, yet it serves nothing: loading refused it, its rail is not served, or its server gave up. */
  | { readonly kind: "failed"; readonly status: string; readonly error: FermixError }
  /** This process was asked to serve other plugins only. */
  | { readonly kind: "left_out" };

export type Standing = Obstacle | { readonly kind: "starting" } | { readonly kind: "serving" };

/** A plugin as the host keeps it: either why it has no session, or its session. */
export interface HostedPlugin {
  readonly name: string;
  /** undefined when there is no usable manifest: enabled but not installed, or left out of loading. */
  readonly plugin: LoadedPlugin | undefined;
  readonly serves: RailSession | Obstacle;
}

/** The plugin's session, when it has one. */
export function sessionOf({ serves }: HostedPlugin): RailSession | undefined {
  return "kind" in serves ? undefined : serves;
}

/** The plugin's standing right now. */
export function standingOf({ serves }: HostedPlugin): Standing {
  if ("kind" in serves) return serves;
  const state = serves.state();
  switch (state.status) {
    case "ready":
      return { kind: "serving" };
    case "failed":
      return { kind: "failed", status: state.error.code, error: state.error };
    case "starting":
    case "closed":
      return { kind: "starting" };
    default:
      return never(state);
  }
}

/** Whether the operator has it switched off, which is no fault and shows only when one of its tools is called. */
export function isDisabled({ serves }: HostedPlugin): boolean {
  return "kind" in serves && serves.kind === "not_ready" && serves.readiness.status === "not_configured";
}
