/**
 * Gauges with the names and the meaning of Gardener's external-dns-management, set at each scrape
 * from counts that are kept as entries change: no scrape looks at entries.
 */
import type { MetricLabels } from "@zonekeeper/base/ports/metrics";
import type { AccountUse } from "../../controllers/accounts/accounts.ts";
import type { EntryCount } from "../../gardener/dns-owner/entry-counts.ts";
import type { PrometheusMetrics } from "../ports/prometheus-metrics.ts";

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
