/**
 * Histories of proof 5 (docs/safety.md#proof-5): the entry of the bundles in which mutants play
 * them. Each answers what went wrong.
 */
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import {
  CLASS_A,
  LIKE_AZURE,
  LIKE_RFC2136,
  type MemoryBehaviour,
} from "../../support/memory-provider/behaviour.ts";
import { SharedZone } from "./shared-zone.ts";
import { CHILD, CutWorld, NAMES, PARENT } from "./zone-cuts.ts";

/** What is wrong, then the diary; and what was at stake. */
export interface ZoneStory {
  readonly faults: readonly string[];
  readonly diary: readonly string[];
  /** How often what the story is about happened. */
  readonly stake: number;
}

const STEPS = 25;
/** Longer than a listing of zones, a reload and a back-off. */
const QUIET_MS = 400_000;
const SLOW = { latencyMs: 1_500, setsPerPage: 3 } as const;
const SHARED_NAMES: readonly DnsName[] = ["a", "b", "c", "d", "e"].map((label) =>
  trustedDnsName(`${label}.example.org`),
);

/** Zones that vanish from the listing and appear again, while delegations change. */
export async function playVanishing(seed: number): Promise<ZoneStory> {
  const world = new CutWorld(seed);
  const { random, instance } = world;
  let vanished = 0;
  // It appears only later: a process that never saw it may start without it.
  if (random.chance(0.3)) world.hide(CHILD, true);
  instance.start();
  for (let step = 0; step < STEPS; step++) {
    const kind = random.below(12);
    if (kind < 5) world.want(random.pick(NAMES), `192.0.2.${step + 1}`);
    else if (kind < 6) world.want(random.pick(NAMES), null);
    else if (kind < 8) world.delegate(random.pick(["nobody", "ours", "ours", "others"]));
    else if (kind < 11) {
      const zone = random.pick([CHILD, CHILD, PARENT]);
      vanished += world.hidden.has(zone) ? 0 : 1;
      world.hide(zone, !world.hidden.has(zone));
    } else {
      instance.kill();
      instance.start();
    }
    // The longest is longer than the time between two listings.
    await world.clock.advance(random.pick([150, 6_000, 30_000, 130_000]));
  }
  for (const zone of [PARENT, CHILD]) world.hide(zone, false);
  await world.clock.advance(QUIET_MS);
  const faults = [...world.losses, ...world.faults()];
  return { faults, diary: world.diary, stake: vanished };
}

/**
 * One zone that two accounts show, as the same or as two, and entries that go from one to the
 * other.
 */
export async function playShared(seed: number): Promise<ZoneStory> {
  const isTwin = seed % 2 === 0;
  const base: MemoryBehaviour = seed % 4 < 2 ? LIKE_RFC2136 : { ...CLASS_A, changeToken: "none" };
  const behaviour = { ...base, ...SLOW };
  const world = new SharedZone({ seed, behaviour, accounts: 2, isTwin });
  await playSlow(world);
  return { ...(await settle(world)), stake: world.handovers };
}

/**
 * A name is deleted while two accounts show its zone under two identities: what it shows then, and
 * when one is left. One write proves that both are one zone.
 */
export async function deletedAmongTwins(): Promise<{
  readonly status: string;
  readonly among: readonly string[];
  readonly alone: readonly string[];
}> {
  const world = new SharedZone({ seed: 2, behaviour: LIKE_RFC2136, accounts: 2, isTwin: true });
  const name = trustedDnsName("a.example.org");
  const other = trustedDnsName("b.example.org");
  world.serve((index) => index === 0);
  world.instance.start();
  for (const one of [name, other]) world.want(one, "192.0.2.1");
  await world.clock.advance(QUIET_MS);
  // Both are open from now on: what went to the first goes to the second.
  world.serve((index) => index === 1);
  await world.clock.advance(QUIET_MS);
  world.want(name, null);
  await world.clock.advance(QUIET_MS);
  const [status, among] = [world.status(name), world.shown(name)];
  // The first was excluded before; a new process does not open it again.
  world.instance.kill();
  world.instance.start();
  await world.clock.advance(QUIET_MS);
  return { status, among, alone: world.shown(name) };
}

/** One zone and calls so slow that loads overlap what others write there; step by step, too. */
export async function playOverlaps(seed: number): Promise<ZoneStory> {
  const base = seed % 2 === 0 ? LIKE_AZURE : LIKE_RFC2136;
  const behaviour: MemoryBehaviour = { ...base, ...SLOW, changeToken: "none" };
  const world = new SharedZone({ seed, behaviour, accounts: 2, isTwin: false });
  const { random, clock } = world;
  // When a load has seen the zone and is still on its way back, a person takes a name and somebody
  // wants it.
  world.onLoading = () => {
    if (!random.chance(0.5)) return;
    const name = random.pick(SHARED_NAMES);
    clock.setTimer(SLOW.latencyMs * 0.7, () => {
      world.byHand(name, "198.51.100.1");
      if (random.chance(0.7)) world.want(name, "192.0.2.200");
    });
  };
  await playSlow(world);
  world.onLoading = null;
  return settle(world);
}

async function playSlow(world: SharedZone): Promise<void> {
  const { random, instance } = world;
  instance.start();
  for (let step = 0; step < STEPS; step++) {
    const kind = random.below(12);
    const name = random.pick(SHARED_NAMES);
    if (kind < 5) world.want(name, `192.0.2.${step + 1}`);
    else if (kind < 6) world.want(name, null);
    else if (kind < 8) world.byHand(name, random.chance(0.6) ? "198.51.100.1" : null);
    else if (kind < 11) {
      const serving = random.below(3);
      world.serve((index) => serving === 2 || index === serving);
    } else {
      instance.kill();
      instance.start();
    }
    await world.clock.advance(random.pick([500, 2_000, 9_000, 45_000]));
  }
}

async function settle(world: SharedZone): Promise<ZoneStory> {
  for (const name of SHARED_NAMES) world.byHand(name, null);
  world.serve((index) => index === 0);
  world.instance.kill();
  world.instance.start();
  await world.clock.advance(QUIET_MS);
  const ends = SHARED_NAMES.flatMap((name) => {
    const [wanted, shown] = [world.wanted.get(name) ?? "", world.shown(name).join()];
    return wanted === shown
      ? []
      : [`${name} wanted [${wanted}], shows [${shown}], ${world.status(name)}`];
  });
  return { faults: [...world.losses, ...ends], diary: world.diary, stake: world.overlaps };
}

/**
 * How often the whole zone is listed while nobody but us writes to it, beyond its regular reload.
 */
export async function listingsOfOwnWrites(
  behaviour: MemoryBehaviour,
  reloadMs: number,
): Promise<{ readonly lists: number; readonly regular: number; readonly shown: number }> {
  const world = new SharedZone({ seed: 1, behaviour, accounts: 1, isTwin: false });
  const names = Array.from({ length: 250 }, (_, index) => trustedDnsName(`n${index}.example.org`));
  world.instance.start();
  await world.clock.advance(10_000);
  const { lists } = world;
  // More at once than would be read name by name, then one at a time, changed and removed.
  for (const name of names) world.want(name, "192.0.2.1");
  await world.clock.advance(60_000);
  for (const [index, name] of names.slice(0, 20).entries()) {
    world.want(name, index % 4 === 3 ? null : "192.0.2.2");
    await world.clock.advance(7_000);
  }
  // The first load is as old as the process.
  const regular = Math.floor(world.clock.monotonicMs() / reloadMs);
  const shown = names.filter((name) => world.shown(name).length > 0).length;
  return { lists: world.lists - lists, regular, shown };
}
