/**
 * F18, Z-16: another version with another default of the TTL serves a zone. Its first plan would
 * change every record set; so many updates wait for a person, in however many slices and restarts
 * they come, and those of users afterwards do not.
 */
import { DNS_ENTRY } from "../../../src/model/kinds.ts";
import { CLASS_A, LIKE_AZURE } from "../../support/memory-provider/behaviour.ts";
import { Violation } from "../checks/checks.ts";
import { wantedBySpec } from "../world/desired-names.ts";
import type { Instance, StartHow } from "../world/instance.ts";
import { World } from "../world/world.ts";
import { reported } from "./play.ts";

/** Z-16, for updates: more than this share, and at least so many. */
const SHARE = 0.3;
const LEAST = 10;
const NAMES_LEAST = 12;
const NAMES_MOST = 24;
const SLICES = 8;
/** Milliseconds; longer than the first plan of a process lasts (ADR 0019). */
const FIRST_PLAN_MS = 660_000;
const OLD: StartHow = { version: "1", ttlSeconds: 300 };
const NEW: StartHow = { version: "2", ttlSeconds: 600 };

/** Plays one seed; answers how many updates were held. Throws the first violation. */
export async function playVersion(seed: number): Promise<number> {
  let held = 0;
  const world = new World({ seed, behaviours: [CLASS_A, LIKE_AZURE], owners: 1, fuseMin: 10 });
  await reported(world, async () => {
    held = await upgrade(world);
  });
  return held;
}

async function upgrade(world: World): Promise<number> {
  const { random } = world;
  const [instance] = world.instances;
  if (instance === undefined) throw new Error("the world has no instance");
  const count = NAMES_LEAST + random.below(NAMES_MOST - NAMES_LEAST + 1);
  instance.start(OLD);
  for (let index = 0; index < count; index++) apply(instance, index, "192.0.2.1");
  await pass(world, FIRST_PLAN_MS);
  if (changed(world, 300) !== count) throw new Violation("L1: not every name stands");
  instance.kill();
  instance.start(NEW);
  for (let slice = 0; slice < SLICES; slice++) {
    await pass(world, random.below(4_000));
    checkHeld(world, count);
    if (!random.chance(0.3)) continue;
    instance.kill();
    instance.start(NEW);
  }
  await pass(world, FIRST_PLAN_MS);
  checkHeld(world, count);
  const held = count - changed(world, 600);
  await approve(world, instance);
  await pass(world, FIRST_PLAN_MS);
  if (changed(world, 600) !== count)
    throw new Violation(`L4: ${count - changed(world, 600)} updates wait after their approval`);
  for (let index = 0; index < count; index++) apply(instance, index, "192.0.2.2");
  await pass(world, FIRST_PLAN_MS);
  if (shown(world, "192.0.2.2") !== count) throw new Violation("L1: edits of users are held");
  return held;
}

function apply({ cluster, truth }: Instance, index: number, address: string): void {
  const [namespace, name] = ["default", `v${index}`];
  const spec = { dnsName: `${name}.example.org`, targets: [address] };
  const desired = wantedBySpec(`dnsentry/${namespace}/${name}`, spec);
  if (desired === null) throw new Error(`${name} is broken`);
  truth.applied(desired);
  const apiVersion = "dns.gardener.cloud/v1alpha1";
  cluster.apply(DNS_ENTRY, { apiVersion, kind: "DNSEntry", metadata: { namespace, name }, spec });
}

async function approve(world: World, instance: Instance): Promise<void> {
  await instance.approve((removals) => {
    if (removals.length > 0) throw new Violation("S5: an update is held as a removal");
  });
  world.note("what is held is approved");
}

/** S5: what a version that nobody has approved has changed. */
function checkHeld(world: World, count: number): void {
  const most = Math.max(LEAST - 1, Math.floor(SHARE * count));
  const updates = changed(world, 600);
  if (updates > most)
    throw new Violation(`S5: a new version has changed ${updates} of ${count}, ${most} may change`);
}

/** Address records with this TTL, seconds. */
function changed(world: World, ttlSeconds: number): number {
  return world.content().filter((set) => set.type === "A" && set.ttlSeconds === ttlSeconds).length;
}

function shown(world: World, address: string): number {
  return world.content().filter(({ type, values }) => type === "A" && values.includes(address))
    .length;
}

async function pass(world: World, forMs: number): Promise<void> {
  await world.clock.advance(forMs);
  if (world.auditor.violation !== null) throw world.auditor.violation;
}
