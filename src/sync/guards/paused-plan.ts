/** The plan of a name while its zone or its object is paused. Pure. */
import type { NamePlan } from "../../plan/changes.ts";
import { holdChange } from "../../plan/held-change.ts";

/** Every change as a hold `Paused` that still says what it would be. */
export function pausedPlan(plan: NamePlan, message: string): NamePlan {
  const holds = plan.changes.map((one) => holdChange(one, { code: "Paused", message }));
  return { ...plan, changes: [], holds: [...plan.holds, ...holds] };
}
