/**
 * Names that say something about a name above them: `_dmarc.www` (RFC 8552 §1.1), what is below
 * such a name, and `*.www`, which answers for all of these. They belong to `www`. Pure.
 */
import { addCount } from "@zonekeeper/base/grouped-by";
import { type DnsName, parentOf } from "@zonekeeper/dns/names/dns-name";

/**
 * The names that a name belongs to, down to the apex, the longest first: `_25._tcp.www` to
 * `_tcp.www` and to `www`. Empty = the name belongs to no other one.
 */
export function basesIn(name: DnsName, apex: DnsName): readonly DnsName[] {
  // clause: attached-name-has-bases
  return basesOf(name).filter((base) => base.length >= apex.length);
}

/** Names by what they belong to, each counted as often as it was added. */
export class AttachedNames {
  readonly #counts = new Map<DnsName, Map<DnsName, number>>();

  /** Adds a name; one that belongs to no other name takes no memory. */
  add(name: DnsName): void {
    for (const base of basesOf(name)) {
      const names = this.#counts.get(base) ?? new Map<DnsName, number>();
      addCount(names, name, 1);
      this.#counts.set(base, names);
    }
  }

  /** Removes a name once; to be called as often as it was added. */
  remove(name: DnsName): void {
    for (const base of basesOf(name)) {
      const names = this.#counts.get(base);
      if (names !== undefined) addCount(names, name, -1);
      if (names?.size === 0) this.#counts.delete(base);
    }
  }

  /** Names that belong to this one. */
  of(base: DnsName): readonly DnsName[] {
    return [...(this.#counts.get(base)?.keys() ?? [])];
  }
}

/** The names above each label that begins with `_`, or is `*`; those below come first. */
function basesOf(name: DnsName): readonly DnsName[] {
  if (!name.includes("_") && !name.startsWith("*.")) return [];
  const bases: DnsName[] = [];
  for (let at = name; ; ) {
    const parent = parentOf(at);
    if (parent === null) return bases;
    if (at.startsWith("_") || at.startsWith("*.")) bases.push(parent);
    at = parent;
  }
}
