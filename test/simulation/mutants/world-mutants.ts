/**
 * Mutants of the program that stories of one fault class have to end, each in the violation that it
 * is here for. Data only.
 */
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
    seed: 9,
    violation: "S17:",
    file: "src/gardener/dns-entry/decide-entry.ts",
    from: "return shown(context, { state: applied, message: selection.message });",
    to: "return decideEmptied(context);",
  },
  {
    drops: "Z-16 a weak proof lets three go, whatever the strong limit is",
    only: "F19",
    seed: 14,
    violation: "S5:",
    file: "src/plan/fuse.ts",
    from: "export const FUSE_WEAK_MAX = 3;",
    to: "export const FUSE_WEAK_MAX = 1e9;",
  },
  {
    drops: "Z-16 a weak proof never takes the last owned name",
    only: "F19",
    seed: 29,
    violation: "S5: the last owned name",
    file: "src/plan/fuse.ts",
    from: "return input.losesLastName && next.some((item) => item.weak);",
    to: "return false;",
  },
];
