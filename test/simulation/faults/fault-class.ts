/**
 * What a class of faults is: something that happens at an event of the script, and what calls meet
 * until the next.
 */
import type { ActContext } from "../world/users.ts";
import type { Weather, WorldOptions } from "../world/world.ts";

/** One class of docs/invariants.md. Counts in `world.tally` when it has really happened. */
export interface FaultClass {
  /** `F07`. */
  readonly id: string;
  /** For the table of a campaign. */
  readonly title: string;
  /** What its worlds are made of; absent = nothing special. */
  readonly world?: Partial<Omit<WorldOptions, "seed">>;
  /** Happens now to the instance of the scene; answers the weather until the next event. */
  strike(context: ActContext): Partial<Weather>;
}
