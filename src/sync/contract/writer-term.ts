/** The term of leadership, as the writers of zones need it (Z-17). Interface only. */

/** One term of one leader; it ends with the process or with the Lease. */
export interface WriterTerm {
  /**
   * Election domain, the same on every replica and at every start: its configured name, else
   * cluster UID, Lease namespace and name. Null = it cannot be known, so that no fence can be
   * written.
   */
  readonly domain: string | null;
  /** The domain that a named election would have without its name. Absent = none is known. */
  readonly unnamed?: string;
  /** Higher than that of any term of the domain before. */
  readonly epoch: number;
  /**
   * Random, another one for each term: copies of one cluster have the same domain and may have the
   * same epoch. Null = the terms of the domain cannot be told apart.
   */
  readonly id: string | null;
  /**
   * A copy of our cluster wrote the record with this epoch: nobody else can have. Null = none is
   * known.
   */
  readonly copyEpoch: number | null;
  /**
   * Milliseconds until nothing more may be sent; 0 = over, infinite = there is no Lease that could
   * be lost.
   */
  remainingMs(): number;
  /**
   * Milliseconds that must remain for a call to be begun in a zone without a fence record: as long
   * as a call may take.
   */
  readonly marginMs: number;
  /**
   * A zone shows another term of the domain, of this epoch or a later one: the term is over, and
   * the next one must be higher than `epoch`. `replacedUs`: the record of this term was there
   * before.
   */
  outdated(epoch: number, replacedUs: boolean): void;
}
