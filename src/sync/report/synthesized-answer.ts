/**
 * What servers answer at a name that has no record of its own (RFC 4592 §3.3.1, RFC 6672 §2.3): the
 * records of a wildcard, or the alias that a DNAME above it makes. Reads one table; for people.
 */
import {
  childName,
  type DnsName,
  isAtOrBelow,
  parentOf,
  trustedDnsName,
} from "@zonekeeper/dns/names/dns-name";
import type { RecordSet } from "../../model/record-set.ts";
import type { SynthesizedAnswer } from "../contract/name-explanation.ts";

/** The part of a zone's table that is read. */
export interface SearchedTable {
  at(name: string): readonly RecordSet[];
  /** All names that hold something. */
  names(): Iterable<string>;
}

/**
 * Null = the answer is what the zone has at the name. A DNAME hides what is below it. Walks all
 * names where the name itself has none.
 */
export function synthesizedAt(
  table: SearchedTable,
  apex: DnsName,
  name: DnsName,
): SynthesizedAnswer | null {
  const above = namesAbove(name, apex);
  const alias = above.findLast((at) => typed(table, at, "DNAME").length > 0);
  if (alias !== undefined) return { is: "dname", at: alias, sets: typed(table, alias, "DNAME") };
  const names = [...table.names()].map(trustedDnsName);
  const isThere = (at: DnsName): boolean => names.some((one) => isAtOrBelow(one, at));
  if (isThere(name)) return null;
  const encloser = above.find(isThere);
  const wildcard = encloser === undefined ? null : childName("*", encloser);
  const sets = wildcard === null ? [] : table.at(wildcard);
  return wildcard === null || sets.length === 0 ? null : { is: "wildcard", at: wildcard, sets };
}

/** From the parent up to the apex. */
function namesAbove(name: DnsName, apex: DnsName): readonly DnsName[] {
  const above: DnsName[] = [];
  for (let at = name; at !== apex; ) {
    const parent = parentOf(at);
    if (parent === null) break;
    above.push(parent);
    at = parent;
  }
  return above;
}

function typed(table: SearchedTable, name: DnsName, type: string): readonly RecordSet[] {
  return table.at(name).filter((set) => set.type === type);
}
