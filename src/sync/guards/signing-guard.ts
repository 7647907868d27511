/**
 * Refuses `--marker-signing require` in a zone for as long as a marker there names our owner id and
 * is not signed (SAFETY Z-13): whoever turns it on too early must not find half of the zone
 * foreign. Once a zone was seen without one it is accepted, and an unsigned marker that appears
 * later is a forged one, which concerns its own name alone.
 */
import type { NamePlan } from "../../plan/changes.ts";
import { holdChange } from "../../plan/held-change.ts";
import type { Guard, ZoneCounts } from "./guard.ts";
import { OuterGuard } from "./outer-guard.ts";

/** Stands before another guard, which sees nothing of a zone that is refused. */
export class SigningGuard extends OuterGuard {
  readonly #recheck: () => void;
  #isAccepted = false;
  #isRefused = false;

  /** `recheck` looks again at what is held in the zone. */
  constructor(inner: Guard, recheck: () => void) {
    super(inner);
    this.#recheck = recheck;
  }

  async admit(plans: readonly NamePlan[], zone: ZoneCounts): Promise<readonly NamePlan[]> {
    if (this.#isAccepted) return this.inner.admit(plans, zone);
    const { unsigned = 0 } = zone;
    this.#isAccepted = unsigned === 0;
    if (this.#isAccepted && !this.#isRefused) return this.inner.admit(plans, zone);
    this.#isRefused = true;
    // The other guard's first look is to be a whole one: what was held comes again, all of it.
    if (this.#isAccepted) this.#recheck();
    const message = refusalMessage(unsigned, zone.unsignedNames?.(NAMES_SHOWN) ?? []);
    return plans.map((plan) => refusedPlan(plan, message));
  }
}

/** Markers that the message names; migrate lists them all. */
const NAMES_SHOWN = 3;

function refusalMessage(unsigned: number, names: readonly string[]): string {
  const shown = names.map((name) => `TXT ${name}`);
  const more = unsigned > names.length ? [...shown, "…"] : shown;
  const which = names.length === 0 ? "" : ` (${more.join(", ")})`;
  return `names whose ownership marker is ours and not signed: ${unsigned}${which}; start with --marker-signing write, give zonekeeper registry migrate --yes, remove by hand what it cannot sign, then require`;
}

function refusedPlan(plan: NamePlan, message: string): NamePlan {
  const held = plan.changes.map((one) => ({
    ...holdChange(one, { code: "SigningRefused", message }),
    provenance: one.desired?.provenance ?? null,
  }));
  return { ...plan, changes: [], holds: [...plan.holds, ...held] };
}
