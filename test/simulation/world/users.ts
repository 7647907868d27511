/**
 * The users of one instance: they apply, change and delete objects, make mistakes, and their load
 * balancers lose addresses. Each act is noted in the truth when it happens, as its user meant it.
 */
import { INGRESS, SERVICE } from "@zonekeeper/kube/objects/kinds";
import type { KindRef, KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { DNS_ENTRY } from "../../../src/model/kinds.ts";
import { broken, type EntrySpec, wantedByBalancer, wantedBySpec } from "./desired-names.ts";
import type { Instance } from "./instance.ts";
import type { World } from "./world.ts";

/** Names that users and strangers want; some are the marker names of others. */
export const NAMES = ["www", "api", "a-www", "*.w", "x.w", "deep.sub", "txt"].map(
  (label) => `${label}.example.org`,
);
const ENTRIES = ["e0", "e1", "e2", "e3"];
const BALANCED: readonly { readonly kind: KindRef; readonly names: readonly string[] }[] = [
  { kind: SERVICE, names: ["s0", "s1"] },
  { kind: INGRESS, names: ["i0", "i1"] },
];
/** Kinds whose objects users make. */
const MADE = [{ kind: DNS_ENTRY }, ...BALANCED].map(({ kind }) => kind);
/**
 * At the end of the name of an object that was renamed once; a second time gives it its first name
 * back.
 */
const RENAMED = "-renamed";
const ADDRESSES = ["192.0.2.1", "192.0.2.2", "192.0.2.3"];
const NAMESPACE = "default";
const NAMES_ANNOTATION = "dns.gardener.cloud/dnsnames";
const TTL_ANNOTATION = "dns.gardener.cloud/ttl";

/** Who acts where. */
export interface ActContext {
  readonly world: World;
  readonly instance: Instance;
}

/** A scene with users who err with this probability, 0 to 1. */
export interface UserContext extends ActContext {
  readonly mistakes: number;
}

/** One act of one user. */
export function act(context: UserContext): void {
  const choice = context.world.random.below(16);
  if (choice < 7) applyEntry(context);
  else if (choice < 9) remove(context, DNS_ENTRY, context.world.random.pick(ENTRIES));
  else if (choice < 13) applyBalanced(context);
  else if (choice < 14) removeBalanced(context);
  else if (loseStatus(context)) context.world.tally.add("F04");
}

/** An object that its user made, as the API has it. */
interface Made {
  readonly kind: KindRef;
  readonly object: KubeObject;
}

/**
 * F19: a namespace is emptied, in any order; objects that the program made go with their owners.
 */
export function removeEverything(context: ActContext): void {
  for (const { kind, object } of shuffled(context, madeIn(context)))
    remove(context, kind, object.metadata.name);
}

/**
 * F19: every object is deleted and made again under another name in the same moment, in any order.
 */
export function renameEverything(context: ActContext): void {
  const all = shuffled(context, madeIn(context));
  for (const made of all) rename(context, made, otherName(made.object.metadata.name));
}

/** F19: one object is deleted and made again under the same name in the same moment. */
export function recreateOne(context: ActContext): void {
  const [made] = shuffled(context, madeIn(context));
  if (made !== undefined) rename(context, made, made.object.metadata.name);
}

function madeIn({ instance }: ActContext): readonly Made[] {
  return MADE.flatMap((kind) =>
    instance.cluster
      .all(kind)
      .filter(({ metadata: { name, namespace } }) => {
        const resource = resourceOf(kind, name);
        return namespace === NAMESPACE && instance.truth.get(resource) !== null;
      })
      .map((object) => ({ kind, object })),
  );
}

function shuffled<T>({ world }: ActContext, items: readonly T[]): readonly T[] {
  const drawn = items.map((item) => ({ item, at: world.random.next() }));
  return drawn.sort((a, b) => a.at - b.at).map(({ item }) => item);
}

function otherName(name: string): string {
  return name.endsWith(RENAMED) ? name.slice(0, -RENAMED.length) : `${name}${RENAMED}`;
}

/** Under a name that is still held by a finalizer nothing is made again. */
function rename(context: ActContext, { kind, object }: Made, name: string): void {
  const { world, instance } = context;
  const { annotations = {} } = object.metadata;
  const was = resourceOf(kind, object.metadata.name);
  const desired = instance.truth.get(was);
  const lostAtMs = instance.truth.addresslessSince(was);
  remove(context, kind, object.metadata.name);
  if (desired === null || instance.cluster.now(kind, NAMESPACE, name) !== null) return;
  const resource = resourceOf(kind, name);
  world.note(`${instance.owner}: apply ${resource} as ${was} was`);
  const metadata = { namespace: NAMESPACE, name, annotations };
  instance.cluster.apply(kind, { ...object, metadata, status: undefined });
  if (kind !== DNS_ENTRY) instance.cluster.setStatus(kind, NAMESPACE, name, object["status"]);
  // What it published before is not its own: as a new object it keeps nothing that stands.
  instance.truth.applied({ ...desired, resource });
  if (lostAtMs !== null) instance.truth.lostAddress(resource, world.clock.monotonicMs());
}

function resourceOf(kind: KindRef, name: string): string {
  return `${kind.kind.toLowerCase()}/${NAMESPACE}/${name}`;
}

/** Z-27: a user of each instance wants the same name in the same moment. Answers the name. */
export function wantTogether(world: World): string {
  const dnsName = world.random.pick(NAMES);
  for (const instance of world.instances) {
    const name = world.random.pick(ENTRIES);
    applyEntryNamed(name, { world, instance }, () => ({ ...valid(world), dnsName }));
  }
  return dnsName;
}

function applyEntry(context: UserContext): void {
  const { world, mistakes } = context;
  const name = world.random.pick(ENTRIES);
  const draw = (): EntrySpec => (world.random.chance(mistakes) ? mistaken(world) : valid(world));
  applyEntryNamed(name, context, draw);
}

/** What `draw` says, unless an object of this name is being deleted. */
export function applyEntryNamed(
  name: string,
  { world, instance }: ActContext,
  draw: () => EntrySpec,
): void {
  const resource = `dnsentry/${NAMESPACE}/${name}`;
  const present = instance.cluster.now(DNS_ENTRY, NAMESPACE, name);
  if (present?.metadata.deletionTimestamp !== undefined) return;
  const spec = draw();
  world.note(`${instance.owner}: apply ${resource} ${JSON.stringify(spec)}`);
  const before = instance.truth.get(resource);
  instance.cluster.apply(DNS_ENTRY, {
    apiVersion: "dns.gardener.cloud/v1alpha1",
    kind: "DNSEntry",
    metadata: { namespace: NAMESPACE, name },
    spec,
  });
  const desired = wantedBySpec(resource, spec);
  instance.truth.applied(desired ?? broken({ resource, names: [spec.dnsName] }, before));
}

function valid({ random }: World): EntrySpec {
  const dnsName = random.pick(NAMES);
  const ttl = random.pick([{}, {}, { ttl: 60 }, { ttl: 600 }]);
  switch (random.below(5)) {
    case 0:
      return {
        dnsName,
        ...ttl,
        targets: [random.pick(["target.example.net", "Target.Example.NET"])],
      };
    case 1:
      return { dnsName, ...ttl, text: [`text-${random.below(3)}${random.pick(["", "", " "])}`] };
    case 2:
      return { dnsName, ...ttl, targets: [random.pick(ADDRESSES), "2001:db8::1"] };
    default:
      return { dnsName, ...ttl, targets: [random.pick(ADDRESSES)] };
  }
}

/** Z-5: what does not validate. */
function mistaken({ random }: World): EntrySpec {
  const dnsName = random.pick(NAMES);
  return random.pick<EntrySpec>([
    { dnsName, targets: ["not a name"] },
    { dnsName: "not a name", targets: [random.pick(ADDRESSES)] },
    { dnsName, targets: [random.pick(ADDRESSES)], ttl: 0 },
    { dnsName, targets: [random.pick(ADDRESSES)], text: ["and text"] },
  ]);
}

function applyBalanced({ world, instance, mistakes }: UserContext): void {
  const { random } = world;
  const { kind, names } = random.pick(BALANCED);
  const name = random.pick(names);
  const resource = resourceOf(kind, name);
  const listed = [
    ...new Set(Array.from({ length: 1 + random.below(3) }, () => random.pick(NAMES))),
  ];
  const mistake = random.chance(mistakes) ? random.pick(mistakesOf(kind)) : "none";
  const texts = mistake === "a name" ? [...listed, "not a name"] : listed;
  const ttlSeconds = random.pick([null, null, 60]);
  const ttl = mistake === "the TTL" ? "soon" : ttlSeconds;
  const hosts = mistake === "a host" ? NAMES.slice(0, 2) : NAMES;
  const address = random.pick(ADDRESSES);
  world.note(`${instance.owner}: apply ${resource} ${texts.join(",")} ttl ${ttl} ${address}`);
  if (mistake !== "none") world.note(`  with a mistake in ${mistake}`);
  const before = instance.truth.get(resource);
  const ttlAnnotation = ttl === null ? {} : { [TTL_ANNOTATION]: String(ttl) };
  const annotations = { [NAMES_ANNOTATION]: texts.join(","), ...ttlAnnotation };
  applyBalancer(instance, { kind, name, annotations, hosts, address });
  instance.truth.lostAddress(resource, null);
  const desired = wantedByBalancer({ resource, names: listed, address, ttlSeconds });
  if (mistake === "a name") instance.truth.applied(broken(desired, before));
  else instance.truth.applied(desired);
  // The list can be read, so that what is not on it is taken back; what is on it keeps what stands.
  if (mistake === "the TTL" || mistake === "a host")
    instance.truth.applied({ ...desired, settled: false });
}

/** A Service or Ingress as the API gets it. */
export interface Balancer {
  readonly kind: KindRef;
  readonly name: string;
  readonly annotations: Readonly<Record<string, string>>;
  /** Of the rules of an Ingress. */
  readonly hosts: readonly string[];
  readonly address: string;
}

/** Applies it, and its load balancer has the address. */
export function applyBalancer({ cluster }: Instance, balancer: Balancer): void {
  const { kind, name, annotations, hosts, address } = balancer;
  cluster.apply(kind, {
    apiVersion: kind.group === "" ? kind.version : `${kind.group}/${kind.version}`,
    kind: kind.kind,
    metadata: { namespace: NAMESPACE, name, annotations },
    spec: kind === SERVICE ? { type: "LoadBalancer" } : { rules: hosts.map((host) => ({ host })) },
  });
  const status = { loadBalancer: { ingress: [{ ip: address }] } };
  cluster.setStatus(kind, NAMESPACE, name, status);
}

/** Z-5; a host that is not declared is possible with an Ingress only. */
function mistakesOf(kind: KindRef): readonly ("a name" | "the TTL" | "a host")[] {
  return kind === INGRESS ? ["a name", "the TTL", "a host"] : ["a name", "the TTL"];
}

/**
 * F04: a live object loses its status, or gets garbage; nothing of it may be removed. False = there
 * is no object.
 */
export function loseStatus({ world, instance }: ActContext): boolean {
  const { random } = world;
  const { kind, names } = random.pick(BALANCED);
  const name = random.pick(names);
  const resource = resourceOf(kind, name);
  const before = instance.truth.get(resource);
  if (before === null) return false;
  const garbage = { loadBalancer: { ingress: [{ ip: "garbage!" }] } };
  const status = random.pick<object>([{}, { loadBalancer: {} }, garbage]);
  world.note(`${instance.owner}: ${resource} loses its status`);
  // Garbage is no loss: nobody can tell what it was to be.
  const lostAtMs = status === garbage ? null : world.clock.monotonicMs();
  instance.truth.lostAddress(resource, lostAtMs);
  instance.cluster.setStatus(kind, NAMESPACE, name, status);
  instance.truth.applied({ ...before, settled: false });
  return true;
}

function removeBalanced(context: ActContext): void {
  const { kind, names } = context.world.random.pick(BALANCED);
  remove(context, kind, context.world.random.pick(names));
}

/** The DNSEntry is deleted, if it is there. */
export function removeEntry(context: ActContext, name: string): void {
  remove(context, DNS_ENTRY, name);
}

function remove({ world, instance }: ActContext, kind: KindRef, name: string): void {
  if (instance.cluster.now(kind, NAMESPACE, name) === null) return;
  const resource = resourceOf(kind, name);
  world.note(`${instance.owner}: delete ${resource}`);
  instance.truth.deleted(resource, world.clock.monotonicMs());
  instance.cluster.delete(kind, NAMESPACE, name);
}
