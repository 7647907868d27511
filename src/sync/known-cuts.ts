/** The delegations inside a zone, so that names below one that comes or goes are looked at again (SAFETY Z-18). */
import { type DnsName, isAtOrBelow } from "../model/dns-name.ts";
import type { NamesOfZone } from "./zone-cut.ts";

/** Bounded by the delegations of the zone. */
export class KnownCuts {
  readonly #apex: DnsName;
  readonly #cuts = new Set<DnsName>();

  constructor(apex: DnsName) {
    this.#apex = apex;
  }

  /** Learns what stands at `moved` names now. Answers which of them became or ceased to be a delegation. */
  learn(table: NamesOfZone, moved: ReadonlySet<DnsName>): readonly DnsName[] {
    return [...moved].filter((name) => {
      const isCut = name !== this.#apex && table.at(name).some((set) => set.type === "NS");
      if (isCut === this.#cuts.has(name)) return false;
      if (isCut) this.#cuts.add(name);
      else this.#cuts.delete(name);
      return true;
    });
  }
}

/** Those of `names` that lie at or below one of the cuts. */
export function namesUnder(cuts: readonly DnsName[], names: Iterable<DnsName>): readonly DnsName[] {
  return [...names].filter((name) => cuts.some((cut) => isAtOrBelow(name, cut)));
}
