/**
 * Sets metrics with external-dns's names, so that its dashboards and alerts go on. external-dns
 * counts in each run of its loop; here each scrape counts as a run, with what is known at that
 * moment.
 */
import { zoneKeyText } from "../../sync/contract/zone.ts";
import type { ZoneStatus } from "../../sync/contract/zone-status.ts";
import type { PrometheusMetrics } from "../ports/prometheus-metrics.ts";
import { VERSION } from "../ports/version.ts";
import type { HealthCheck, Work } from "./instance.ts";
import { unreadKinds, zoneCheck } from "./zone-checks.ts";

/** Each list: the metric of all types (by label), of A, and of AAAA. */
const SOURCE = [
  "external_dns_source_records",
  "external_dns_source_a_records",
  "external_dns_source_aaaa_records",
] as const;
const REGISTRY = [
  "external_dns_registry_records",
  "external_dns_registry_a_records",
  "external_dns_registry_aaaa_records",
] as const;
const VERIFIED = [
  "external_dns_controller_verified_records",
  "external_dns_controller_verified_a_records",
  "external_dns_controller_verified_aaaa_records",
] as const;

type Counted = Pick<PrometheusMetrics, "count" | "gauge" | "reset" | "add">;

/**
 * There is one for each registry of metrics. Records are counted when something of a zone has
 * changed.
 */
export class ExternalDnsGauges {
  readonly #metrics: Counted;
  #work: Observed | null = null;
  #stop: () => void = () => undefined;
  #counted: Promise<RecordCounts> | null = null;
  #zones = "";

  constructor(metrics: Counted) {
    this.#metrics = metrics;
  }

  /** Sets all metrics. `zones`: the statuses of the zones of `work`. `nowMs`: Unix milliseconds. */
  async set(
    work: Observed,
    zones: readonly ZoneStatus[],
    checks: readonly HealthCheck[],
    nowMs: number,
  ): Promise<void> {
    const metrics = this.#metrics;
    const isFailing = zones.some((one) => !zoneCheck(one).ok || (one.failing ?? []).length > 0);
    const isUnread = unreadKinds(checks).length > 0;
    if (isFailing) metrics.count("external_dns_registry_errors_total");
    if (isUnread) metrics.count("external_dns_source_errors_total");
    metrics.gauge("external_dns_controller_last_reconcile_timestamp_seconds", nowMs / 1000);
    const changes = zones.flatMap(({ open }) => open.flatMap((one) => one.changes));
    if (isFailing || isUnread)
      metrics.add("external_dns_controller_consecutive_soft_errors", 1, {});
    else {
      if (changes.length === 0) metrics.count("external_dns_controller_no_op_runs_total");
      metrics.reset("external_dns_controller_consecutive_soft_errors");
      metrics.gauge("external_dns_controller_last_sync_timestamp_seconds", nowMs / 1000);
    }
    const { there, wanted, so } = await this.#countsOf(work, zones);
    const created = changes.flatMap((one) => (one.change?.op === "create" ? [one.key] : []));
    const inZones = setCounts(metrics, REGISTRY, there);
    const inSources = setCounts(metrics, SOURCE, countsOf(created, wanted));
    metrics.gauge("external_dns_registry_endpoints_total", inZones);
    metrics.gauge("external_dns_source_endpoints_total", inSources);
    setCounts(metrics, VERIFIED, so);
    await setSkippedRecords(metrics, work, zones);
    metrics.gauge("external_dns_build_info", 1, { version: VERSION });
  }

  #countsOf(work: Observed, zones: readonly ZoneStatus[]): Promise<RecordCounts> {
    const keys = zones.map(({ key }) => zoneKeyText(key)).join(" ");
    if (work !== this.#work || keys !== this.#zones) {
      this.#stop();
      this.#stop = work.onChange(() => {
        this.#counted = null;
      });
      this.#counted = null;
      [this.#work, this.#zones] = [work, keys];
    }
    const counted = this.#counted ?? recordCounts(work);
    this.#counted = counted;
    counted.catch(() => {
      this.#counted = null;
    });
    return counted;
  }
}

type Observed = Pick<Work, "rights" | "onChange">;

/** Record sets by type. */
type Counts = ReadonlyMap<string, number>;

/**
 * Record sets that are in zones (`there`), that objects want (`wanted`), and that are in a zone as
 * wanted (`so`).
 */
interface RecordCounts {
  readonly there: Counts;
  readonly wanted: Counts;
  readonly so: Counts;
}

async function recordCounts(work: Observed): Promise<RecordCounts> {
  const rows = (await work.rights(null)).flatMap((one) => one.rows);
  const wanted = rows.filter(({ wantedBy }) => wantedBy !== null);
  return {
    there: countsOf(rows.filter(({ values }) => values !== null)),
    wanted: countsOf(wanted),
    so: countsOf(wanted.filter(({ values, becomes }) => values !== null && becomes === undefined)),
  };
}

function countsOf(rows: readonly { readonly type: string }[], before: Counts = new Map()): Counts {
  const counts = new Map(before);
  for (const { type } of rows) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}

/** Held names that are looked up for one scrape. */
const SKIPPED_MAX = 1_000;
const SKIPPED = "external_dns_registry_skipped_records_owner_mismatch_per_sync";

/** Counts records that objects want and that another owner has. Reads held names only. */
async function setSkippedRecords(
  metrics: Counted,
  work: Pick<Work, "rights">,
  zones: readonly ZoneStatus[],
): Promise<void> {
  metrics.reset(SKIPPED);
  const isOfOthers = ({ code }: { readonly code: string }): boolean => code === "ForeignRecord";
  const held = zones.flatMap(({ open }) => open.filter((one) => one.holds.some(isOfOthers)));
  if (held.length === 0) return;
  const names = new Set(held.slice(0, SKIPPED_MAX).map(({ name }) => name));
  for (const { zone, owners, rows } of await work.rights(names))
    for (const { type, whose, wantedBy, owners: others } of rows)
      if (whose !== "ours" && wantedBy !== null)
        metrics.add(SKIPPED, 1, {
          record_type: type.toLowerCase(),
          owner: owners.join(),
          foreign_owner: others.join(),
          domain: zone.name,
        });
}

/** Sets the three metrics; answers the count of all types. */
function setCounts(
  metrics: Counted,
  [records, a, aaaa]: readonly [string, string, string],
  counts: Counts,
): number {
  metrics.gauge(a, counts.get("A") ?? 0);
  metrics.gauge(aaaa, counts.get("AAAA") ?? 0);
  metrics.reset(records);
  // external-dns writes its labels in lower case.
  for (const [type, count] of counts)
    metrics.add(records, count, { record_type: type.toLowerCase() });
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
