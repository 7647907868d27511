/** SOA and NS of an apex whose API shows neither: made of the name servers of the zone. Pure. */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordSet } from "../../model/record-set.ts";
import { plainSet } from "./plain-sets.ts";

/** What the vendor's servers answer. */
export interface MadeApex {
  /** Empty = the vendor does not answer for the zone. */
  readonly nameServers: readonly string[];
  readonly nsTtlSeconds: number;
  readonly soaTtlSeconds: number;
  /** Mailbox, serial (0: it is not told) and times of the SOA. */
  readonly soaRest: string;
}

/** NS records of other vendors at the apex are among its own. */
export function withApex(
  sets: readonly RecordSet[],
  name: DnsName,
  { nameServers, nsTtlSeconds, soaTtlSeconds, soaRest }: MadeApex,
): readonly RecordSet[] {
  const [first] = nameServers;
  if (first === undefined) return sets;
  const listed = sets.find(
    (set) => set.name === name && set.type === "NS" && set.setIdentifier === null,
  );
  const servers = [...nameServers, ...(listed?.values ?? [])];
  const soa = [`${first} ${soaRest}`];
  return [
    ...sets.filter((set) => set !== listed),
    plainSet({ name, type: "NS", ttlSeconds: nsTtlSeconds, values: servers }),
    plainSet({ name, type: "SOA", ttlSeconds: soaTtlSeconds, values: soa }),
  ];
}
