/** Who asks for the lead of an election, and who gets it (ADR 0129). */

import { leaseWith, newLease, recordOfLease } from "@zonekeeper/kube/client/lease/lease-record";
import { LeaseSight } from "@zonekeeper/kube/client/lease/lease-sight";
import { VirtualClock } from "../../support/ports/virtual-clock.ts";
import { demand } from "./demand.ts";

/** Fails where one clause of it is lost. */
export async function provePreferred(): Promise<void> {
  const clock = new VirtualClock();
  let trouble: string | null = null;
  const preference = { rank: () => 1, trouble: () => trouble, afterMs: 60_000 };
  const sight = new LeaseSight({
    ...{ clock, identity: "me", durationMs: 15_000, retryPeriodMs: 2_000, preference },
  });
  const lease = newLease("default", "zonekeeper");
  const record = { ...recordOfLease(lease), holder: "other", rank: 2 };
  let version = 0;
  const asks = (): boolean => {
    version += 1;
    const metadata = { ...lease.metadata, resourceVersion: `${version}` };
    sight.mayTake(leaseWith({ ...lease, metadata }, record, { nowMs: 0, acquired: true }));
    return sight.request(record) !== undefined;
  };
  demand(!asks(), "one that was well for no time asks");
  await clock.advance(60_000);
  demand(asks(), "one that was well for its time does not ask");
  trouble = "a zone cannot be read";
  demand(!asks(), "one that would change the zone asks");
  trouble = null;
  demand(!asks(), "one that was well for no time asks");
  const held = { ...record, holder: "me" };
  const preferred = (rank: number) => ({ ...held, preferred: { rank, identity: "other" } });
  demand(sight.yieldsTo(preferred(0)), "a better one does not get the lead");
  demand(!sight.yieldsTo(preferred(1)), "one that is no better gets the lead");
  demand(!sight.yieldsTo({ ...preferred(0), holder: "other" }), "who does not hold it gives it");
}
