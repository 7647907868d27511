/** The zones of a server, found by name (RFC 1034 §4.3.2 step 2). Does not make or change zones. */
import { type DnsName, parentOf } from "../../names/dns-name.ts";
import type { RecordType } from "../../rdata/rdata-format.ts";
import type { HostedZone } from "./hosted-zone.ts";

/** Zones by apex. */
export class ZoneTable {
  readonly #zones = new Map<DnsName, HostedZone>();
  #added = 0;

  /** How many were ever put in: while it is the same, each name has the same nearest zone. */
  get added(): number {
    return this.#added;
  }

  /** Puts a zone in; one of the same apex is replaced. */
  add(zone: HostedZone): void {
    this.#zones.set(zone.apex, zone);
    this.#added += 1;
  }

  /** The zone with exactly this apex. */
  at(apex: DnsName): HostedZone | undefined {
    return this.#zones.get(apex);
  }

  /** All zones, in the order in which they were added. */
  all(): readonly HostedZone[] {
    return [...this.#zones.values()];
  }

  /**
   * The zone with the longest apex that `name` is at or below; undefined = none. For DS at an apex
   * it is the parent zone, if this server has that (RFC 4035 §3.1.4.1).
   */
  nearest(name: DnsName, type: RecordType): HostedZone | undefined {
    const own = this.#zones.get(name);
    if (own !== undefined && type !== "DS") return own;
    for (let at = parentOf(name); at !== null; at = parentOf(at)) {
      const zone = this.#zones.get(at);
      if (zone !== undefined) return zone;
    }
    return own;
  }
}
