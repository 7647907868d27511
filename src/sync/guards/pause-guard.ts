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
  #wasPaused = false;

  constructor(inner: Guard, options: PauseGuardOptions) {
    super(inner);
    this.#options = options;
    this.#unsubscribe = options.pauses.onChange(() => this.#onChange());
  }

  async admit(plans: readonly NamePlan[], zone: ZoneCounts): Promise<readonly NamePlan[]> {
    await this.#options.pauses.known();
    const reason = this.pauseReason();
    if (reason === null) return this.inner.admit(plans, zone);
    this.#wasPaused = true;
    return plans.map((plan) => pausedPlan(plan, reason));
  }

  override pauseReason(): string | null {
    return this.#options.pauses.writeGate(this.#options.zone);
  }

  override close(): void {
    this.#unsubscribe();
    super.close();
  }

  #onChange(): void {
    if (!this.#wasPaused || this.pauseReason() !== null) return;
    this.#wasPaused = false;
    this.#options.onResumed();
  }
}
