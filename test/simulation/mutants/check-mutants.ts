/**
 * Programs that do what a check is there to see: each with a seed whose story ends in that check's
 * violation with it and holds without it, so that no check is silent about what its text says. Data
 * only.
 */
import type { Mutant } from "./mutant.ts";

/** A mutant, and the story that it ends. */
export interface CheckMutant extends Mutant {
  readonly seed: number;
  /** Fault class whose story it is. */
  readonly only: string;
  /** How the violation's message goes. */
  readonly ends: RegExp;
}

/** D36: the old type goes in a call of its own, and the new one comes with a later one. */
const GAP: Mutant = {
  drops: "D36 the old type goes in one call with the new one",
  clause: "type-change-is-one-call",
  to: 'changes.filter(({ reason }, _, all) => reason.code === "TypeChanged" || all.every((one) => one.reason.code !== "TypeChanged"))',
};

/** Services and Ingresses hear nothing of how their entries stand. */
const MUTE: Mutant = {
  drops: "L3 whoever wants a name is told how it stands",
  clause: "first-message-is-an-event",
  to: "if (subject !== '') return []; $&",
};

export const CHECK_MUTANTS: readonly CheckMutant[] = [
  { ...GAP, seed: 1, only: "F08", ends: /^S7: .* is gone, and nothing is there in its place/ },
  { ...GAP, seed: 3, only: "F11", ends: /^S7: .* is gone, and nothing is there in its place/ },
  { ...MUTE, seed: 1, only: "F11", ends: /^L3: \S+ was told \[.*\] of / },
];
