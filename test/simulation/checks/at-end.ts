/**
 * What must hold when all trouble is over: liveness (L1 to L5), and that nothing more happens for
 * any reason but a new one.
 */
import { kindText } from "@zonekeeper/kube/objects/kubernetes";
import { DNS_ENTRY } from "../../../src/model/kinds.ts";
import type { RecordSet } from "../../../src/model/record-set.ts";
import type { MemoryCluster } from "../../support/worlds/memory-cluster.ts";
import { CANARY, type Instance, RELOAD_MS } from "../world/instance.ts";
import { switchOnAtEnd } from "../world/owned.ts";
import { CALM, type World } from "../world/world.ts";
import { type Claimed, claimsOf, contentText, isMixed, keyText } from "../world/zone-truth.ts";
import { approveAll, removeOrphans } from "./approvals.ts";
import { isOrphan } from "./arrival-checks.ts";
import { checkConverged, hasSharedMarker, Violation } from "./checks.ts";
import { isContested } from "./fence-checks.ts";
import { checkRacesEnded } from "./merged-values.ts";
import { checkReported, isProviderKept } from "./status-checks.ts";

/**
 * Milliseconds after the end of trouble until everything stands; less than a reload, which must not
 * be needed.
 */
const CONVERGED_MS = 240_000;
const HOUR_MS = 3_600_000;
const APPROVALS = 4;
/** Milliseconds until a zone has been read, and until a fence is written. */
const SETTLED_MS = 30_000;

/**
 * The end of trouble: first what must have converged, then what must be quiet, then what drift
 * does.
 */
export async function checkAtEnd(world: World): Promise<void> {
  const { instances } = world;
  world.weather = CALM;
  world.note("calm");
  world.random.reseed(1);
  // Who was to crash with the call in flight has crashed.
  await pass(world, world.zone.behaviour.latencyMs);
  for (const account of world.accounts.values()) account.heal();
  for (const instance of instances) {
    instance.restoreProviders();
    switchOnAtEnd({ world, instance });
    // Z-12: step by step, nothing that a wildcard covers can be marked by the form `label`; it is
    // held, and said.
    const isHeld = instance.template === "label" && world.zone.behaviour.atomicity !== "zone";
    if (instance.isDryRun || isHeld) instance.kill();
    if (!instance.isRunning) instance.start();
  }
  if (world.otherInstallations.length > 0) await settle(world);
  await converge(world);
  if (world.poisoned !== null) await cure(world);
  // A stranger's write in the very moment of ours may be seen with the next reload only.
  await pass(world, 2 * RELOAD_MS - CONVERGED_MS);
  await checkQuiet(world, "L2", RELOAD_MS + 30_000);
  checkRacesEnded(world.content());
  world.auditor.checkMarked();
  for (const instance of instances) checkAllReported(world, instance);
  checkCanary(world);
  await checkRestart(world);
  await checkDrift(world);
}

/** Z-17: once a person has said whose an owner id is, its installation goes on. */
async function settle(world: World): Promise<void> {
  await pass(world, SETTLED_MS);
  // A process that learns from the command that its term is over says so, or ends before it
  // answers; the command is repeated, then.
  for (let tries = 0; tries < 2; tries++) {
    let isSettled = false;
    void world.settleOwners().then((takings) => {
      isSettled = takings.every(({ status }) => status === "fulfilled");
    });
    await pass(world, SETTLED_MS);
    if (isSettled) break;
  }
  for (const { owner } of world.instances)
    if (isContested(world.content(), owner))
      throw new Violation(`Z-17: ${owner} is contested after a person has settled it`);
}

/**
 * L1 and L4 after a bounded time; whatever the fuse holds is approved meanwhile, and orphans that
 * are known to be such are ordered away.
 */
async function converge(world: World): Promise<void> {
  for (let round = 0; round < APPROVALS; round++) {
    await pass(world, CONVERGED_MS / APPROVALS);
    await approveAll(world);
    await removeOrphans(world);
  }
  await approveAll(world);
  await pass(world, 10_000 + askingInVainMs(world));
  checkShown(world);
}

/**
 * Z-19: milliseconds that a deleted entry asks for after a zone that went while another has its
 * name: an hour by the clock of its process, which may be behind that of the API server; 0 = none
 * does.
 */
function askingInVainMs({ instances, clock }: World): number {
  const waits = instances.flatMap(({ cluster }) =>
    cluster
      .all(DNS_ENTRY)
      .filter((entry) =>
        JSON.stringify(entry["status"] ?? null).includes(
          "another zone has its name; the entry is released",
        ),
      )
      .map(({ metadata }) => Date.parse(metadata.deletionTimestamp ?? "") - clock.nowMs()),
  );
  return waits.length === 0 ? 0 : HOUR_MS + Math.max(0, ...waits);
}

/**
 * S14: while one name is refused for good the others converge; then it is cured, and converges,
 * too.
 */
async function cure(world: World): Promise<void> {
  world.note(`${world.poisoned} is not refused any more`);
  world.poisoned = null;
  await pass(world, CONVERGED_MS);
  checkShown(world);
}

function checkShown(world: World): void {
  for (const instance of world.instances) {
    if (isProviderKept(instance)) continue;
    world.tally.add("L1");
    world.tally.add("L4");
    const { truth, owner, cluster } = instance;
    const { clusterId } = cluster;
    const { ttl } = world.zone.behaviour;
    checkConverged(world.content(), { truth, owner, clusterId, ttl, poisoned: world.poisoned });
  }
}

/** Nothing is written any more, to the zone or to objects. */
async function checkQuiet(world: World, id: string, forMs: number): Promise<void> {
  const { ownWrites } = world.auditor;
  const clusterWrites = world.instances.map(({ cluster }) => cluster.writes.length);
  await pass(world, forMs);
  world.tally.add(id);
  if (world.auditor.ownWrites !== ownWrites)
    throw new Violation(`${id}: the zone is written again and again`);
  for (const [index, { cluster }] of world.instances.entries()) {
    const again = notAlarms(cluster, cluster.writes.slice(clusterWrites[index]));
    if (again.length > 0) throw new Violation(`${id}: objects are written again: ${again.at(-1)}`);
  }
}

/**
 * What was written for another reason than that the hour of an object without an address has ended
 * (Z-4), which is told once.
 */
function notAlarms(cluster: MemoryCluster, writes: readonly string[]): readonly string[] {
  const alarmed = cluster
    .all(DNS_ENTRY)
    .filter((entry) => JSON.stringify(entry["status"] ?? null).includes("dangling:"))
    .map(({ metadata }) => `write ${kindText(DNS_ENTRY)} ${metadata.namespace}/${metadata.name}`);
  return writes.filter((write, at) => !alarmed.includes(write) || writes.indexOf(write) !== at);
}

/** L3: whoever wants a name is told what became of it. */
function checkAllReported(world: World, instance: Instance): void {
  const starts = `${instance.owner}: process started`;
  const wasRestarted = world.diary.filter((line) => line.includes(starts)).length > 1;
  world.tally.add("L3", checkReported({ instance, content: world.content(), wasRestarted }));
}

/** S11: no secret in a log, an Event or an object that is not the Secret itself. */
function checkCanary({ log, instances, tally }: World): void {
  tally.add("S11");
  const texts = [
    ...log.lines.map((line) => JSON.stringify(line)),
    ...instances.flatMap(({ cluster }) => [
      ...cluster.events.map((event) => JSON.stringify(event)),
      ...cluster.all(DNS_ENTRY).map((entry) => JSON.stringify(entry)),
    ]),
  ];
  const spilled = texts.find((text) => text.includes(CANARY) || text.includes(btoa(CANARY)));
  if (spilled !== undefined) throw new Violation(`S11: a secret stands in ${spilled}`);
}

/**
 * S9, S15: a process that begins anew, in whatever order it hears of things, has nothing to do.
 * Only what an object with a mistake named before is held no longer by the first one: nobody
 * remembers that (Z-2, "last known"). Nor are former names of objects that get such a name then
 * (Z-32).
 */
async function checkRestart(world: World): Promise<void> {
  const isHeld = (name: string): boolean =>
    world.instances.some(({ truth }) =>
      truth.objects().some((one) => !one.settled && truth.everNamed(one.resource).has(name)),
    );
  const isRemembered = ({ name }: RecordSet): boolean =>
    isHeld(name) ||
    world.instances.some(({ truth }) =>
      truth
        .objects()
        .some(({ resource, names }) => truth.everNamed(resource).has(name) && names.some(isHeld)),
    );
  const settled = (set: RecordSet): boolean => !isRemembered(set);
  // What a second process has stored of its sightings is read by the next process.
  if (world.instances.some(({ hadTwin }) => hadTwin)) await restartAll(world, 1);
  const { ownWrites } = world.auditor;
  await checkRestartOf(world, 2, settled);
  // A name that one owner released is free for another owner after its next read of the zone.
  if (world.auditor.ownWrites !== ownWrites) await pass(world, RELOAD_MS + 30_000);
  await checkRestartOf(world, 3, () => true);
  for (const id of ["S9", "S15"]) world.tally.add(id);
}

async function restartAll(world: World, seed: number): Promise<void> {
  world.random.reseed(seed);
  for (const instance of world.instances) {
    instance.kill();
    instance.start();
  }
  await pass(world, 60_000);
}

async function checkRestartOf(
  world: World,
  seed: number,
  pollsAt: (set: RecordSet) => boolean,
): Promise<void> {
  const before = dataOf(world, pollsAt);
  await restartAll(world, seed);
  const after = dataOf(world, pollsAt);
  if (after !== before)
    throw new Violation(`S9: a restart changed data\nfrom\n${before}\nto\n${after}`);
}

/**
 * S19: a process that writes markers in another form, and back, leaves the data alone. Then L5:
 * drift is repaired. What waits at a name for a person who has to move a text (S13) may come with a
 * restart that knows less of its neighbour.
 */
async function checkDrift(world: World): Promise<void> {
  const [instance] = world.instances;
  if (instance === undefined) return;
  const isFree = (set: RecordSet): boolean => !hasSharedMarker(world.content(), set.name);
  const before = dataOf(world, isFree);
  for (const template of ["label", "typed"] as const) {
    instance.kill();
    instance.start({ template, writeCluster: template === "label" });
    await pass(world, 30_000);
    world.tally.add("S19");
    if (dataOf(world, isFree) !== before)
      throw new Violation(`S19: data changed with the form ${template}`);
  }
  const claims = claimsOf(world.content());
  const own = claims.find(
    (claim) =>
      claim.owner === instance.owner &&
      !isMixed(claim.set) &&
      isWantedByOne(claim, instance, world) &&
      !isShared(claim, claims, instance.owner) &&
      !hasSharedMarker(world.content(), claim.set.name),
  );
  if (own === undefined) return;
  const isOther = (set: RecordSet): boolean => isFree(set) && keyText(set) !== keyText(own.set);
  const others = dataOf(world, isOther);
  world.foreign("drift", () => {
    world.zone.content.write([{ key: own.set, next: null }], world.clock.monotonicMs());
  });
  await pass(world, RELOAD_MS + 30_000);
  world.tally.add("L5");
  const back = world.content().find((set) => keyText(set) === keyText(own.set));
  // Without a wish it comes back with the TTL of what is created (Z-21).
  const asksForTtl = instance.truth.get(own.resource ?? "")?.ttlSeconds !== null;
  const expected = asksForTtl ? own.set : { ...own.set, ttlSeconds: back?.ttlSeconds ?? 0 };
  const isBack = back !== undefined && contentText(back) === contentText(expected);
  if (!isBack || dataOf(world, isOther) !== others)
    throw new Violation(`L5: ${contentText(own.set)} is not back after it was removed by hand`);
}

/**
 * Wanted by the object in its marker, and by no other, so that nobody doubts that it has to come
 * back. Another owner's cluster may have an object of the same name: the marker does not speak of
 * that one.
 */
function isWantedByOne(
  claim: Claimed,
  { truth, cluster }: Instance,
  { instances }: World,
): boolean {
  const { set, resource, isMarker } = claim;
  if (isMarker || resource === null) return false;
  if (isOrphan(claim, { truth, clusterId: cluster.clusterId })) return false;
  const objects = instances.flatMap((one) => one.truth.objects());
  const listing = objects.filter(({ names }) => names.includes(set.name));
  if (listing.length > 1) return false;
  const own = truth.get(resource);
  if (own?.names.includes(set.name) !== true) return false;
  return own.settled && own.types.includes(set.type);
}

/** Somebody else has data at the name, too: once ours is gone the name is theirs (Z-15). */
function isShared({ set }: Claimed, claims: readonly Claimed[], owner: string): boolean {
  return claims.some(
    (other) => !other.isMarker && other.set.name === set.name && other.owner !== owner,
  );
}

/** Everything but markers and what the server itself changes. */
function dataOf(world: World, pollsAt: (set: RecordSet) => boolean = () => true): string {
  return claimsOf(world.content())
    .filter(({ set, isMarker }) => !isMarker && set.type !== "SOA" && pollsAt(set))
    .map(({ set }) => contentText(set))
    .sort()
    .join("\n");
}

async function pass(world: World, forMs: number): Promise<void> {
  await world.clock.advance(forMs);
  if (world.auditor.violation !== null) throw world.auditor.violation;
}
