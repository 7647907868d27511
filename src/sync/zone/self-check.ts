/**
 * At intervals, compares all names of a zone with what is wanted, and expects that the loop of the
 * zone knows each name that differs, from changes alone (docs/architecture.md#budgets). A name that
 * the loop missed is logged, counted and enqueued.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Log } from "@zonekeeper/base/ports/log";
import type { Metrics } from "@zonekeeper/base/ports/metrics";
import type { NameLedger } from "./name-ledger.ts";
import type { PlanInput } from "./name-planner.ts";
import type { ZonePlanner } from "./zone-planner.ts";

/** What a check works with. */
export interface SelfCheckContext {
  readonly planner: ZonePlanner;
  readonly ledger: NameLedger;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Milliseconds between two checks. */
  readonly everyMs: number;
}

/** Checks one zone. */
export class SelfCheck {
  readonly #context: SelfCheckContext;
  #lastMs: number;

  constructor(context: SelfCheckContext) {
    this.#context = context;
    this.#lastMs = context.clock.monotonicMs();
  }

  /** Milliseconds until the next check; 0 = now. */
  dueInMs(): number {
    const { clock, everyMs } = this.#context;
    return Math.max(0, this.#lastMs + everyMs - clock.monotonicMs());
  }

  /** Checks; null = the zone is not loaded yet. */
  run(input: PlanInput | null): void {
    const { planner, ledger, clock, log, metrics } = this.#context;
    this.#lastMs = clock.monotonicMs();
    const missed = input === null ? [] : planner.missed(input);
    // clause: missed-name-stops-self-check
    if (missed.length === 0) return;
    metrics.count("zonekeeper_self_check_missed_total", {}, missed.length);
    const zone = input?.zoneInput.zone.name ?? "";
    log.error("names need changes that no event reported", {
      zone,
      name: missed[0] ?? "",
      names: missed.length,
    });
    for (const name of missed) ledger.mark(name, false);
  }
}
