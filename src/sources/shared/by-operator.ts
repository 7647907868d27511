/** What the operator says of all records of a source: names that are left out, and an owner id. */
import { type DnsName, isWildcard, parentOf } from "@zonekeeper/dns/names/dns-name";
import { type Found, objectTransferOf, type Source } from "../source.ts";

/**
 * The source without the names that the operator excludes (`--exclude-domains`): an object wants
 * nothing at them. `*.example.org` excludes each name one label below; any other one
 * excludes this very name.
 */
export function withoutDomains(source: Source, domains: readonly DnsName[]): Source {
  if (domains.length === 0) return source;
  const names = new Set(domains);
  // clause: plain-exclusion-takes-no-subdomain
  const parents = new Set(domains.filter(isWildcard).map(parentOf));
  const isKept = ({ name }: { readonly name: DnsName }): boolean =>
    // clause: exclusion-takes-the-name
    !names.has(name) && /* clause: exclusion-wildcard-one-label */ !parents.has(parentOf(name));
  const endpoints: Source["endpoints"] = (object, view) => {
    const found = source.endpoints(object, view);
    // What the object says about its records counts although no name says it any more.
    const objectTransfer = objectTransferOf(found);
    return {
      ...found,
      items: found.items.filter(isKept),
      waiting: found.waiting.filter(isKept),
      ...(objectTransfer === null ? {} : { objectTransfer }),
    } satisfies Found<unknown>;
  };
  return { ...source, endpoints };
}

/** The source with this id for all its records, whatever objects say; null = as they say. */
export function withOwnerFor(source: Source, owner: string | null): Source {
  if (/* clause: target-owner-id-applies */ owner === null) return source;
  return {
    ...source,
    endpoints: (object, view) => {
      const found = source.endpoints(object, view);
      // clause: target-owner-id-comes-first
      return { ...found, items: found.items.map((item) => ({ ...item, owner })) };
    },
  };
}
