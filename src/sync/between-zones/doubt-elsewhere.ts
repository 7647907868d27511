/**
 * Two accounts may show one zone, and each knows what it wrote itself. Step by step a write asserts
 * nothing but its own record set (Z-10): a marker that was begun, made final and reads as before
 * hides that its data is other data by now. So what one account wrote is read by the others before
 * they act on it, as after a lost answer (S12). Where data and marker go in one call, the call
 * asserts both, and nothing has to be read.
 */
import { trustedDnsName } from "../../model/dns-name.ts";
import type { ZoneActor } from "../zone/zone-actor.ts";
import { isSameZone } from "./twin-zone.ts";

/**
 * Marks the names of which these raw names speak, in every other open account of the writer's zone.
 */
export function doubtElsewhere(
  writer: ZoneActor,
  written: ReadonlySet<string>,
  open: readonly ZoneActor[],
): void {
  const { session, zone, ownership } = writer.zoneInput;
  if (session.capabilities.atomicity === "zone") return;
  for (const other of open) {
    if (other === writer || !isSameZone(other.zoneInput.zone, zone)) continue;
    for (const raw of written)
      for (const name of ownership.affected(raw)) other.ledger.requireRead(trustedDnsName(name));
    other.enqueue([], false);
  }
}
