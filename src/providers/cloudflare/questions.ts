/**
 * Which names one call can read. A marker mostly has the name of its data at its end, so that one
 * question for that end reads both. Pure.
 */
import type { DnsName } from "../../model/dns-name.ts";

/** One call of List DNS Records; it may answer with records of other names, too. */
export interface Question {
  readonly names: readonly DnsName[];
  readonly query: Readonly<Record<string, string>>;
}

/** Names that end with another one are asked for with it, but never with the apex. */
export function questionsFor(names: readonly DnsName[], apex: DnsName): readonly Question[] {
  const byEnd = new Map<DnsName, DnsName[]>();
  for (const name of [...new Set(names)].sort((a, b) => a.length - b.length)) {
    const end = [...byEnd.keys()].find((one) => one !== apex && name.endsWith(one));
    if (end === undefined) byEnd.set(name, [name]);
    else byEnd.get(end)?.push(name);
  }
  return [...byEnd].map(([end, all]) => ({
    names: all,
    query: all.length === 1 ? { "name.exact": end } : { "name.endswith": end },
  }));
}
