/**
 * Names by the search of the API (`/search-data`), which shows disabled records too: before 5.0 a
 * question for the record sets of a name leaves them out. Back ends that cannot search (LMDB)
 * answer an empty list, so that a zone is searched only after its apex was found. Pure.
 */
import { groupedBy } from "@zonekeeper/base/grouped-by";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { Zone } from "../../model/zone.ts";
import { withoutDot } from "../shared/dotted-rdata.ts";
import { type KnownSet, toKnownSet } from "./convert.ts";

/** Records of one answer; one that is full may not have all. */
const RECORDS_MAX = 1000;

/** Null = the name has signs that mean something else in a search. */
export function searchFor(name: DnsName): string | null {
  if (!/^[a-z0-9_.*-]+$/.test(name)) return null;
  return `/search-data?q=${encodeURIComponent(name)}&max=${RECORDS_MAX}&object_type=record`;
}

/** The record sets of the name among what was found; null = there may be more. */
export function setsFound(
  answer: readonly unknown[],
  zone: Zone,
  name: DnsName,
): readonly KnownSet[] | null {
  if (answer.length >= RECORDS_MAX) return null;
  // A search finds records of other zones, of other names for `*`, and with the text as content.
  const found = answer.map(fieldsOf).filter((one) => {
    const isThere = one["zone_id"] === zone.id && textOf(one["type"]) !== null;
    return isThere && withoutDot(textOf(one["name"]) ?? "") === name;
  });
  const byType = groupedBy(found, (one) => textOf(one["type"]) ?? "");
  return [...byType].flatMap(([type, records]) => {
    const ttl = records[0]?.["ttl"];
    return toKnownSet({ name, type, ttl, records }) ?? [];
  });
}
