/**
 * The resolver of `dev`: looks names of its zone up at its own name server, since no other server
 * knows the zone, and all other names at the configured resolver. Follows CNAMEs from one to the
 * other.
 */
import type { SocketAddress } from "@zonekeeper/base/ports/net";
import { type DnsName, isAtOrBelow, parseDnsName } from "@zonekeeper/dns/names/dns-name";
import type { HostAddresses, Resolver } from "../../../ports/resolver.ts";
import { RealResolver } from "../../ports/real-resolver.ts";
import { addressText } from "../../ports/system-error.ts";

/** Aliases of one name that are followed; more is taken for a loop. */
const ALIASES_MAX = 8;
const NO_ADDRESSES: HostAddresses = { a: [], aaaa: [] };

/** The zone and its server. */
export interface OwnServer {
  readonly zone: DnsName;
  readonly at: SocketAddress;
}

/** A resolver over two others. */
export class OwnResolver implements Resolver {
  readonly #zone: DnsName;
  readonly #own: RealResolver;
  readonly #others: Resolver;

  /** `others`: for names outside of the zone. */
  constructor({ zone, at }: OwnServer, others: Resolver) {
    this.#zone = zone;
    this.#own = new RealResolver([addressText(at)]);
    this.#others = others;
  }

  async addressesOf(host: DnsName): Promise<HostAddresses> {
    let name: DnsName | null = host;
    for (let aliases = 0; name !== null && aliases < ALIASES_MAX; aliases++) {
      if (!isAtOrBelow(name, this.#zone)) return this.#others.addressesOf(name);
      const found = await this.#own.addressesOf(name);
      if (found.a.length + found.aaaa.length > 0) return found;
      const alias = parseDnsName((await this.#own.aliasOf(name)) ?? "");
      name = alias.ok ? alias.value : null;
    }
    return NO_ADDRESSES;
  }

  textsOf(name: DnsName): Promise<readonly string[]> {
    return (isAtOrBelow(name, this.#zone) ? this.#own : this.#others).textsOf(name);
  }
}
