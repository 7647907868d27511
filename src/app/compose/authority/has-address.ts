/** Whether a host name has an address, as the resolver sees it. For messages; decides nothing. */
import { type Clock, sleep } from "@zonekeeper/base/ports/clock";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { Resolver } from "../../../ports/resolver.ts";

const PATIENCE_MS = 4_000;

/** Null = that is not certain, or there was no answer in time. Never rejects. */
export function hasAddress(
  { resolver, clock }: { readonly resolver: Resolver; readonly clock: Clock },
  name: DnsName,
): Promise<boolean | null> {
  const asked = resolver.addressesOf(name).then(
    ({ a, aaaa }) => a.length + aaaa.length > 0,
    () => null,
  );
  return Promise.race([asked, sleep(clock, PATIENCE_MS).then(() => null)]);
}
