/** Whether the servers of a provider have the last change of a name, as the provider says. */
import type { DnsName } from "../../model/dns-name.ts";
import { OperationError, THROTTLED } from "../../model/operation-error.ts";
import type { ZoneActor } from "../zone/zone-actor.ts";

/** Milliseconds for the question. */
const CALL_MS = 30_000;

/** See `Explainer`. A provider that does not tell leaves it to who asks the servers. */
export async function isPropagated(
  { ledger: { receipts }, ways }: Pick<ZoneActor, "ledger" | "ways">,
  name: DnsName,
): Promise<boolean | null> {
  const receipt = receipts.of(name);
  const { session, zone, budget } = ways.readWay;
  if (receipt === null || session.isPropagated === undefined) return null;
  await budget.read();
  try {
    const isDone = await session.isPropagated(zone, receipt, AbortSignal.timeout(CALL_MS));
    if (isDone) receipts.done(name, receipt);
    return isDone;
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    if (error.code === THROTTLED) budget.slowDown(error.retryAfterMs);
    return null;
  }
}
