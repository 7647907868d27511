/**
 * How a story begins where the zone was kept before, by another program with our owner id or by
 * another installation with it, or where there are two ways into it. Drawn from a stream of its
 * own, so that stories without an arrival stay what they are.
 */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { INGRESS, SERVICE } from "@zonekeeper/kube/objects/kinds";
import type { KindRef } from "@zonekeeper/kube/objects/kubernetes";
import type { RecordSet } from "../../../src/model/record-set.ts";
import { approveAll } from "../checks/approvals.ts";
import { wantedByBalancer } from "./desired-names.ts";
import type { Instance } from "./instance.ts";
import { SimRandom } from "./sim-random.ts";
import { act, applyBalancer, NAMES } from "./users.ts";
import type { World } from "./world.ts";

const ARRIVALS = ["moved-in", "taken-owner", "two-ways"] as const;

/**
 * `moved-in`: external-dns kept it. `taken-owner`: another installation did, whose objects ours
 * never saw. `two-ways`: two accounts show the zone, and each trouble is with one of them.
 */
export type Arrival = (typeof ARRIVALS)[number];

/** With it the few seeds of a short run meet each of them. */
const SALT = 0x3a134a0;
const PROBABILITY = 0.2;
/** How many users acted on the installation of before, and how long the zone was kept. */
const ACTS = 6;
const SERVED_MS = 60_000;
/** Milliseconds within which a person approves, or gives the owner id. */
const PERSON_MOST_MS = 60_000;
const ADDRESSES = ["192.0.2.1", "192.0.2.2"];
/** A program that is gone had these objects; the last kind is watched by nobody here. */
const OBJECTS: readonly { readonly kind: KindRef | null; readonly name: string }[] = [
  { kind: SERVICE, name: "s0" },
  { kind: SERVICE, name: "s1" },
  { kind: INGRESS, name: "i0" },
  { kind: INGRESS, name: "i1" },
  { kind: null, name: "e0" },
];

/** Whether records stood there; then there is the fuse, which knows first contact (Z-24). */
export function hasRecords(arrival: Arrival | null): boolean {
  return arrival === "moved-in" || arrival === "taken-owner";
}

/** The arrival of a seed; null = an empty zone and one way into it, as in most. */
export function drawArrival(seed: number): Arrival | null {
  const random = new SimRandom(seed ^ SALT);
  return random.chance(PROBABILITY) ? random.pick(ARRIVALS) : null;
}

/** Makes the zone what it was before the first process of the story. */
export async function arrive(world: World): Promise<void> {
  const [instance] = world.instances;
  if (!hasRecords(world.arrival) || instance === undefined) return;
  const { random, clock, auditor } = world;
  world.tally.add("arrival");
  if (world.arrival === "moved-in") moveIn(world, instance);
  else takeOwner(world, instance);
  await clock.advance(SERVED_MS);
  world.otherInstallations[0]?.kill();
  auditor.arrival.begin(instance.owner, world.content(), instance.truth);
  if (random.chance(0.5))
    clock.setTimer(random.below(PERSON_MOST_MS), () => void approveAll(world));
}

/**
 * Some objects are there in our dialect, some only in words of external-dns, and some not at all;
 * so are their records.
 */
function moveIn(world: World, instance: Instance): void {
  const { random, zone } = world;
  const { starInNames } = zone.behaviour;
  const names = NAMES.filter((name) => starInNames || !name.startsWith("*"));
  for (const { kind, name: object } of OBJECTS) {
    const resource = `${kind?.kind.toLowerCase() ?? "crd"}/default/${object}`;
    const name = names.splice(random.below(names.length), 1)[0] ?? "";
    const address = random.pick(ADDRESSES);
    const dialect = random.pick(["ours", "ours", "other", "gone"] as const);
    if (random.chance(0.85))
      world.foreign(`external-dns kept ${name}`, () => {
        for (const next of kept({ owner: instance.owner, resource, name }, random.pick(ADDRESSES)))
          zone.content.write([{ key: next, next }]);
      });
    if (kind === null || dialect === "gone") continue;
    world.note(`${resource} is there, and names ${name} in ${dialect} words`);
    const annotations =
      dialect === "ours" ? { [NAMES_ANNOTATION]: name } : otherAnnotations(kind, name);
    applyBalancer(instance, { kind, name: object, annotations, hosts: [name], address });
    if (dialect !== "ours") continue;
    const wanted = { resource, names: [name], address, ttlSeconds: null };
    instance.truth.applied(wantedByBalancer(wanted));
  }
}

const NAMES_ANNOTATION = "dns.gardener.cloud/dnsnames";

/** An Ingress names its hosts in its rules; nothing else is needed. */
function otherAnnotations(kind: KindRef, name: string): Readonly<Record<string, string>> {
  return kind === INGRESS ? {} : { "external-dns.alpha.kubernetes.io/hostname": name };
}

/** A record and its marker, as external-dns writes them. */
function kept(
  { owner, resource, name }: Readonly<Record<"owner" | "resource" | "name", string>>,
  address: string,
): readonly RecordSet[] {
  const set = { setIdentifier: null, ttlSeconds: 300, properties: {}, routingPolicy: null };
  const text = `"heritage=external-dns,external-dns/owner=${owner},external-dns/resource=${resource}"`;
  return [
    { ...set, name: trustedDnsName(name), type: "A", values: [address] },
    { ...set, name: trustedDnsName(`a-${name}`), type: "TXT", values: [text] },
  ];
}

/**
 * Another cluster's installation kept the zone and is shut down; ours begins with its owner id, and
 * where the zone is fenced a person gives it after a while.
 */
function takeOwner(world: World, instance: Instance): void {
  const { random, clock } = world;
  const before = world.addOtherInstallation(instance);
  world.note(`${before.cluster.clusterId} serves ${instance.owner}`);
  before.start({ writeCluster: random.chance(0.5) });
  for (let turn = 0; turn < ACTS; turn++) act({ world, instance: before, mistakes: 0 });
  clock.setTimer(SERVED_MS + random.below(PERSON_MOST_MS), () => void world.settleOwners());
}
