/**
 * Names at which objects want a zone cut (NS, DS or DNAME) or a wildcard: both concern names below,
 * which these objects do not list. Those names are gathered in one walk over the zone, and kept
 * until a record or a contribution changes.
 */
import { addCount } from "@zonekeeper/base/grouped-by";
import { type DnsName, isWildcard, parentOf, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { Contribution } from "../contract/contribution.ts";

/** Types by which other servers or another name answer for a name and all below it. */
// clause: zone-cut-types
export const CUT_TYPES: ReadonlySet<string> = new Set(["NS", "DS", "DNAME"]);

/** Names of the zone that are walked; its revision counts the changes of its records. */
interface TableOfNames {
  readonly revision: number;
  names(): Iterable<string>;
}

/** The wanted cuts and wildcards of one zone. */
export class WantedCuts {
  readonly #byObject = new Map<number, readonly DnsName[]>();
  readonly #objects = new Map<DnsName, number>();
  #below: ReadonlyMap<string, readonly DnsName[]> | null = null;
  #revision = -1;

  /** Adds the contribution `row`, which must not be there yet. */
  add(row: number, { found }: Contribution): void {
    this.#below = null;
    const items = found.items.filter(({ name, type }) => CUT_TYPES.has(type) || isWildcard(name));
    if (items.length === 0) return;
    const names = [...new Set(items.map(({ name }) => name))];
    this.#byObject.set(row, names);
    for (const name of names) addCount(this.#objects, name, 1);
  }

  /** The contribution is withdrawn. */
  remove(row: number): void {
    this.#below = null;
    for (const name of this.#byObject.get(row) ?? []) addCount(this.#objects, name, -1);
    this.#byObject.delete(row);
  }

  /** Wanted cuts and wildcards that a change at `name` may free or block. */
  dependingOn(name: DnsName): readonly DnsName[] {
    if (this.#objects.size === 0) return [];
    const above = ancestorsOf(name)
      .flatMap((one) => [one, trustedDnsName(`*.${one}`)])
      .filter((one) => this.#objects.has(one));
    const parent = isWildcard(name) ? parentOf(name) : null;
    if (parent === null) return above;
    // A wildcard answers beside itself, too.
    const siblings = [...this.#objects.keys()].filter((cut) => ancestorsOf(cut).includes(parent));
    return [...new Set([...above, ...siblings])];
  }

  /** Names that a wanted cut or wildcard concerns and that hold something or are listed. */
  namesUnder(
    wanted: DnsName,
    table: TableOfNames,
    listed: () => Iterable<DnsName>,
  ): readonly DnsName[] {
    if (this.#below === null || this.#revision !== table.revision) {
      this.#below = this.#gather(table.names(), listed());
      this.#revision = table.revision;
    }
    return this.#below.get(topOf(wanted)) ?? [];
  }

  #gather(...sides: readonly Iterable<string>[]): ReadonlyMap<string, readonly DnsName[]> {
    const below = new Map<string, Set<DnsName>>();
    for (const wanted of this.#objects.keys()) below.set(topOf(wanted), new Set());
    for (const names of sides)
      for (const text of names) {
        const name = trustedDnsName(text);
        for (const above of ancestorsOf(name)) below.get(above)?.add(name);
      }
    return new Map([...below].map(([cut, names]) => [cut, [...names]]));
  }
}

/** A cut concerns the names at and below it, a wildcard those at and below its parent. */
function topOf(wanted: DnsName): DnsName {
  return (isWildcard(wanted) ? parentOf(wanted) : null) ?? wanted;
}

/** The name and every name above it. */
function ancestorsOf(name: DnsName): readonly DnsName[] {
  const names: DnsName[] = [];
  for (let at: DnsName | null = name; at !== null; at = parentOf(at)) names.push(at);
  return names;
}
