/** Counts what a server did, for metrics. Counts only ever grow. */
import type { Rcode } from "../../wire/message/message.ts";

/** Counts since the server object was made. */
export interface NameServerStatistics {
  /** Answered QUERY messages, transfers too, by response code. */
  readonly queries: Readonly<Partial<Record<Rcode, number>>>;
  /** Answered UPDATE messages by response code. */
  readonly updates: Readonly<Partial<Record<Rcode, number>>>;
  /** Transfers that were begun. */
  readonly transfers: number;
  /** Requests refused by TSIG, by its error. */
  readonly signatureErrors: Readonly<Record<string, number>>;
  /** Requests that were no DNS messages, or too many at once. */
  readonly dropped: number;
}

/** Collects the counts. */
export class StatisticsCounter {
  readonly #queries = new Map<string, number>();
  readonly #updates = new Map<string, number>();
  readonly #signatureErrors = new Map<string, number>();
  #transfers = 0;
  #dropped = 0;

  /** An answer to a message of that kind went out. */
  answered(kind: "query" | "update", rcode: Rcode): void {
    increment(kind === "update" ? this.#updates : this.#queries, rcode);
  }

  signatureRefused(error: string): void {
    increment(this.#signatureErrors, error);
  }

  transferBegun(): void {
    this.#transfers += 1;
  }

  requestDropped(): void {
    this.#dropped += 1;
  }

  /** The counts as they are now. */
  snapshot(): NameServerStatistics {
    return {
      queries: Object.fromEntries(this.#queries),
      updates: Object.fromEntries(this.#updates),
      transfers: this.#transfers,
      signatureErrors: Object.fromEntries(this.#signatureErrors),
      dropped: this.#dropped,
    };
  }
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
