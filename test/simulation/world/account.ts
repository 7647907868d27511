/**
 * What one provider account shows at the moment (F10, F15, F16): it may refuse everybody, lose the
 * zone, show another one or a twin, or answer nobody. Each trouble ends by itself or with the end
 * of all trouble.
 */
import { OperationError } from "@zonekeeper/base/operation-error";

/** Trouble with a whole account. */
export type AccountTrouble = "denied" | "zone-lost" | "zone-extra" | "zone-twin" | "blackout";

/** One way into a zone; lives as long as the world. */
export class Way {
  readonly #nowMs: () => number;
  readonly #until = new Map<AccountTrouble, number>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Begins, or is prolonged; milliseconds of virtual time. */
  begin(trouble: AccountTrouble, forMs: number): void {
    this.#until.set(trouble, Math.max(this.#until.get(trouble) ?? 0, this.#nowMs() + forMs));
  }

  /** Whether it lasts. */
  has(trouble: AccountTrouble): boolean {
    return this.#nowMs() < (this.#until.get(trouble) ?? 0);
  }

  /** All is well. */
  heal(): void {
    this.#until.clear();
  }

  /** Throws what a call meets now. */
  enter(): void {
    if (this.has("denied")) throw failure("CredentialsRefused", "the account's key has expired");
    if (this.has("blackout")) throw failure("Throttled", "the account may not call for a while");
  }
}

/** What one owner has: one way into the zone, or several of which each trouble strikes one. */
export class Account {
  readonly #ways: readonly Way[];
  #struck = 0;

  constructor(nowMs: () => number, ways = 1) {
    this.#ways = Array.from({ length: ways }, () => new Way(nowMs));
  }

  /** Trouble begins on the next way. */
  begin(trouble: AccountTrouble, forMs: number): void {
    this.way(this.#struck).begin(trouble, forMs);
    this.#struck += 1;
  }

  /** All is well. */
  heal(): void {
    for (const way of this.#ways) way.heal();
  }

  /** The way of the DNSProvider with this index. */
  way(index: number): Way {
    const way = this.#ways[index % this.#ways.length];
    if (way === undefined) throw new Error("there is no way into the zone");
    return way;
  }
}

function failure(code: string, message: string): OperationError {
  return new OperationError({ code, message, retry: "backoff" });
}
