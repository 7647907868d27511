/**
 * With `--marker-signing require`: holds every change of a zone as long as a marker there has our
 * owner id and no signature (Z-13, order: guard.ts). If the option is set too early, half of
 * the zone must not become foreign. A zone without such a marker is accepted for good; an unsigned
 * marker that appears later is a forged one and concerns its own name alone. It comes before the
 * fuse, because a change that is not sent must not be counted.
 */
import type { NamePlan } from "../../plan/changes.ts";
import { holdChange } from "../../plan/hold-at.ts";
import { type Guard, OuterGuard, type ZoneCounts } from "./guard.ts";

/** The guard of one zone where signatures are required. */
export class SigningGuard extends OuterGuard {
  readonly #recheck: () => void;
  #isAccepted = false;
  #isRefused = false;

  /** `recheck` enqueues the held names of the zone, for one plan. */
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
    // The fuse counts the first plan that it sees as that of the whole zone: so this plan is held
    // once more, and all held names are planned again, together.
    if (this.#isAccepted) this.#recheck();
    const names = zone.unsignedNames?.(NAMES_SHOWN) ?? [];
    const shown = names.map((name) => `TXT ${name}`);
    const more = unsigned > names.length ? [...shown, "…"] : shown;
    const which = names.length === 0 ? "" : ` (${more.join(", ")})`;
    const message = this.#isAccepted
      ? "all ownership markers with our owner id are signed now; the names are planned again"
      : `ownership markers with our owner id that are not signed: ${unsigned}${which}; start with --marker-signing write, run zonekeeper registry migrate --yes, delete the markers that it cannot sign, then use require`;
    return plans.map((plan) => refusedPlan(plan, message));
  }
}

/** Markers that the message names; `registry migrate` lists them all. */
const NAMES_SHOWN = 3;

function refusedPlan(plan: NamePlan, message: string): NamePlan {
  const held = plan.changes.map((one) => ({
    ...holdChange(one, { code: "SigningRefused", message }),
    provenance: one.desired?.provenance ?? null,
  }));
  return { ...plan, changes: [], holds: [...plan.holds, ...held] };
}
