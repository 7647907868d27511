/** Log and metrics that keep nothing, so that only the work under test is measured. */
import type { Log } from "@zonekeeper/base/ports/log";
import type { Metrics } from "@zonekeeper/base/ports/metrics";

const nothing = (): void => undefined;

/** Drops every line. */
export const QUIET_LOG: Log = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  child: () => QUIET_LOG,
};

/** Drops every value. */
export const QUIET_METRICS: Metrics = {
  count: nothing,
  gauge: nothing,
  observe: nothing,
  beforeScrape: () => nothing,
};
