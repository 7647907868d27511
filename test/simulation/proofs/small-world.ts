/**
 * A world so small that all of it is walked: three names, two owners, six faults in every order
 * before any of six acts, and a crash at every external call. States that were seen before are not
 * walked again (Engler and Musuvathi, "Static Analysis versus Software Model Checking", 2004, on
 * hashing of states).
 */
import { createHash } from "node:crypto";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { DNS_ENTRY } from "../../../src/model/kinds.ts";
import type { MemoryBehaviour } from "../../support/memory-provider/behaviour.ts";
import { checkConverged, Violation } from "../checks/checks.ts";
import { type EntrySpec, wantedBySpec } from "../world/desired-names.ts";
import type { Instance } from "../world/instance.ts";
import { CALM, type Weather, World } from "../world/world.ts";
import { claimsOf, contentText } from "../world/zone-truth.ts";

/** What may happen between two acts of the users. */
export const SMALL_FAULTS = [
  "crash",
  "lost-answer",
  "stale-list",
  "foreign-write",
  "partial-batch",
  "second-instance",
] as const;

/** One of them. */
export type SmallFault = (typeof SMALL_FAULTS)[number];

/** A crash at the n-th external call, counted from 0. */
export interface CrashAt {
  readonly call: number;
  readonly when: "crash-before" | "crash-after";
}

/** What is walked. */
export interface Walk {
  readonly behaviour: MemoryBehaviour;
  /** By act what comes before it; null or beyond the end = nothing. No more than there are acts. */
  readonly faults: readonly (SmallFault | null)[];
  readonly crash: CrashAt | null;
  /** States that need no second look, by their text; grows. Null = look at all. */
  readonly seen: Set<string> | null;
}

/** How a walk ended. */
export interface Walked {
  /** Data in the zone, sorted; null = a state was met from which everything had been walked. */
  readonly data: string | null;
  /** External calls until the last act had settled. */
  readonly calls: number;
}

const BETWEEN_MS = 3_000;
const FAULT_MS = 2_000;
const CONVERGED_MS = 130_000;
const [N0, N1, N2] = ["n0.example.org", "n1.example.org", "a-n0.example.org"] as const;

interface Act {
  readonly by: 0 | 1;
  readonly entry: string;
  /** Null = delete it. */
  readonly spec: EntrySpec | null;
}

/**
 * Create, share, change the value, change the type, delete; one name is the marker name of another.
 */
const ACTS: readonly Act[] = [
  { by: 0, entry: "e0", spec: { dnsName: N0, targets: ["192.0.2.1"] } },
  { by: 1, entry: "e1", spec: { dnsName: N1, targets: ["192.0.2.1"] } },
  { by: 0, entry: "e2", spec: { dnsName: N2, targets: ["192.0.2.1"] } },
  { by: 0, entry: "e0", spec: { dnsName: N0, targets: ["192.0.2.2"] } },
  { by: 1, entry: "e1", spec: { dnsName: N1, targets: ["target.example.net"] } },
  { by: 0, entry: "e2", spec: null },
];

/** Acts before each of which a fault may come. */
export const SMALL_ACTS = ACTS.length;

/** Walks once; throws a Violation. */
export async function walk({ behaviour, faults, crash, seen }: Walk): Promise<Walked> {
  const world = new World({ seed: 1, behaviours: [behaviour], owners: 2 });
  let calls = 0;
  const passage: Weather["passage"] = () => {
    calls += 1;
    return calls - 1 === crash?.call ? crash.when : "pass";
  };
  world.weather = { ...CALM, passage };
  for (const instance of world.instances) instance.start();
  for (const [index, act] of ACTS.entries()) {
    // What a call may meet ends with the act: else it would be part of a state.
    world.weather = { ...CALM, passage };
    const fault = faults[index] ?? null;
    if (fault !== null) strike(world, fault, passage);
    perform(world, act);
    await pass(world, BETWEEN_MS);
    const state = stateOf(world, faults.slice(index + 1), index);
    if (seen?.has(state) === true) return { data: null, calls };
    seen?.add(state);
  }
  const callsOfActs = calls;
  world.weather = { ...CALM, passage };
  await pass(world, CONVERGED_MS);
  const { ttl } = behaviour;
  for (const { truth, owner, cluster } of world.instances) {
    const { clusterId } = cluster;
    checkConverged(world.content(), { truth, owner, clusterId, ttl, poisoned: null });
  }
  return { data: dataOf(world), calls: callsOfActs };
}

async function pass(world: World, forMs: number): Promise<void> {
  await world.clock.advance(forMs / 2);
  for (const instance of world.instances) if (!instance.isRunning) instance.start();
  await world.clock.advance(forMs / 2);
  for (const instance of world.instances) if (!instance.isRunning) instance.start();
  if (world.auditor.violation !== null) throw world.auditor.violation;
}

function perform({ instances }: World, { by, entry, spec }: Act): void {
  const instance = instances[by];
  if (instance === undefined) throw new Violation("S2: the world has two owners");
  const resource = `dnsentry/default/${entry}`;
  if (spec === null) {
    instance.truth.deleted(resource);
    instance.cluster.delete(DNS_ENTRY, "default", entry);
    return;
  }
  const desired = wantedBySpec(resource, spec);
  if (desired !== null) instance.truth.applied(desired);
  const apiVersion = "dns.gardener.cloud/v1alpha1";
  const metadata = { namespace: "default", name: entry };
  instance.cluster.apply(DNS_ENTRY, { apiVersion, kind: "DNSEntry", metadata, spec });
}

function strike(world: World, fault: SmallFault, passage: Weather["passage"]): void {
  const [instance] = world.instances;
  if (instance === undefined) return;
  switch (fault) {
    case "crash":
      instance.kill();
      return;
    case "stale-list":
      instance.interrupt(DNS_ENTRY, "stale", FAULT_MS);
      return;
    case "foreign-write":
      world.foreign("a hand", () => byHand(world, instance));
      return;
    case "second-instance":
      world.clock.setTimer(FAULT_MS, instance.startSecondProcess());
      return;
    case "lost-answer":
      world.weather = { ...CALM, passage, apply: () => [{ kind: "lost-after" }] };
      return;
    case "partial-batch":
      world.weather = { ...CALM, passage, apply: () => [{ kind: "partial", changes: 1 }] };
  }
}

/** Takes a free name, or a record of ours. */
function byHand({ zone, clock }: World, { owner }: Instance): void {
  const key = { ...{ setIdentifier: null, properties: {}, routingPolicy: null }, type: "A" };
  const free = [N1, N2].find((name) => zone.content.at(trustedDnsName(name)).length === 0);
  const nowMs = clock.monotonicMs();
  if (free !== undefined) {
    const name = trustedDnsName(free);
    const set = { ...key, name, ttlSeconds: 60, values: ["198.51.100.1"] };
    zone.content.write([{ key: set, next: set }], nowMs);
    return;
  }
  const own = claimsOf(zone.content.all()).find((one) => one.owner === owner && !one.isMarker);
  if (own !== undefined) zone.content.write([{ key: own.set, next: null }], nowMs);
}

/** Everything that the rest of a walk can depend on, but for timers that are about to run. */
function stateOf(world: World, left: Walk["faults"], index: number): string {
  const objects = world.instances.map(({ cluster, isRunning }) => [
    isRunning,
    cluster.all(DNS_ENTRY).map((entry) => ({ ...entry, metadata: shortMeta(entry) })),
  ]);
  const zone = world.content().filter(({ type }) => type !== "SOA");
  const text = JSON.stringify([index, left, objects, zone.map(contentText)]);
  return createHash("sha256")
    .update(text.replaceAll(/"\d{4}-\d\d-\d\dT[^"]*"/g, ""))
    .digest("base64");
}

function shortMeta({ metadata: { name, generation, deletionTimestamp } }: KubeObject) {
  return { name, generation, isDeleting: deletionTimestamp !== undefined };
}

function dataOf(world: World): string {
  const data = claimsOf(world.content()).filter((one) => !one.isMarker && one.set.type !== "SOA");
  return data
    .map(({ set }) => contentText(set))
    .sort()
    .join("\n");
}
