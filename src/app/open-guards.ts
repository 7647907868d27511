/** Opens the last look before anything is sent, one for each zone. */
import type { NamePlan } from "../plan/changes.ts";
import type { EngineOptions } from "../sync/engine.ts";
import type { Admitted, Guard } from "../sync/guard.ts";
import type { StoredState } from "./ports/stored-state.ts";

/** What guards are opened with. */
export interface GuardsOptions {
  /** Where counters survive a restart. */
  readonly state: StoredState;
  /** Holds every change as `Paused`. */
  readonly paused: boolean;
}

/** For `compose`. */
export function openGuards(options: GuardsOptions): EngineOptions["openGuard"] {
  return () => (options.paused ? PAUSED : OPEN);
}

const OPEN: Guard = {
  admit: async (plans) => plans.map((plan) => ({ plan, held: [] })),
  applied: async () => {},
};

const PAUSED: Guard = {
  admit: async (plans) => plans.map(hold),
  applied: async () => {},
};

function hold(plan: NamePlan): Admitted {
  const held = plan.changes.map(({ key, desired }) => ({
    key,
    code: "Paused",
    message: "this instance was started with --pause; start it without to publish",
    provenance: desired?.provenance ?? null,
  }));
  return { plan: { ...plan, changes: [] }, held };
}
