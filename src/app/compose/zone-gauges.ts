/**
 * Gauges about zones and health, set at each scrape from the engine's status and the checks of
 * `/readyz`. No label is a host name: these are unbounded.
 */

import { invariant } from "@zonekeeper/base/invariant";
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Hold } from "../../plan/changes.ts";
import { isSatisfied } from "../../plan/hold-reasons.ts";
import { zoneKeyText } from "../../sync/contract/zone.ts";
import type { ZoneStatus } from "../../sync/contract/zone-status.ts";
import type { PrometheusMetrics } from "../ports/prometheus-metrics.ts";
import type { HealthCheck } from "./instance.ts";
import { troubleCounts, zoneCheck } from "./zone-checks.ts";

/** Remembers since when the changes of a name wait, as precisely as it is scraped. */
export class ZoneGauges {
  readonly #metrics: PrometheusMetrics;
  readonly #clock: Clock;
  /** Monotonic milliseconds by zone and name. */
  #openSinceMs = new Map<string, number>();

  constructor(metrics: PrometheusMetrics, clock: Clock) {
    this.#metrics = metrics;
    this.#clock = clock;
  }

  /** Values of closed zones are reset. `isWriting` false = a dry run, where nothing is pending. */
  set(zones: readonly ZoneStatus[], checks: readonly HealthCheck[], isWriting = true): void {
    for (const name of GAUGES) this.#metrics.reset(name);
    for (const [subject, count] of troubleCounts(checks))
      this.#metrics.gauge("zonekeeper_troubles", count, { subject });
    const before = this.#openSinceMs;
    this.#openSinceMs = new Map();
    for (const status of zones) this.#setZone(status, { before, isWriting });
  }

  #setZone(status: ZoneStatus, { before, isWriting }: Scrape): void {
    const zone = status.zone.name;
    this.#metrics.gauge("zonekeeper_zone_ready", zoneCheck(status).ok ? 1 : 0, { zone });
    this.#metrics.gauge("zonekeeper_zone_paused", status.paused === null ? 0 : 1, { zone });
    this.#metrics.gauge("zonekeeper_zone_owned_names", status.ownedNames, { zone });
    this.#metrics.gauge("zonekeeper_zone_foreign_names", status.foreignNames, { zone });
    for (const { mode, owner } of status.fences ?? [])
      this.#metrics.gauge("zonekeeper_zone_fence", 1, { zone, mode, owner });
    for (const [code, count] of holdsByCode(status))
      this.#metrics.gauge("zonekeeper_zone_holds", count, { zone, code });
    this.#metrics.gauge("zonekeeper_zone_dangling_names", status.danglingNames, { zone });
    for (const { kind, changes } of status.heldSets)
      this.#metrics.gauge("zonekeeper_zone_fuse_held", changes, { zone, set: kind });
    const { budget } = status;
    if (budget !== undefined) {
      this.#metrics.gauge("zonekeeper_zone_budget_used_ratio", budget.usedRatio, { zone });
      this.#metrics.gauge("zonekeeper_zone_throttled_seconds", budget.refusedMs / 1000, { zone });
    }
    const { unsyncedMs, pendingMs } = this.#oldestMs(status, before);
    this.#metrics.gauge("zonekeeper_zone_oldest_unsynced_seconds", unsyncedMs / 1000, { zone });
    const waitsMs = isWriting ? pendingMs : 0;
    this.#metrics.gauge("zonekeeper_zone_oldest_pending_seconds", waitsMs / 1000, { zone });
  }

  /**
   * Milliseconds of the oldest change that waits. Held changes are unsynced, also for foreign
   * records: the record sets are desired and not in the zone. Pending ones are to be written.
   */
  #oldestMs(status: ZoneStatus, before: Scrape["before"]): Ages {
    const nowMs = this.#clock.monotonicMs();
    let [oldestMs, pendingMs] = [nowMs, nowMs];
    for (const { name, changes, holds } of status.open) {
      if (changes.length === 0 && !holds.some(isUnsynced)) continue;
      const id = `${zoneKeyText(status.key)}|${name}`;
      const sinceMs = before.get(id) ?? nowMs;
      this.#openSinceMs.set(id, sinceMs);
      oldestMs = Math.min(oldestMs, sinceMs);
      if (changes.length > 0) pendingMs = Math.min(pendingMs, sinceMs);
    }
    invariant(oldestMs <= nowMs, "monotonic time does not go back");
    return { unsyncedMs: nowMs - oldestMs, pendingMs: nowMs - pendingMs };
  }
}

/** Of one scrape. */
interface Scrape {
  /** What was open at the scrape before. */
  readonly before: ReadonlyMap<string, number>;
  readonly isWriting: boolean;
}

interface Ages {
  readonly unsyncedMs: number;
  readonly pendingMs: number;
}

/**
 * An object without an address asks for no change: its records stay (Z-4), and such names are
 * counted as dangling. Equal data of two objects is no change either (Z-28).
 */
function isUnsynced({ code }: Hold): boolean {
  return code !== "NoTargets" && !isSatisfied({ code });
}

const GAUGES = [
  "zonekeeper_troubles",
  "zonekeeper_zone_ready",
  "zonekeeper_zone_paused",
  "zonekeeper_zone_owned_names",
  "zonekeeper_zone_foreign_names",
  "zonekeeper_zone_holds",
  "zonekeeper_zone_dangling_names",
  "zonekeeper_zone_fuse_held",
  "zonekeeper_zone_fence",
  "zonekeeper_zone_oldest_unsynced_seconds",
  "zonekeeper_zone_oldest_pending_seconds",
  "zonekeeper_zone_budget_used_ratio",
  "zonekeeper_zone_throttled_seconds",
] as const;

function holdsByCode({ open }: ZoneStatus): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { holds } of open)
    for (const { code } of holds) counts.set(code, (counts.get(code) ?? 0) + 1);
  return counts;
}
