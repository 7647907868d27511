/** Mutants of the program that stories of one fault class have to end, each in the violation that it is here for. Data only. */
import type { Mutant } from "./mutant.ts";

/** A rule that is dropped, and where its loss shows. */
export interface WorldMutant extends Mutant {
  /** Fault class whose stories are played. */
  readonly only: string;
  /** A seed that has shown it: tried first. */
  readonly seed: number;
  /** How the message of its violation begins. */
  readonly violation: string;
}

export const WORLD_MUTANTS: readonly WorldMutant[] = [
  {
    drops: "S17 an entry whose DNSProvider is deleted keeps what stands",
    only: "F15",
    seed: 1,
    violation: "S17:",
    file: "src/gardener/entry/decide.ts",
    from: "return shown(world, { state: applied, message: selection.message });",
    to: "return decideEmptied(world);",
  },
];
