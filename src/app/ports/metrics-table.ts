/**
 * Every metric of the program, declared once; `docs/reference/metrics.md` and the registry are made
 * from it. Labels are bounded by configuration (zones, controllers, kinds): never a host name, an
 * object name or free text.
 */

/** How one metric is declared. */
export interface MetricDeclaration {
  readonly name: string;
  readonly kind: "counter" | "gauge" | "histogram" | "summary";
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds of a histogram, in the unit that ends the name. */
  readonly buckets?: readonly number[];
}

const SHORT_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** What it counts since the start. */
export const counter = (
  name: string,
  labels: readonly string[],
  help: string,
): MetricDeclaration => ({ name, kind: "counter", labels, help });
/** Of answers that a person waits for: from "at once" to "broken". */
const ANSWER_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900];

/** What there is now. */
export const gauge = (
  name: string,
  labels: readonly string[],
  help: string,
): MetricDeclaration => ({ name, kind: "gauge", labels, help });
const seconds = (name: string, labels: readonly string[], help: string): MetricDeclaration => ({
  name,
  kind: "histogram",
  labels,
  help,
  buckets: SHORT_SECONDS,
});
/** Values of the label `requesttype`; the last three are not Gardener's. */
const REQUESTS =
  "list_zones, list_zones_pages, list_records, list_records_pages (further pages), update_records (a batch, or a replaced record set), create_records, delete_records; besides get_change_token, list_changes, get_change";
/**
 * Sorted by group; names of the first two groups are those of controller-runtime, and those that
 * begin with `external_dns_management_` Gardener's, so that their dashboards work.
 */
export const METRICS: readonly MetricDeclaration[] = [
  gauge("workqueue_depth", ["name"], "Keys that wait in the queue."),
  counter("workqueue_adds_total", ["name"], "Keys that were added to the queue."),
  counter("workqueue_retries_total", ["name"], "Keys that were added again after a failure."),
  seconds("workqueue_queue_duration_seconds", ["name"], "How long a key waited for a worker."),
  seconds("workqueue_work_duration_seconds", ["name"], "How long a worker took for a key."),
  gauge("workqueue_unfinished_work_seconds", ["name"], "Time that running work has taken so far."),
  gauge(
    "workqueue_longest_running_processor_seconds",
    ["name"],
    "Time that the longest running work has taken so far.",
  ),
  counter(
    "controller_runtime_reconcile_total",
    ["controller", "result"],
    "Reconciliations by result: success, error, requeue, requeue_after.",
  ),
  counter(
    "controller_runtime_reconcile_errors_total",
    ["controller"],
    "Reconciliations that ended in an error.",
  ),
  counter(
    "controller_runtime_terminal_reconcile_errors_total",
    ["controller"],
    "Reconciliations that are not repeated until the object changes.",
  ),
  seconds(
    "controller_runtime_reconcile_time_seconds",
    ["controller"],
    "How long a reconciliation took.",
  ),
  gauge(
    "controller_runtime_active_workers",
    ["controller"],
    "Workers that are busy with a reconciliation.",
  ),
  gauge(
    "controller_runtime_max_concurrent_reconciles",
    ["controller"],
    "Workers that a controller has.",
  ),
  counter(
    "rest_client_requests_total",
    ["code", "method", "host"],
    "Requests to API servers by status code.",
  ),
  gauge("leader_election_master_status", ["name"], "1 while this instance holds the Lease."),
  counter(
    "zonekeeper_watch_restarts_total",
    ["cluster", "kind", "reason"],
    "Watches that had to be started again.",
  ),
  gauge("zonekeeper_watch_objects", ["cluster", "kind"], "Objects in the watch cache."),
  gauge(
    "zonekeeper_watch_state",
    ["cluster", "kind", "state"],
    "1 for the state that a kind is in: syncing, live, stale, forbidden, absent.",
  ),
  gauge(
    "zonekeeper_watch_age_seconds",
    ["cluster", "kind"],
    "Time since the API server last showed what a kind is like, by a list, an event or a bookmark: what is known may be that old. A quiet kind is asked for every 85 seconds. 0 = the kind is absent.",
  ),
  counter(
    "zonekeeper_events_refused_total",
    ["cluster"],
    "Events that the API server refused: a policy, a quota or a lost right.",
  ),
  counter("zonekeeper_events_dropped_total", ["cluster"], "Events that found a full queue."),
  seconds("zonekeeper_zone_load_seconds", [], "How long a complete reading of a zone took."),
  counter("zonekeeper_zone_failures_total", ["code"], "Readings of a zone that failed, by code."),
  counter(
    "zonekeeper_outcomes_total",
    ["status"],
    "Outcomes of change groups: applied, precondition-failed, rejected, retry, unknown.",
  ),
  {
    ...seconds(
      "zonekeeper_answer_seconds",
      ["zone"],
      "Time to answer: from the change of an object, as its zone gets it, to the write that the provider has confirmed. A change that was held meanwhile is not observed.",
    ),
    buckets: ANSWER_SECONDS,
  },
  counter(
    "zonekeeper_self_check_missed_total",
    [],
    "Names with work to do that no change had marked as due. Must stay 0; the self-check plans them again.",
  ),
  gauge(
    "zonekeeper_zone_holds",
    ["zone", "code"],
    "Changes that are wanted and not made, by the reason.",
  ),
  gauge("zonekeeper_zone_owned_names", ["zone"], "Names in the zone that have our marker."),
  gauge("zonekeeper_zone_foreign_names", ["zone"], "Names in the zone that are somebody else's."),
  gauge(
    "zonekeeper_zone_oldest_unsynced_seconds",
    ["zone"],
    "Age of the oldest desired change that the zone does not have. It is in flight, failing or held for any reason but NoTargets; zonekeeper_zone_holds counts by reason. 0 = the zone is in sync.",
  ),
  gauge(
    "zonekeeper_zone_oldest_pending_seconds",
    ["zone"],
    "As zonekeeper_zone_oldest_unsynced_seconds, of changes that nothing holds: in flight, or failing. 0 = there is none, or a dry run writes none.",
  ),
  gauge(
    "zonekeeper_zone_budget_used_ratio",
    ["zone"],
    "Share of the tightest limit on calls (of the account, or of the provider for the zone) that is used up; 1 = the next call waits.",
  ),
  gauge(
    "zonekeeper_zone_throttled_seconds",
    ["zone"],
    "Time since the provider refused the first of calls in a row as too many. 0 = it takes them.",
  ),
  gauge(
    "zonekeeper_import_hosts",
    ["zone", "state"],
    "Hosts of an imported zone by state of their object: in_sync, pending (to be written or removed), held (by the fuse).",
  ),
  gauge(
    "zonekeeper_import_skipped_hosts",
    ["zone", "reason"],
    "Hosts of an imported zone that are left out, by reason (service-entries.md).",
  ),
  gauge(
    "zonekeeper_import_age_seconds",
    ["zone"],
    "Time since the answer of the zone that its imported objects rest on.",
  ),
  gauge(
    "zonekeeper_zone_dangling_names",
    ["zone"],
    "Names whose object has had no address for over an hour; their records stay (NoTargets).",
  ),
  gauge(
    "zonekeeper_zone_fuse_held",
    ["zone", "set"],
    "Changes that wait for zonekeeper approve, by set: removals (the set that tripped the fuse), next-removals (came after it), updates, not-selected, first-contact.",
  ),
  gauge(
    "zonekeeper_fuse_blind",
    ["zone"],
    "1 while the counters of the fuse cannot be read or stored: nothing is removed from the zone.",
  ),
  gauge(
    "zonekeeper_zone_fence",
    ["zone", "mode", "owner"],
    "1 for how the records of an owner id (of --owner, or of a DNSOwner that is on) are kept from stale writers: unused (nothing was written yet), record (batches compare the fence record), lease (there can be no record), stopped (another installation has the owner id; see zonekeeper plan).",
  ),
  counter(
    "zonekeeper_fence_writes_total",
    ["status"],
    "Writes of fence records by outcome; one for each zone and term of leadership, not for each change.",
  ),
  gauge(
    "zonekeeper_zone_ready",
    ["zone"],
    "1 while the next change of the zone would be written: it is loaded, and no fence stops it.",
  ),
  gauge(
    "zonekeeper_cluster_state",
    ["cluster", "mode", "state"],
    "1 for the state that a further source cluster is in: Refused, Connecting, Syncing, Unreadable, Live, Stale, Changed, Removed.",
  ),
  gauge(
    "zonekeeper_troubles",
    ["subject"],
    "Lines of /readyz that are not well, by their first word: cache (a kind of objects is not read), objects (the first lists), provider, zone, needs (a definition or right), cluster, identity, clusters.",
  ),
  gauge("zonekeeper_zone_paused", ["zone"], "1 while nothing is written to the zone: a pause."),
  counter(
    "zonekeeper_dns_queries_total",
    ["rcode"],
    "Queries that the embedded name server answered.",
  ),
  counter(
    "zonekeeper_dns_updates_total",
    ["rcode"],
    "Updates that the embedded name server answered.",
  ),
  gauge(
    "external_dns_management_dns_entries",
    ["providertype", "zone", "state"],
    "DNSEntries by the zone (its id) and state of their status; empty = none yet.",
  ),
  gauge(
    "external_dns_management_dns_entries_stale",
    ["providertype", "zone"],
    "DNSEntries of the zone (its id) in state Stale.",
  ),
  gauge(
    "external_dns_management_dns_owners",
    ["owner", "providertype", "provider"],
    "DNSEntries by owner id and DNSProvider: the id of the entry or of what it refers to, else that of its DNSProvider, else that of --owner.",
  ),
  gauge(
    "external_dns_management_account_providers",
    ["providertype", "accounthash"],
    "DNSProviders of an account: of equal type, settings and Secret. The hash is of the first of them, not of the Secret.",
  ),
  counter(
    "external_dns_management_total_provider_requests",
    ["providertype", "accounthash", "requesttype"],
    `Requests to servers and APIs of the account, failed ones included: ${REQUESTS}.`,
  ),
  counter(
    "external_dns_management_requests_per_zone",
    ["providertype", "accounthash", "requesttype", "zone"],
    "As external_dns_management_total_provider_requests, those of one zone (its id).",
  ),
  gauge("zonekeeper_build_info", ["version", "node"], "Always 1."),
];
