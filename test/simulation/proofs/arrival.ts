/**
 * What we do when we take over a zone that external-dns or Gardener kept: nothing. For mutants:
 * each rule of arriving is dropped once.
 */
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { DNS_ENTRY } from "../../../src/model/kinds.ts";
import { keptByExternalDns, serialOf } from "../../support/worlds/arrival-world.ts";
import { ownerWorld } from "../../support/worlds/owner-world.ts";
import { SpineWorld } from "../../support/worlds/spine-world.ts";

/** Plays each story; answers what is wrong. */
export async function arrivalTroubles(): Promise<readonly string[]> {
  const stories = [
    movingIn,
    movingOut,
    foreignEntry,
    restoredEntries,
    restoredRecords,
    frozenService,
    namelessMarkers,
  ];
  return (await Promise.all(stories.map((story) => story()))).flat();
}

/** What is equal is left as it is. */
async function movingIn(): Promise<readonly string[]> {
  const world = keptByExternalDns();
  const before = serialOf(world);
  world.start();
  world.provider("p", { defaultTTL: 600 });
  await world.pass(10_000);
  const moved = serialOf(world) === before ? [] : [`Z-21: written: ${world.zone().join(", ")}`];
  await world.stop();
  return moved;
}

/** The marker of a new wildcard record is where external-dns looks for it. */
async function movingOut(): Promise<readonly string[]> {
  const world = new SpineWorld();
  world.start();
  world.provider();
  world.service("star", "*.new.example.org", "192.0.2.1");
  await world.pass(10_000);
  const markers = world.markers();
  await world.stop();
  const isThere = markers.length === 1 && markers[0] === "a-*.new.example.org";
  return isThere ? [] : [`Z-12: the markers are ${markers.join(", ")}`];
}

/** Somebody else's entry stays, whatever it is linked to and however it is called. */
async function foreignEntry(): Promise<readonly string[]> {
  const world = keptByExternalDns();
  world.start();
  world.provider();
  await world.pass(10_000);
  const owner = world.cluster.now(SERVICE, "default", "s0")?.metadata;
  const link = { apiVersion: "v1", kind: "Service", name: "s0", uid: owner?.uid ?? "" };
  const ownerReferences = [{ ...link, controller: true }];
  const names = ["mine", "s0-service-0123456789"];
  for (const [index, name] of names.entries())
    world.cluster.apply(DNS_ENTRY, {
      apiVersion: "dns.gardener.cloud/v1alpha1",
      kind: "DNSEntry",
      metadata: { name, namespace: "default", ownerReferences },
      spec: { dnsName: `mine-${index}.example.org`, targets: ["192.0.2.9"] },
    });
  await world.pass(10_000);
  const gone = names.filter((name) => world.cluster.now(DNS_ENTRY, "default", name) === null);
  await world.stop();
  return gone.length === 0 ? [] : [`Z-25: ${gone.join(", ")} went`];
}

/** What comes out of a backup, as the program that restores it writes it. */
const RESTORED: Readonly<Record<string, { readonly metadata?: object; readonly spec?: object }>> = {
  "a restored entry": {},
  "another label": { metadata: { labels: { "zonekeeper.dev/source": "service-1" } } },
  "another name": { spec: { dnsName: "mine.example.org", targets: ["192.0.2.1"] } },
  "another controller": {
    metadata: {
      ownerReferences: [
        { apiVersion: "v1", kind: "ConfigMap", name: "mine", uid: "1", controller: true },
      ],
    },
  },
  "an edited one": { metadata: { specManagers: ["zonekeeper", "kubectl-edit"] } },
};

type Restored = (typeof RESTORED)[string];

function restore(world: SpineWorld, made: KubeObject, { metadata = {}, spec }: Restored): void {
  const { name, labels, annotations } = made.metadata;
  world.cluster.apply(DNS_ENTRY, {
    ...{ apiVersion: made.apiVersion, kind: made.kind, spec: spec ?? made["spec"] },
    metadata: {
      ...{ name, namespace: "default", ...(labels && { labels }), ownerReferences: [] },
      ...{ ...(annotations && { annotations }), finalizers: [], specManagers: ["velero-server"] },
      ...metadata,
    },
  });
}

/** A generated entry that a backup brings back follows its Service again; no other one does. */
async function restoredEntries(): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const [what, changed] of Object.entries(RESTORED)) {
    const world = new SpineWorld();
    world.start();
    world.provider();
    world.service("web", "www.example.org", "192.0.2.1");
    await world.pass(10_000);
    const [made] = world.cluster.all(DNS_ENTRY);
    if (made === undefined) return [`Z-25: ${what}: no entry`];
    const { name } = made.metadata;
    restore(world, made, changed);
    world.service("web", "www.example.org", "192.0.2.8");
    await world.pass(10_000);
    const { ownerReferences = [] } = world.cluster.now(DNS_ENTRY, "default", name)?.metadata ?? {};
    const isLinked = ownerReferences.some((reference) => reference.name === "web");
    const isFollowing = world.zone().some((line) => line.endsWith(" 192.0.2.8"));
    const isRestored = what === "a restored entry";
    if (isLinked !== isRestored || isFollowing !== isRestored) wrong.push(`Z-25: ${what}`);
    await world.stop();
  }
  return wrong;
}

/** What an entry published before its Service came back passes to that, and to nobody else. */
async function restoredRecords(): Promise<readonly string[]> {
  const world = new SpineWorld();
  const wrong: string[] = [];
  const shows = async (address: string | null, trouble: string): Promise<void> => {
    await world.pass(30_000);
    const [, , , shown = null] =
      world
        .zone()
        .find((line) => line.startsWith("www."))
        ?.split(" ") ?? [];
    if (shown !== address) wrong.push(trouble);
  };
  world.start();
  world.provider();
  world.provider("q", {}, "other");
  world.service("web", "www.example.org", "192.0.2.1");
  await shows("192.0.2.1", "Z-2: a Service is not published");
  const [made] = world.cluster.all(DNS_ENTRY);
  if (made === undefined) return ["Z-2: no entry"];
  const others = (label: string) =>
    world.entry("mine", { dnsName: `${label}.example.org`, targets: ["192.0.2.66"] }, "other");
  others("free");
  world.sources.delete(SERVICE, "default", "web");
  await shows(null, "Z-2: the record of a Service stays");
  restore(world, made, {});
  await shows("192.0.2.1", "Z-2: a restored entry is not published");
  others("www");
  await shows("192.0.2.1", "Z-28: another namespace takes a record");
  world.service("web", "www.example.org", "192.0.2.8");
  await shows("192.0.2.8", "Z-15: the record of a restored entry does not pass to its Service");
  await world.stop();
  return wrong;
}

/** A record stays while an annotation freezes it, or asks for what has no meaning here. */
async function frozenService(): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const key of ["ignore", "targets"]) {
    const world = keptByExternalDns();
    world.start();
    world.provider();
    await world.pass(10_000);
    const names = { "dns.gardener.cloud/dnsnames": "www.example.org" };
    world.annotate(SERVICE, "s0", { ...names, [`dns.gardener.cloud/${key}`]: "true" });
    await world.pass();
    const ingress = [{ ip: "192.0.2.2" }];
    world.cluster.setStatus(SERVICE, "default", "s0", { loadBalancer: { ingress } });
    await world.pass(10_000);
    if (!world.zone().includes("www.example.org 0 A 192.0.2.1")) changed.push(key);
    await world.stop();
  }
  return changed.map((key) => `${key}: the record was changed`);
}

/** Whose is a record whose marker names no object: of who wants it, once all kinds are read. */
async function namelessMarkers(): Promise<readonly string[]> {
  const markers = ["a", "b"].map(
    (name) => `${name} 300 A 192.0.2.1
comment-${name} 600 TXT "owner=me"
comment-${name} 600 TXT "prefix=comment-"
`,
  );
  const controllers = ["compound", "service-dns"];
  const world = ownerWorld(markers.join(""), { registry: "gardener", controllers });
  const { cluster, owner, entry, rest, zone } = world;
  const has = (name: string): boolean => zone().includes(`dnsentry/default/${name}`);
  cluster.setKindState(SERVICE, "syncing");
  owner("shop", { ownerId: "shop", active: true });
  entry("a", "192.0.2.1");
  entry("b", "192.0.2.1", "shop");
  const running = world.start();
  await rest();
  const early = has("a") ? ["Z-3: a record is taken before every kind is read"] : [];
  cluster.relist(SERVICE);
  await rest();
  const idle = has("a") ? [] : ["Z-2: the entry that wants a record does not have it"];
  const other = has("b") ? ["Z-15: a record is taken from another owner id of ours"] : [];
  await running.stop();
  return [...early, ...idle, ...other];
}
