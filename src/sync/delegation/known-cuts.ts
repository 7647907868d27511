/**
 * The delegations inside a zone. Names below a delegation that was added or removed, or whose
 * servers changed, have to be planned again (Z-18).
 */
import { type DnsName, isAtOrBelow, trustedDnsName } from "@zonekeeper/dns/names/dns-name";

/** Bounded by the delegations of the zone. */
export class KnownCuts {
  #cuts: ReadonlyMap<string, string> = new Map();

  /**
   * Learns the names of the zone below which others answer, with who does. Answers those that were
   * added or removed, or where others answer now.
   */
  learn(delegations: ReadonlyMap<string, string>): readonly DnsName[] {
    const changed = [...delegations].filter(([name, text]) => this.#cuts.get(name) !== text);
    const removed = [...this.#cuts.keys()].filter((name) => !delegations.has(name));
    const names = [...changed.map(([name]) => name), ...removed];
    if (names.length > 0) this.#cuts = new Map(delegations);
    return names.map(trustedDnsName);
  }
}

/** The names that lie at or below one of the cuts. */
export function namesUnder(cuts: readonly DnsName[], names: Iterable<DnsName>): readonly DnsName[] {
  return [...names].filter((name) => cuts.some((cut) => isAtOrBelow(name, cut)));
}
