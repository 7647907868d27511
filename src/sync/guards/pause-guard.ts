/**
 * Holds every change of a paused zone as `Paused` (order: guard.ts). It comes before the fuse,
 * because a change that is not sent must not be counted. The provider refuses writes to a paused
 * zone as well (docs/safety.md#no-calls); the hold shows people the reason.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { NamePlan } from "../../plan/changes.ts";
import { holdChanges } from "../../plan/held-change.ts";
import type { Guard, ZoneCounts } from "./guard.ts";
import { OuterGuard } from "./outer-guard.ts";
import type { PauseRegistry } from "./pause-registry.ts";

/** What a guard works with. */
export interface PauseGuardOptions {
  readonly pauses: PauseRegistry;
  /** Apex. */
  readonly zone: DnsName;
  /** The pause ended: enqueue all held names, for one plan. */
  readonly onResumed: () => void;
}

/** See above. */
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
    return plans.map((plan) => holdChanges(plan, { code: "Paused", message: reason }));
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
