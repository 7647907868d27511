/**
 * Holds every plan of a paused zone as `Paused`, before any other guard sees it: what is not sent
 * counts for nothing. The provider refuses besides (DESIGN §7.7); this is for people to read why.
 */
import type { DnsName } from "../../model/dns-name.ts";
import type { NamePlan } from "../../plan/changes.ts";
import type { Guard, ZoneCounts } from "./guard.ts";
import { OuterGuard } from "./outer-guard.ts";
import type { PauseRegistry } from "./pause-registry.ts";
import { pausedPlan } from "./paused-plan.ts";

/** What a guard works with. */
export interface PauseGuardOptions {
  readonly pauses: PauseRegistry;
  /** Apex. */
  readonly zone: DnsName;
  /** What was held may be planned again: all of it at once. */
  readonly onResumed: () => void;
}

/** Stands before the fuse of one zone. */
export class PauseGuard extends OuterGuard {
  readonly #options: PauseGuardOptions;
  readonly #unsubscribe: () => void;
  #wasBarred = false;

  constructor(inner: Guard, options: PauseGuardOptions) {
    super(inner);
    this.#options = options;
    this.#unsubscribe = options.pauses.onChange(() => this.#onChange());
  }

  async admit(plans: readonly NamePlan[], zone: ZoneCounts): Promise<readonly NamePlan[]> {
    await this.#options.pauses.known();
    const bar = this.barredBy();
    if (bar === null) return this.inner.admit(plans, zone);
    this.#wasBarred = true;
    return plans.map((plan) => pausedPlan(plan, bar));
  }

  override barredBy(): string | null {
    return this.#options.pauses.bar(this.#options.zone);
  }

  override close(): void {
    this.#unsubscribe();
    super.close();
  }

  #onChange(): void {
    if (!this.#wasBarred || this.barredBy() !== null) return;
    this.#wasBarred = false;
    this.#options.onResumed();
  }
}
