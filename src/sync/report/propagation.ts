/** What became of the last change of a name at a provider, as it says itself. */
import { OperationError, THROTTLED } from "@zonekeeper/base/operation-error";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { Propagation } from "../../providers/provider.ts";
import type { ZoneActor } from "../zone/zone-actor.ts";

/** Milliseconds that the provider may take to answer. */
const CALL_MS = 30_000;

/**
 * Whether all servers of the provider have the last change of the name that this process made; null
 * = the provider does not tell, or nothing is known.
 */
export async function propagationOf(
  actor: Pick<ZoneActor, "ledger" | "ways"> | null,
  name: DnsName,
): Promise<Propagation | null> {
  if (actor === null) return null;
  const { receipts } = actor.ledger;
  const receipt = receipts.get(name);
  const { session, zone, budget } = actor.ways.readWay;
  if (receipt === undefined || session.propagationOf === undefined) return null;
  await budget.read();
  try {
    const propagation = await session.propagationOf(zone, receipt, AbortSignal.timeout(CALL_MS));
    // That of a later change stays.
    if (propagation.is === "live" && receipts.get(name) === receipt) receipts.delete(name);
    return propagation;
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    if (error.code === THROTTLED) budget.slowDown(error.retryAfterMs);
    return null;
  }
}
