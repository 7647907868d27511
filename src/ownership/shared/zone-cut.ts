/** Where a zone ends below its apex, so that no marker is written beyond that name. Pure. */
import { type DnsName, isAtOrBelow, parentOf } from "@zonekeeper/dns/names/dns-name";
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

/**
 * The cut that keeps a marker at `marker` from being answered; null = there is none, or the data is
 * the address of a server that the cut names: glue and its marker are both read by transfers and by
 * APIs alone (RFC 1034 §4.2.1).
 */
export function cutBetween(
  { marker, data }: { readonly marker: DnsName; readonly data: DnsName },
  apex: DnsName,
  present: PresentSets,
): DnsName | null {
  const cut = cutAbove(marker, apex, present);
  if (cut === null || data === cut || !isAtOrBelow(data, cut)) return cut;
  const servers = present.at(cut).filter(({ type }) => type === "NS");
  const isGlue = servers.some(({ values }) => values.some((one) => one.toLowerCase() === data));
  return isGlue ? null : cut;
}
