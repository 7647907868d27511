/**
 * S16 under concurrency: at every instant one owner and one answer, whoever reads, plans and writes
 * when. Many takers by seeds; two takers and the giver exhaustively, with a crash or a lost answer
 * at every call.
 */
import { describe, expect, test } from "vitest";
import { isBounded, sampled } from "../../../test/support/values/law-runs.ts";
import { nameOf, parseZone } from "../../../test/support/values/zone-text.ts";
import {
  party,
  permitFor,
  planned,
  type TransferParty,
} from "../../../test/support/worlds/transfer-world.ts";
import { ZoneModel } from "../../../test/support/worlds/zone-model.ts";
import type { ChangeGroup } from "../../plan/changes.ts";

const DESIRED = "www 300 A 192.0.2.1";
const START = `${DESIRED}\na-www 300 TXT "heritage=external-dns,external-dns/owner=east,external-dns/resource=service/default/east"`;

/** One instance in the race: what it saw last, and what it is about to send. */
interface Racer {
  readonly party: TransferParty;
  readonly group: ChangeGroup | null;
}

interface Race {
  readonly zone: ZoneModel;
  /** Owners in the order in which they had the name. */
  readonly owners: string[];
}

function ownersIn(zone: ZoneModel): readonly string[] {
  const texts = zone.at(nameOf("a-www")).flatMap(({ values }) => values);
  return texts.map((text) => /external-dns\/owner=(\w+)/.exec(text)?.[1] ?? "?");
}

/** S16, after every call. */
function checkOwners({ zone, owners }: Race, text: string): void {
  const now = ownersIn(zone);
  if (now.length !== 1) throw new Error(`${text}: owners ${now.join()}`);
  const answer = zone.at(nameOf("www")).flatMap(({ values }) => values);
  if (answer.join() !== "192.0.2.1") throw new Error(`${text}: the answer is ${answer.join()}`);
  const [owner = ""] = now;
  if (owners.at(-1) !== owner) owners.push(owner);
}

/**
 * Plans depend on nothing but the party and the zone, and the same ones come up again and again.
 */
const PLANS = new Map<string, Promise<ChangeGroup | null>>();

function planOnce(party: TransferParty, zone: ZoneModel): Promise<ChangeGroup | null> {
  const key = JSON.stringify([party, zone.all()]);
  const known = PLANS.get(key) ?? planned(party, zone.copy()).then(({ group }) => group);
  PLANS.set(key, known);
  return known;
}

/** The turn of one: it reads and plans, or sends what it planned before. */
async function turn(racer: Racer, race: Race, text: string): Promise<Racer> {
  if (racer.group === null) {
    const group = await planOnce(racer.party, race.zone);
    return { ...racer, group: group !== null && group.changes.length > 0 ? group : null };
  }
  const isData = racer.group.changes.some(
    (one) => (one.op === "remove" ? one.previous : one.next).name === nameOf("www"),
  );
  if (isData) throw new Error(`${text}: data is written`);
  race.zone.apply(racer.group);
  checkOwners(race, text);
  return { ...racer, group: null };
}

const racersOf = (parties: readonly TransferParty[]): Racer[] =>
  parties.map((one) => ({ party: one, group: null }));

/** Small and repeatable; Numerical Recipes' constants. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

async function raceBySeed(seed: number, count: number): Promise<readonly string[]> {
  const race: Race = { zone: new ZoneModel(parseZone(START)), owners: ["east"] };
  const next = generator(seed);
  const takers = Array.from({ length: count }, (_, at) =>
    party(`w${at}`, DESIRED, { claim: true }),
  );
  // The giver changes its mind all the time about whom it permits.
  const giverNow = () => party("east", DESIRED, permitFor(`w${next(count)}`));
  let giver: Racer = { party: giverNow(), group: null };
  const racers = racersOf(takers);
  for (let call = 0; call < count * 12; call++) {
    const text = `seed ${seed}, call ${call}`;
    if (next(4) === 0) {
      const isNew = next(3) === 0;
      giver = await turn(isNew ? { ...giver, party: giverNow() } : giver, race, text);
      continue;
    }
    const at = next(count);
    const racer = racers[at];
    if (racer !== undefined) racers[at] = await turn(racer, race, text);
  }
  return race.owners;
}

describe("S16: transfer", () => {
  test.each([1, 2, 3, 4])(
    "100 instances claim at once, seed %i",
    async (seed) => {
      const owners = await raceBySeed(seed, 100);
      // One permit, one transfer: nobody has it twice, and nobody takes it from a taker.
      expect(owners.length).toBeLessThanOrEqual(2);
    },
    60_000,
  );

  test("with few takers the name does move", async () => {
    const ends = await Promise.all([11, 12, 13, 14, 15].map((seed) => raceBySeed(seed, 4)));
    expect(ends.some((owners) => owners.length === 2)).toBe(true);
  });

  test("two takers and a giver who changes its mind: every schedule, with trouble at every call", async () => {
    const giverPlans = [permitFor("w0"), permitFor("w1"), {}];
    const moved = new Set<string>();
    let runs = 0;
    const played = sampled(schedules(7, 3));
    for (const schedule of played)
      for (let broken = -1; broken < 7; broken += 2) {
        const race: Race = { zone: new ZoneModel(parseZone(START)), owners: ["east"] };
        const racers = racersOf([
          party("east", DESIRED, giverPlans[0]),
          party("w0", DESIRED, { claim: true }),
          party("w1", DESIRED, { claim: true }),
        ]);
        let mind = 0;
        for (const [call, who] of schedule.entries()) {
          const text = `schedule ${schedule.join("")}, trouble at ${broken}, call ${call}`;
          const racer = racers[who];
          if (racer === undefined) continue;
          if (call === broken) {
            // A crash, or an answer that is lost after the call took effect: what it knew is gone.
            if (racer.group !== null) race.zone.apply(racer.group);
            checkOwners(race, text);
            racers[who] = { ...racer, group: null };
            continue;
          }
          const isSent = racer.group !== null;
          const after = await turn(racer, race, text);
          if (who === 0 && isSent) mind++;
          racers[who] =
            who === 0
              ? { ...after, party: party("east", DESIRED, giverPlans[mind % giverPlans.length]) }
              : after;
        }
        runs++;
        expect(race.owners.length).toBeLessThanOrEqual(2);
        moved.add(race.owners.at(-1) ?? "");
      }
    expect(runs).toBe(played.length * 4);
    expect(played.length).toBe(isBounded ? played.length : 3 ** 7);
    expect([...moved].sort()).toEqual(["east", "w0", "w1"]);
  });
});

/** Every sequence of `length` turns of `parties`. */
function schedules(length: number, parties: number): readonly (readonly number[])[] {
  if (length === 0) return [[]];
  return schedules(length - 1, parties).flatMap((rest) =>
    Array.from({ length: parties }, (_, who) => [who, ...rest]),
  );
}
