/**
 * The outermost guard (Z-17, order: guard.ts). Before the other guards it holds changes at the
 * names that are reserved for fences (records that say which installation writes for an owner id).
 * After them it holds everything while another installation has our owner id. The fence comes after
 * the fuse, so that the fuse's first plan is whole; a change that the fuse counted and the fence
 * holds is not counted again when it is planned again.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { KeyChange, NamePlan } from "../../plan/changes.ts";
import { holdChanges } from "../../plan/hold-at.ts";
import { fenceNamesOf, fenceParent } from "../contract/fence-record.ts";
import type { ZoneFence } from "../fence/zone-fence.ts";
import { type Guard, OuterGuard, type ZoneCounts } from "./guard.ts";

/** Wraps the other guards of a zone. */
export class FenceGuard extends OuterGuard {
  readonly #fence: ZoneFence;
  readonly #isReserved: (name: string) => boolean;
  readonly #parent: DnsName | null;

  constructor(inner: Guard, fence: ZoneFence, apex: DnsName) {
    super(inner);
    this.#fence = fence;
    this.#isReserved = fenceNamesOf(apex);
    this.#parent = fenceParent(apex);
  }

  async admit(plans: readonly NamePlan[], zone: ZoneCounts): Promise<readonly NamePlan[]> {
    const free = plans.map((plan) => {
      const { name, changes } = plan;
      // At the parent name of the fences, records that an earlier version published may lose their
      // markers or be removed, and nothing else may change.
      const isStopped = name === this.#parent ? !changes.every(isRelease) : this.#isReserved(name);
      return isStopped ? holdChanges(plan, RESERVED_NAME) : plan;
    });
    const admitted = await this.inner.admit(free, { ...zone, wasMet: this.#fence.wasMet });
    if (this.isMet()) this.#fence.noteMet();
    if (admitted.every(({ changes }) => changes.length === 0)) return admitted;
    const answer = await this.#fence.admit();
    if (answer.may !== "stop") return admitted;
    return admitted.map((plan) => holdChanges(plan, answer.stop));
  }

  override close(): void {
    this.#fence.close();
    super.close();
  }
}

const RESERVED_NAME = {
  code: "ReservedName",
  message: "the name is reserved for fence records of Zonekeeper; choose another name",
} as const;

function isRelease({ change, marker }: KeyChange): boolean {
  return marker === null && (change === null || change.op === "remove");
}
