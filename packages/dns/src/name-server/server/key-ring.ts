/** The keys of a server and what each may do. Holds secrets, which are never printed. */
import { type DnsName, isAtOrBelow } from "../../names/dns-name.ts";
import type { TsigKey } from "../../wire/tsig/tsig-key.ts";

/** A TSIG key with its grants. A key without a grant may still sign queries. */
export interface NameServerKey extends TsigKey {
  /**
   * Zones that the grants are for: these apexes and all below them; `all` = every zone of the
   * server.
   */
  readonly zones: readonly DnsName[] | "all";
  readonly mayUpdate: boolean;
  /** AXFR and IXFR. */
  readonly mayTransfer: boolean;
}

/** What may be done with a key. */
export type Right = "update" | "transfer";

/** Keys by name. */
export class KeyRing {
  readonly #keys: ReadonlyMap<DnsName, NameServerKey>;

  /** Of two keys of one name the later one counts. */
  constructor(keys: readonly NameServerKey[]) {
    this.#keys = new Map(keys.map((key) => [key.name, key]));
  }

  /** The key of that name; null = unknown. */
  key(name: DnsName): NameServerKey | null {
    return this.#keys.get(name) ?? null;
  }

  /**
   * Whether a key (null = the message is not signed) has a right in a zone. An unsigned message has
   * no rights.
   */
  allows(keyName: DnsName | null, right: Right, apex: DnsName): boolean {
    const key = keyName === null ? null : this.key(keyName);
    if (key === null) return false;
    const granted = right === "update" ? key.mayUpdate : key.mayTransfer;
    return granted && (key.zones === "all" || key.zones.some((zone) => isAtOrBelow(apex, zone)));
  }
}
