/** A zone that external-dns kept, with the objects that it was kept for. */
import { nameOf, parseZone } from "../values/zone-text.ts";
import { SpineWorld } from "./spine-world.ts";

const LABELS = ["www", "*.wild", "two.labels", "*"];

/** The world, before anything is started. */
export function keptByExternalDns(): SpineWorld {
  const world = new SpineWorld();
  for (const [index, label] of LABELS.entries()) {
    const text = `"heritage=external-dns,external-dns/owner=me,external-dns/resource=service/default/s${index}"`;
    writeTo(world, `${label} 0 A 192.0.2.1\na-${label} 0 TXT ${text}`);
    world.service(`s${index}`, `${label}.example.org`, "192.0.2.1");
  }
  return world;
}

/** Writes record sets past the program, as another one does. */
export function writeTo(world: SpineWorld, lines: string): void {
  const content = world.account.zoneNamed(nameOf("@"))?.content;
  for (const next of parseZone(lines)) content?.write([{ key: next, next }]);
}

/** How often the zone was written. */
export function serialOf(world: SpineWorld): number {
  return world.account.zoneNamed(nameOf("@"))?.content.serial ?? 0;
}
