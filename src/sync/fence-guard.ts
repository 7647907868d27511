/**
 * The look at the fence before anything is sent (SAFETY Z-17): what a person has to decide first becomes holds. Comes after
 * the fuse, so that its first plan is whole; what the fuse counted and the fence holds counts once when it is planned again.
 */
import type { DnsName } from "../model/dns-name.ts";
import type { KeyChange, NamePlan } from "../plan/changes.ts";
import type { HeldSet } from "../plan/fuse.ts";
import { holdAt } from "../plan/hold-reasons.ts";
import { objectIn } from "../plan/rights.ts";
import { fenceNamesOf } from "./fence-record.ts";
import type { Guard, ZoneCounts } from "./guard.ts";
import type { ZoneFence } from "./zone-fence.ts";

/** Stands around the other guards of a zone. */
export class FenceGuard implements Guard {
  readonly #inner: Guard;
  readonly #fence: ZoneFence;
  readonly #isReserved: (name: string) => boolean;

  constructor(inner: Guard, fence: ZoneFence, apex: DnsName) {
    this.#inner = inner;
    this.#fence = fence;
    this.#isReserved = fenceNamesOf(apex);
  }

  async admit(plans: readonly NamePlan[], zone: ZoneCounts): Promise<readonly NamePlan[]> {
    const free = plans.map((plan) =>
      this.#isReserved(plan.name) ? holdAll(plan, RESERVED) : plan,
    );
    const admitted = await this.#inner.admit(free, zone);
    if (admitted.every(({ changes }) => changes.length === 0)) return admitted;
    const answer = await this.#fence.admit();
    if (answer.may !== "stop") return admitted;
    return admitted.map((plan) => holdAll(plan, answer.stop));
  }

  close(): void {
    this.#fence.close();
    this.#inner.close?.();
  }

  heldSets(): readonly HeldSet[] {
    return this.#inner.heldSets();
  }

  approve(hash: string): Promise<boolean> {
    return this.#inner.approve(hash);
  }

  barredBy(): string | null {
    return this.#inner.barredBy?.() ?? null;
  }
}

const RESERVED = {
  code: "ReservedName",
  message: "the name is reserved for the fence records of the program; choose another one",
} as const;

function holdAll(
  plan: NamePlan,
  why: { readonly code: string; readonly message: string },
): NamePlan {
  const hold = ({ key, desired, current }: KeyChange) =>
    holdAt(key, {
      code: why.code,
      message: why.message,
      provenance: desired?.provenance ?? objectIn(current?.marker ?? null),
    });
  return { ...plan, changes: [], holds: [...plan.holds, ...plan.changes.map(hold)] };
}
