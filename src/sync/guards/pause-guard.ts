/**
 * Holds every change of a paused zone or name as `Paused` (order: guard.ts); at a paused name a
 * person may take changes back all the same (ADR 0122). It comes before the fuse,
 * because a change that is not sent must not be counted. The provider refuses writes to a paused
 * zone as well (docs/safety.md#no-calls); the hold shows people the reason.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { KeyChange, NamePlan } from "../../plan/changes.ts";
import { holdChanges } from "../../plan/hold-at.ts";
import { type Guard, OuterGuard, type ZoneCounts } from "./guard.ts";
import type { PauseRegistry } from "./pause-registry.ts";

/** What a guard works with. */
export interface PauseGuardOptions {
  readonly pauses: PauseRegistry;
  /** Apex. */
  readonly zone: DnsName;
  /** The pause ended: enqueue all held names, for one plan. */
  readonly onResumed: () => void;
}

/** The guard of pauses of one zone. */
export class PauseGuard extends OuterGuard {
  readonly #options: PauseGuardOptions;
  readonly #unsubscribe: () => void;
  #wasPaused = false;
  /** Names at which something was held, by the last plan of each. */
  readonly #pausedNames = new Set<DnsName>();

  constructor(inner: Guard, options: PauseGuardOptions) {
    super(inner);
    this.#options = options;
    this.#unsubscribe = options.pauses.onChange(() => this.#onChange());
  }

  async admit(plans: readonly NamePlan[], zone: ZoneCounts): Promise<readonly NamePlan[]> {
    await this.#options.pauses.known();
    const reason = this.pauseReason();
    if (reason === null)
      return this.inner.admit(
        plans.map((plan) => this.#admitted(plan)),
        zone,
      );
    this.#wasPaused = true;
    return plans.map((plan) => holdChanges(plan, { code: "Paused", message: reason }));
  }

  override pauseReason(): string | null {
    return this.#options.pauses.writeGate(this.#options.zone);
  }

  override close(): void {
    this.#unsubscribe();
    super.close();
  }

  #admitted(plan: NamePlan): NamePlan {
    const reason = plan.changes.length === 0 ? null : this.#options.pauses.reasonAt(plan.name);
    if (reason === null) return plan;
    this.#pausedNames.add(plan.name);
    const isUndone = (one: KeyChange): boolean => one.reason.code === "Undone";
    // A record that replaces one of another type is held, too, because that one cannot be removed.
    const isWhole = plan.changes.some((one) => one.reason.code === "TypeChanged");
    const why = { code: "Paused", message: reason } as const;
    return holdChanges(plan, why, (one) => isWhole || !isUndone(one));
  }

  #onChange(): void {
    if (this.pauseReason() !== null) return;
    const resumed = [...this.#pausedNames].filter(
      (name) => this.#options.pauses.reasonAt(name) === null,
    );
    for (const name of resumed) this.#pausedNames.delete(name);
    if (!this.#wasPaused && resumed.length === 0) return;
    this.#wasPaused = false;
    this.#options.onResumed();
  }
}
