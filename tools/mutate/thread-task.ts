/** What a thread that runs mutants is told, and where it leaves what it found. */

/** What a thread is started with. */
export interface Task {
  /** Awake while the files are loaded; null = none. */
  readonly awakeAtLoad: number | null;
  /** Null = run every test once with no mutant awake, and tell what each reaches. */
  readonly jobs: readonly Job[] | null;
  /** Titles of tests that are left out; null = none are. */
  readonly skip: string | null;
  /** See BEAT, AT_HAND and OUTCOMES. */
  readonly shared: SharedArrayBuffer;
}

/** One mutant and the tests that may see it, in this order. */
export interface Job {
  readonly mutant: number;
  /** Places in the list of tests, with the questions after which one counts as running for ever. */
  readonly tests: readonly { readonly index: number; readonly asksMax: number }[];
}

/**
 * Places in the shared numbers: grows with each test; the mutant at hand; from here on one for each
 * mutant.
 */
export const BEAT = 0;
export const AT_HAND = 1;
export const OUTCOMES = 2;
/** Outcomes; 0 = not run. */
export const KILLED = 1;
export const ALIVE = 2;
/** The thread ended or stood still: as good as killed. */
export const CRASHED = 3;
/** No test comes by. */
export const UNREACHED = 4;
