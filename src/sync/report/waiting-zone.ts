/**
 * An account's way into a zone that waits, because another account may show the same zone (Z-18),
 * as it is reported and shown. Pure.
 */
import type { DesiredIndex } from "../cache/desired-index.ts";
import type { WayFailure } from "../contract/zone.ts";
import type { ZoneStatus } from "../contract/zone-status.ts";
import type { Way } from "../zone/way.ts";
import type { ReportedZone } from "./reporter.ts";

/** `index`: what was contributed through the way; `failure`: why it waits, null = not known yet. */
export function waitingZone(
  way: Way,
  failure: WayFailure | null,
  index: DesiredIndex,
): ReportedZone {
  return {
    state: null,
    zoneFailure: failure,
    fences: { main: null },
    index,
    ways: { keysOf: () => [way.key], failureOf: () => null },
    ledger: { planAt: () => null, isPlanned: () => false, failureAt: () => null },
  };
}

/** The status of such a way, as `plan`, metrics and the web page show it. */
export function waitingStatus({
  way: { key, zone, session },
  failure,
}: {
  readonly way: Way;
  readonly failure: WayFailure | null;
}): ZoneStatus {
  return {
    key,
    zone,
    state: failure === null ? "loading" : "failed",
    message: failure?.message ?? null,
    paused: null,
    isAtomic: session.capabilities.atomicity === "zone",
    ownedNames: 0,
    foreignNames: 0,
    open: [],
    danglingNames: 0,
    heldSets: [],
  };
}
