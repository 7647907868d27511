/**
 * Which names one call can read. A marker mostly has the name of its data at its end, so that one
 * question for that end reads both. Pure.
 */
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";

/** One call of List DNS Records; it may answer with records of other names, too. */
export interface Question {
  readonly names: readonly DnsName[];
  readonly query: Readonly<Record<string, string>>;
}

/** Names that end with another one are asked for with it, but never with the apex. */
export function questionsFor(names: readonly DnsName[], apex: DnsName): readonly Question[] {
  const byEnd = new Map<DnsName, DnsName[]>();
  // Of the ends so far, from the shortest on: of thousands of names each is compared with few.
  const lengths = new Set<number>();
  for (const name of [...new Set(names)].sort((a, b) => a.length - b.length)) {
    const ends = [...lengths].map((length) => trustedDnsName(name.slice(-length)));
    const end = ends.find((one) => one !== apex && byEnd.has(one)) ?? name;
    byEnd.set(end, [...(byEnd.get(end) ?? []), name]);
    lengths.add(end.length);
  }
  return [...byEnd].map(([end, all]) => ({
    names: all,
    query: all.length === 1 ? { "name.exact": end } : { "name.endswith": end },
  }));
}
