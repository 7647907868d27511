/**
 * Stories of class F13 in fenced worlds; the entry point of the bundles that run them against
 * mutants of the fence.
 */
import { CLASS_A, LIKE_RFC2136 } from "../../support/memory-provider/behaviour.ts";
import { play } from "./play.ts";
import { usualScript } from "./script.ts";

/** How often a write met a fence, and how many second installations came. */
export interface FencedStory {
  readonly writes: number;
  readonly otherInstallations: number;
}

/** Plays one seed. Throws the first violation, with what had happened. */
export async function playFenced(seed: number): Promise<FencedStory> {
  const options = { isFenced: true, behaviours: [LIKE_RFC2136, CLASS_A] };
  const { tally, otherInstallations } = await play(usualScript(seed, "F13"), options);
  return { writes: tally.get("Z-17"), otherInstallations: otherInstallations.length };
}
