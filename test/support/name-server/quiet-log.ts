/** A Log for tests that keeps nothing and prints nothing. */
import type { Log } from "@zonekeeper/base/ports/log";

/** Swallows everything. */
export const QUIET_LOG: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => QUIET_LOG,
};
