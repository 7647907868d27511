/** Looks host names up in DNS. What is made of the answers is not decided here. */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";

/** Addresses that a host name has now; an empty list = none of that kind. */
export interface HostAddresses {
  /** Canonical IPv4 addresses, in no special order. */
  readonly a: readonly string[];
  /** Canonical IPv6 addresses, in no special order. */
  readonly aaaa: readonly string[];
}

/** A resolver of the platform, or the servers that an option names. */
export interface Resolver {
  /**
   * Follows aliases. A name that does not exist has no addresses. Rejects with OperationError
   * where it is not certain what the name has; an answer may never come.
   */
  addressesOf(host: DnsName): Promise<HostAddresses>;
  /**
   * The texts of the TXT records at a name, each with its parts joined; empty = there is none.
   * Rejects as `addressesOf` does.
   */
  textsOf(name: DnsName): Promise<readonly string[]>;
}
