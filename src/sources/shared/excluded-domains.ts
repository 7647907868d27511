/** Names that the operator excludes (`--exclude-domains`): an object wants nothing at them. */
import { type DnsName, isWildcard, parentOf } from "@zonekeeper/dns/names/dns-name";
import { type Found, objectTransferOf, type Source } from "../source.ts";

/** `*.example.org` excludes each name one label below; any other one excludes this very name. */
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
