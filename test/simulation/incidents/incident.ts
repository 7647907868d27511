/**
 * What an incident is: a story that happened to others, told to our program, and the mutants that
 * behave as theirs did.
 */
import type { Mutant } from "../mutants/mutant.ts";

/** One incident of docs/invariants.md. */
export interface Incident {
  /** For the command line. */
  readonly name: string;
  /** `D02`, `P01`. */
  readonly ids: readonly string[];
  /** What happened there. */
  readonly title: string;
  /**
   * Tells it; throws a Violation when our program behaves as theirs did. Answers what happened,
   * line by line.
   */
  readonly tell: () => Promise<readonly string[]>;
  /** Our program with the original's behaviour: the story must end in a Violation. */
  readonly mutants: readonly IncidentMutant[];
}

/** A mutant, and how it has to end. */
export interface IncidentMutant extends Mutant {
  /** What the Violation says where it has to be this one and no other; absent = any. */
  readonly ends?: RegExp;
}
