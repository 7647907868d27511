/**
 * What the provider calls the last change of a name, until all its servers have it. In memory only:
 * after a restart nothing is known, and the servers themselves are asked.
 */
import { BoundedMap } from "@zonekeeper/base/bounded-map";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";

/** Names of one zone at most; of more, the oldest are forgotten. */
const NAMES_MAX = 10_000;

/** Receipts of one zone. */
export class Receipts {
  readonly #byName = new BoundedMap<DnsName, string>(NAMES_MAX);

  /** The last change of the name was made; null = it has no receipt. */
  note(name: DnsName, receipt: string | null): void {
    if (receipt === null) this.#byName.delete(name);
    else this.#byName.set(name, receipt);
  }

  /** Null = nothing is known, or all servers have the change. */
  of(name: DnsName): string | null {
    return this.#byName.get(name) ?? null;
  }

  /** All servers have the change; a later one of the same name stays. */
  done(name: DnsName, receipt: string): void {
    if (this.#byName.get(name) === receipt) this.#byName.delete(name);
  }
}
