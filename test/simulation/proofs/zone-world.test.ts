/**
 * Proof 5 (docs/safety.md#proof-5), what zone-cuts.test.ts leaves out: zones that vanish, that two
 * providers share, loads that overlap writes, and own writes that cause no listing. Each is seen to
 * fail with a mutant.
 */
import { expect, test } from "vitest";
import { CLASS_A, LIKE_AZURE, LIKE_RFC2136 } from "../../support/memory-provider/behaviour.ts";
import { importMutated, type Mutant } from "../mutants/mutant.ts";
import {
  deletedAmongTwins,
  listingsOfOwnWrites,
  playOverlaps,
  playShared,
  playVanishing,
} from "./proof-zones.ts";

const PLAYS = { deletedAmongTwins, listingsOfOwnWrites, playOverlaps, playShared, playVanishing };
type Plays = typeof PLAYS;
type Play = "playVanishing" | "playShared" | "playOverlaps";

const SEEDS = Number(process.env["ZONEKEEPER_SEEDS"] ?? 4);
const FIRST = Number(process.env["ZONEKEEPER_FIRST_SEED"] ?? 1);
/** A mutant ends at its first fault: the seed that kills it moves with unrelated code. */
const MUTANT_SEEDS = 60;
const RELOAD_MS = 300_000;
const RELOAD_WITHOUT_TOKEN_MS = 60_000;

const STORIES: readonly (readonly [string, Play])[] = [
  ["Z-18 zones vanish and appear", "playVanishing"],
  ["Z-18 two providers share a zone", "playShared"],
  ["Z-6 loads overlap writes", "playOverlaps"],
];

test.each(STORIES)("%s: nothing loses its last answer, all is as wanted", async (_, play) => {
  let stake = 0;
  for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
    const story = await PLAYS[play](seed);
    const { faults, diary } = story;
    stake += story.stake;
    expect(faults.length === 0 ? [] : [`seed ${seed}`, ...faults, ...diary]).toEqual([]);
  }
  expect(stake, "it happened often enough to be seen").toBeGreaterThan(SEEDS);
});

/** One mutant's first fault in these many seeds; null = it lives. */
async function firstFault(play: Play, mutant: Mutant): Promise<string | null> {
  // The bundle has just been made from a file of ours that exports these functions.
  const mutated = (await importMutated("proofs/proof-zones.ts", mutant)) as Plays;
  for (let seed = FIRST; seed < FIRST + MUTANT_SEEDS; seed++) {
    const [fault] = (await mutated[play](seed)).faults;
    if (fault !== undefined) return fault;
  }
  return null;
}

const MUTANTS: readonly (Mutant & { readonly play: Play })[] = [
  {
    play: "playVanishing",
    drops: "Z-18 a zone that is missing from a listing is not gone",
    clause: "unlisted-zone-stays-known",
    to: "this.#known.clear(); $&",
    also: [
      {
        clause: "moved-name-is-published",
        to: "() => true",
      },
      {
        clause: "moved-name-is-delegated",
        to: "false",
      },
    ],
  },
  {
    play: "playShared",
    drops: "Z-2 another account that lists the name omits nothing",
    clause: "latest-lister-counts",
    to: "const isHere = true;",
  },
  {
    play: "playOverlaps",
    drops: "Z-8 what a load has read is asserted by what is written",
    clause: "loaded-records-are-preconditions",
    to: "const preconditions = [];",
  },
];

test.each(MUTANTS)("without $drops it happens", async ({ play, ...mutant }) => {
  expect(await firstFault(play, mutant)).not.toBeNull();
});

test("Z-18 one zone under two identities is found to be one, and its names come and go", async () => {
  const { status, among, alone } = await deletedAmongTwins();
  expect(status).toBe("null");
  expect({ among, alone }).toEqual({ among: [], alone: [] });
});

const LISTINGS = [
  ["with a change token that tells records", LIKE_RFC2136, RELOAD_MS],
  ["with a change token that tells names", CLASS_A, RELOAD_MS],
  ["with a change token, slow", { ...CLASS_A, latencyMs: 800 }, RELOAD_MS],
  ["without one, step by step", LIKE_AZURE, RELOAD_WITHOUT_TOKEN_MS],
] as const;

test.each(LISTINGS)("Z-6 own writes cause no listing: %s", async (_, behaviour, reloadMs) => {
  const { lists, regular, shown } = await listingsOfOwnWrites(behaviour, reloadMs);
  expect(shown).toBe(245);
  expect(lists).toBeLessThanOrEqual(regular);
});

test("Z-6 a mutant that takes own writes for those of others lists the zone for them", async () => {
  const mutated = (await importMutated("proofs/proof-zones.ts", {
    drops: "Z-6 movement of the token is read minus our own outcomes",
    clause: "own-writes-move-no-token",
    to: "const foreign = names;",
  })) as Plays;
  const { lists, regular } = await mutated.listingsOfOwnWrites(CLASS_A, RELOAD_MS);
  expect(lists).toBeGreaterThan(regular);
});
