/** Work on something shared, such as a stored value, one caller at a time. */

/** A piece of work begins when the one before has ended, however that ended. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Answers as `work` does. */
  take<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work);
    this.#last = mine.catch(() => undefined);
    return mine;
  }
}
