/**
 * Two accounts may list one zone, and each knows only its own writes. Without zone-wide calls a
 * write asserts only the record set that it changes (Z-10). So an unchanged marker does not show
 * that another account replaced the data. The other accounts therefore read such names again before
 * they write, as after a lost answer (S12). If data and marker are written in one call, the call
 * asserts both, and no read is needed.
 */
import { trustedDnsName } from "../../model/dns-name.ts";
import type { ZoneActor } from "../zone/zone-actor.ts";
import { isSameZone } from "./twin-zone.ts";

/**
 * Requires a read of the affected names in every other open account of the writer's zone. `written`
 * are names of records and markers.
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
