/**
 * The delegations inside a zone, so that names below one that comes or goes are looked at again
 * (SAFETY Z-18).
 */
import { type DnsName, isAtOrBelow, trustedDnsName } from "../../model/dns-name.ts";

/** Bounded by the delegations of the zone. */
export class KnownCuts {
  #cuts: ReadonlySet<string> = new Set();

  /**
   * Learns which names of the zone are delegated now. Answers those that became a delegation or are
   * none any more.
   */
  learn(delegations: ReadonlySet<string>): readonly DnsName[] {
    const come = [...delegations].filter((name) => !this.#cuts.has(name));
    const gone = [...this.#cuts].filter((name) => !delegations.has(name));
    if (come.length + gone.length > 0) this.#cuts = new Set(delegations);
    return [...come, ...gone].map(trustedDnsName);
  }
}

/** Those of `names` that lie at or below one of the cuts. */
export function namesUnder(cuts: readonly DnsName[], names: Iterable<DnsName>): readonly DnsName[] {
  return [...names].filter((name) => cuts.some((cut) => isAtOrBelow(name, cut)));
}
