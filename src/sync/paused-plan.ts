/** A plan of which nothing is made while something is paused. Pure. */
import type { NamePlan } from "../plan/changes.ts";
import { holdAt } from "../plan/hold-reasons.ts";
import { objectOf } from "../plan/rights.ts";

/** Every change as a hold `Paused` that still says what it would be. */
export function pausedPlan(plan: NamePlan, message: string): NamePlan {
  const holds = plan.changes.map((one) => ({
    ...holdAt(one.key, { code: "Paused", message, provenance: objectOf(one) }),
    change: one.change,
  }));
  return { ...plan, changes: [], holds: [...plan.holds, ...holds] };
}
