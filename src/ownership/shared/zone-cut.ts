/** Where a zone ends below its apex, so that no marker is written beyond that name. Pure. */
import { type DnsName, parentOf } from "../../model/dns-name.ts";
import type { PresentSets } from "../../plan/preconditions.ts";

/**
 * The delegation at or above the name, or the DNAME above it, inside the zone (RFC 1034 §4.3.2,
 * RFC 6672 §2.4). Null = the zone answers for the name.
 */
export function cutAbove(name: DnsName, apex: DnsName, present: PresentSets): DnsName | null {
  for (let at: DnsName | null = name; at !== null && at !== apex; at = parentOf(at)) {
    const types = present.at(at).map((set) => set.type);
    if (types.includes("NS") || (at !== name && types.includes("DNAME"))) return at;
  }
  return null;
}
