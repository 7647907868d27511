/**
 * Which object has which load balancer address. State only: the caller notes the addresses in
 * statuses, and takes new ones.
 */

/** First three octets of TEST-NET-1 (RFC 5737 §3). */
const PREFIX = "192.0.2.";
const FIRST = 1;
const LAST = 254;

/** Addresses in use, by holder. A holder keeps its address until it releases it. */
export class AddressPool {
  readonly #byHolder = new Map<string, string>();
  readonly #holders = new Map<string, Set<string>>();

  /**
   * Notes an address that the holder's status shows; several holders may show one that users chose
   * themselves.
   */
  note(holder: string, address: string): void {
    if (this.#byHolder.get(holder) === address) return;
    this.release(holder);
    this.#byHolder.set(holder, address);
    const holders = this.#holders.get(address) ?? new Set();
    this.#holders.set(address, holders.add(holder));
  }

  /** The holder's address, or the lowest free one; null = all 254 are taken. */
  take(holder: string): string | null {
    const present = this.#byHolder.get(holder);
    if (present !== undefined) return present;
    for (let host = FIRST; host <= LAST; host++) {
      const address = `${PREFIX}${host}`;
      if (this.#holders.has(address)) continue;
      this.note(holder, address);
      return address;
    }
    return null;
  }

  /** The holder's address can be given to others. */
  release(holder: string): void {
    const address = this.#byHolder.get(holder);
    if (address === undefined) return;
    this.#byHolder.delete(holder);
    const holders = this.#holders.get(address);
    holders?.delete(holder);
    if (holders?.size === 0) this.#holders.delete(address);
  }
}
