/**
 * The delegations inside a zone. Names below a delegation that was added or removed have to be
 * planned again (Z-18).
 */
import { type DnsName, isAtOrBelow, trustedDnsName } from "../../model/dns-name.ts";

/** Bounded by the delegations of the zone. */
export class KnownCuts {
  #cuts: ReadonlySet<string> = new Set();

  /** Learns the delegated names of the zone. Answers those that were added or removed. */
  learn(delegations: ReadonlySet<string>): readonly DnsName[] {
    const added = [...delegations].filter((name) => !this.#cuts.has(name));
    const removed = [...this.#cuts].filter((name) => !delegations.has(name));
    if (added.length + removed.length > 0) this.#cuts = new Set(delegations);
    return [...added, ...removed].map(trustedDnsName);
  }
}

/** Those of `names` that lie at or below one of the cuts. */
export function namesUnder(cuts: readonly DnsName[], names: Iterable<DnsName>): readonly DnsName[] {
  return [...names].filter((name) => cuts.some((cut) => isAtOrBelow(name, cut)));
}
