/**
 * What the stories of whole worlds do not reach, because their clusters answer at once: L6, L7 and
 * S18 with the real watch cache and the real election, L8 with two accounts. Each is seen to fail
 * with a mutant.
 */
import { expect, test } from "vitest";
import { importMutated, type Mutant } from "../mutants/mutant.ts";
import type { playNeighbours, Weather } from "./account-play.ts";
import type { playFailOver } from "./replicas.ts";
import type { playServers, playSilence } from "./watch-play.ts";

const SEEDS = Array.from({ length: 20 }, (_, index) => index + 1);
const WEATHERS: readonly Weather[] = ["throttled", "down", "small-rate"];

/** All of one check: throws a violation, or answers how much it looked at. */
type Play = () => Promise<number>;

interface Check {
  readonly id: string;
  readonly title: string;
  readonly play: (mutant: Mutant | null) => Promise<Play>;
  readonly mutants: readonly Mutant[];
}

async function sumOf(plays: readonly Play[]): Promise<number> {
  let sum = 0;
  for (const play of plays) sum += await play();
  return sum;
}

const CHECKS: readonly Check[] = [
  {
    id: "L6",
    title: "a dead watch is noticed within two bookmark periods",
    play: async (mutant) => {
      // The bundle has just been made from a file of ours that exports this function.
      const module = await importMutated("proofs/watch-play.ts", mutant);
      const { playSilence: play } = module as { readonly playSilence: typeof playSilence };
      return () => sumOf(SEEDS.map((seed) => () => play(seed)));
    },
    mutants: [
      {
        drops: "L6 a silence shorter than two periods",
        clause: "watch-silence-limit",
        to: "150_000",
      },
      {
        drops: "L6 a silent watch is healthy only if no version differs",
        clause: "silent-watch-has-every-version",
        to: "return versions.resourceVersion;",
      },
    ],
  },
  {
    id: "S18",
    title: "no process goes back behind what it or its predecessor has seen",
    play: async (mutant) => {
      // As above.
      const module = await importMutated("proofs/watch-play.ts", mutant);
      const { playServers: play } = module as { readonly playServers: typeof playServers };
      return () =>
        sumOf(SEEDS.flatMap((seed) => [() => play(seed, false), () => play(seed, true)]));
    },
    mutants: [
      {
        drops: "S18 the first list is of the most recent state (kubernetes#59848)",
        clause: "first-list-is-most-recent",
        to: 'next === null ? "0" : null',
      },
      {
        drops: "S18 an older list is not used",
        clause: "older-list-is-not-used",
      },
      {
        drops: "S18 an event that is older than what was seen is not believed",
        clause: "older-event-is-not-used",
      },
    ],
  },
  {
    id: "L7",
    title: "fail-over takes a lease and 5 s at most",
    play: async (mutant) => {
      // As above.
      const module = await importMutated("proofs/replicas.ts", mutant);
      const { playFailOver: play } = module as { readonly playFailOver: typeof playFailOver };
      return () => play(10_000);
    },
    mutants: [
      {
        drops: "L7 a Lease that is not renewed may be taken when its time is over",
        clause: "expired-lease-may-be-taken",
        to: "return unchangedMs >= 2 * waitMs;",
      },
    ],
  },
  {
    id: "L8",
    title: "an account in trouble delays others by nothing",
    play: async (mutant) => {
      // As above.
      const module = await importMutated("proofs/account-play.ts", mutant);
      const { playNeighbours: play } = module as { readonly playNeighbours: typeof playNeighbours };
      return () => sumOf(WEATHERS.map((weather, seed) => () => play(seed + 1, weather)));
    },
    mutants: [
      {
        drops: "L8 each account has a budget of its own",
        clause: "account-has-own-budget",
        to: "const [known] = this.#budgets.values();",
      },
    ],
  },
];

test.each(CHECKS)("$id $title", async ({ play }) => {
  expect(await (await play(null))()).toBeGreaterThan(0);
});

const MUTANTS = CHECKS.flatMap(({ id, play, mutants }) =>
  mutants.map((mutant) => ({ id, play, ...mutant })),
);

test.each(MUTANTS)("without $drops it fails", async ({ id, play, ...mutant }) => {
  await expect((await play(mutant))()).rejects.toThrow(new RegExp(`^${id}: `));
});
