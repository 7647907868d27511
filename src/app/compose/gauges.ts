/**
 * Gauges, set at each scrape: about zones and health, from the engine's status and the checks of
 * `/readyz`; about imports and further clusters; and those with the names and the meaning of
 * Gardener's external-dns-management. No label is a host name: these are unbounded.
 */
import { invariant } from "@zonekeeper/base/invariant";
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { MetricLabels } from "@zonekeeper/base/ports/metrics";
import type { AccountUse } from "../../controllers/accounts/accounts.ts";
import type { EntryCount } from "../../gardener/dns-owner/entry-counts.ts";
import type { Hold } from "../../plan/changes.ts";
import { isSatisfied } from "../../plan/hold-reasons.ts";
import type { ImportStatus } from "../../source-controllers/imports/import-controller.ts";
import { zoneKeyText } from "../../sync/contract/zone.ts";
import type { ZoneStatus } from "../../sync/contract/zone-status.ts";
import type { PrometheusMetrics } from "../ports/prometheus-metrics.ts";
import type { FurtherStatus, HealthCheck } from "./instance.ts";
import { troubleCounts, zoneCheck } from "./zone-checks.ts";

/** Remembers since when the changes of each name wait, to the precision of the scrapes. */
export class ZoneGauges {
  readonly #metrics: PrometheusMetrics;
  readonly #clock: Clock;
  /** Monotonic milliseconds by zone and name. */
  #openSinceMs = new Map<string, number>();

  constructor(metrics: PrometheusMetrics, clock: Clock) {
    this.#metrics = metrics;
    this.#clock = clock;
  }

  /**
   * Sets all gauges; series of closed zones end. `isWriting` false = a dry run, where nothing is
   * pending.
   */
  set(zones: readonly ZoneStatus[], checks: readonly HealthCheck[], isWriting = true): void {
    for (const name of GAUGES) this.#metrics.reset(name);
    for (const [subject, count] of troubleCounts(checks))
      this.#metrics.gauge("zonekeeper_troubles", count, { subject });
    const before = this.#openSinceMs;
    this.#openSinceMs = new Map();
    const seen = new Map<string, number>();
    for (const status of zones) this.#setZone(status, { before, isWriting, seen });
  }

  /**
   * Zones with one name, such as two views, share their series: counts are summed, else the worst
   * counts.
   */
  #setZone(status: ZoneStatus, { before, isWriting, seen }: Scrape): void {
    const put = (name: Gauge, value: number, join: Join = sum, more: MetricLabels = {}): void => {
      const labels = { zone: status.zone.name, ...more };
      const id = `${name} ${JSON.stringify(labels)}`;
      const other = seen.get(id);
      const joined = other === undefined ? value : join(other, value);
      seen.set(id, joined);
      this.#metrics.gauge(name, joined, labels);
    };
    put("zonekeeper_zone_ready", zoneCheck(status).ok ? 1 : 0, Math.min);
    put("zonekeeper_zone_paused", status.paused === null ? 0 : 1, Math.max);
    put("zonekeeper_zone_owned_names", status.ownedNames);
    put("zonekeeper_zone_foreign_names", status.foreignNames);
    for (const { mode, owner } of status.fences ?? [])
      put("zonekeeper_zone_fence", 1, Math.max, { mode, owner });
    const counts = new Map<string, number>();
    for (const { holds } of status.open)
      for (const { code } of holds) counts.set(code, (counts.get(code) ?? 0) + 1);
    for (const [code, count] of counts) put("zonekeeper_zone_holds", count, sum, { code });
    put("zonekeeper_zone_dangling_names", status.danglingNames);
    for (const { kind, changes } of status.heldSets)
      put("zonekeeper_zone_fuse_held", changes, sum, { set: kind });
    const { budget } = status;
    if (budget !== undefined) {
      put("zonekeeper_zone_budget_used_ratio", budget.usedRatio, Math.max);
      put("zonekeeper_zone_throttled_seconds", budget.refusedMs / 1000, Math.max);
    }
    const { unsyncedMs, pendingMs } = this.#oldestMs(status, before);
    put("zonekeeper_zone_oldest_unsynced_seconds", unsyncedMs / 1000, Math.max);
    put("zonekeeper_zone_oldest_pending_seconds", isWriting ? pendingMs / 1000 : 0, Math.max);
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

/** The state of one scrape. */
interface Scrape {
  /** Since when changes were waiting at the scrape before. */
  readonly before: ReadonlyMap<string, number>;
  readonly isWriting: boolean;
  /** Values that were set, by gauge and labels. */
  readonly seen: Map<string, number>;
}

type Gauge = (typeof GAUGES)[number];
type Join = (a: number, b: number) => number;
const sum: Join = (a, b) => a + b;

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

const HOSTS = "zonekeeper_import_hosts";
const SKIPPED = "zonekeeper_import_skipped_hosts";
const AGE = "zonekeeper_import_age_seconds";

/** `nowMs`: Unix milliseconds. Series of imports that no longer exist end. */
export function setImportGauges(
  metrics: Pick<PrometheusMetrics, "gauge" | "reset">,
  imports: readonly ImportStatus[],
  nowMs: number,
): void {
  for (const name of [HOSTS, SKIPPED, AGE]) metrics.reset(name);
  for (const { zone, inSync, pending, held, skipped, readAtMs } of imports) {
    const gone = held?.names.length ?? 0;
    metrics.gauge(HOSTS, inSync, { zone, state: "in_sync" });
    metrics.gauge(HOSTS, pending - gone, { zone, state: "pending" });
    metrics.gauge(HOSTS, gone, { zone, state: "held" });
    for (const [reason, { length }] of skipped) metrics.gauge(SKIPPED, length, { zone, reason });
    if (readAtMs !== null) metrics.gauge(AGE, (nowMs - readAtMs) / 1000, { zone });
  }
}

/** The numbers that the gauges show. */
export interface GardenerFigures {
  readonly entries: readonly EntryCount[];
  readonly accounts: readonly AccountUse[];
}

/** For an instance that does not lead, or publishes nothing itself. */
export const NO_FIGURES: GardenerFigures = { entries: [], accounts: [] };

const ACCOUNTS = "external_dns_management_account_providers";
const ENTRIES = "external_dns_management_dns_entries";
const STALE = "external_dns_management_dns_entries_stale";
const OWNERS = "external_dns_management_dns_owners";

/** Sets all gauges; series whose labels no longer occur end. */
export function setGardenerGauges(
  metrics: Pick<PrometheusMetrics, "gauge" | "reset" | "add">,
  { entries, accounts }: GardenerFigures,
): void {
  for (const name of [ACCOUNTS, ENTRIES, STALE, OWNERS]) metrics.reset(name);
  for (const { type, label, providers } of accounts)
    metrics.gauge(ACCOUNTS, providers, { providertype: type, accounthash: label });
  for (const { owner, type: providertype, zone, state, provider, amount } of entries) {
    const add = (name: string, labels: MetricLabels, by = amount) => metrics.add(name, by, labels);
    add(ENTRIES, { providertype, zone, state });
    // A zone without stale entries has the value 0.
    if (zone !== "") add(STALE, { providertype, zone }, state === "Stale" ? amount : 0);
    if (provider !== "") add(OWNERS, { owner, providertype, provider });
  }
}

/** There is one series for each cluster: the state that it is in now. */
export function setFurtherGauges(
  metrics: Pick<PrometheusMetrics, "gauge" | "reset">,
  clusters: readonly FurtherStatus[],
): void {
  metrics.reset("zonekeeper_cluster_state");
  for (const { id: cluster, mode, state } of clusters)
    metrics.gauge("zonekeeper_cluster_state", 1, { cluster, mode, state });
}
