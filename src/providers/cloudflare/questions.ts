/**
 * Which names one call can read. A marker mostly has the name of its data at its end, so that one
 * question for that end reads both. Pure.
 */
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { Question } from "../shared/vendor-session.ts";

/** Names that end with another one are asked for with it, which comes first; not with the apex. */
export function questionsFor(names: readonly DnsName[], apex: DnsName): readonly Question[] {
  const byEnd = new Map<DnsName, Question>();
  // Of the ends so far, from the shortest on: of thousands of names each is compared with few.
  const lengths = new Set<number>();
  for (const name of [...new Set(names)].sort((a, b) => a.length - b.length)) {
    const ends = [...lengths].map((length) => trustedDnsName(name.slice(-length)));
    const end = ends.find((one) => one !== apex && byEnd.has(one)) ?? name;
    const known = byEnd.get(end);
    byEnd.set(end, known === undefined ? [name] : [...known, name]);
    lengths.add(end.length);
  }
  return [...byEnd.values()];
}
