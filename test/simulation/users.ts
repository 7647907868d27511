/**
 * The users of one instance: they apply, change and delete objects, make mistakes, and their load balancers lose
 * addresses. Each act is noted in the truth when it happens, as its user meant it.
 */
import { DNS_ENTRY, INGRESS, SERVICE } from "../../src/model/kinds.ts";
import type { KindRef } from "../../src/model/kubernetes.ts";
import type { Instance } from "./instance.ts";
import { broken, type EntrySpec, wantedByBalancer, wantedBySpec } from "./wishes.ts";
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
const ADDRESSES = ["192.0.2.1", "192.0.2.2", "192.0.2.3"];
const NAMESPACE = "default";
const NAMES_ANNOTATION = "dns.gardener.cloud/dnsnames";
const TTL_ANNOTATION = "dns.gardener.cloud/ttl";

/** Who acts where. */
export interface Scene {
  readonly world: World;
  readonly instance: Instance;
}

/** One act of one user. */
export function act(scene: Scene): void {
  const choice = scene.world.random.below(16);
  if (choice < 7) applyEntry(scene);
  else if (choice < 9) remove(scene, DNS_ENTRY, scene.world.random.pick(ENTRIES));
  else if (choice < 13) applyBalanced(scene);
  else if (choice < 14) removeBalanced(scene);
  else loseStatus(scene);
}

function applyEntry(scene: Scene): void {
  const { world, instance } = scene;
  const name = world.random.pick(ENTRIES);
  const resource = `dnsentry/${NAMESPACE}/${name}`;
  const present = instance.cluster.now(DNS_ENTRY, NAMESPACE, name);
  if (present?.metadata.deletionTimestamp !== undefined) return;
  const spec = world.random.chance(0.15) ? mistaken(world) : valid(world);
  world.note(`${instance.owner}: apply ${resource} ${JSON.stringify(spec)}`);
  const before = instance.truth.get(resource);
  instance.cluster.apply(DNS_ENTRY, {
    apiVersion: "dns.gardener.cloud/v1alpha1",
    kind: "DNSEntry",
    metadata: { namespace: NAMESPACE, name },
    spec,
  });
  const wish = wantedBySpec(resource, spec);
  instance.truth.applied(wish ?? broken({ resource, names: [spec.dnsName] }, before));
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

function applyBalanced({ world, instance }: Scene): void {
  const { random } = world;
  const { kind, names } = random.pick(BALANCED);
  const name = random.pick(names);
  const resource = `${kind.kind.toLowerCase()}/${NAMESPACE}/${name}`;
  const listed = [
    ...new Set(Array.from({ length: 1 + random.below(3) }, () => random.pick(NAMES))),
  ];
  const isMistaken = random.chance(0.12);
  const texts = isMistaken ? [...listed, "not a name"] : listed;
  const ttl = random.pick([null, null, 60]);
  const address = random.pick(ADDRESSES);
  world.note(`${instance.owner}: apply ${resource} ${texts.join(",")} ttl ${ttl} ${address}`);
  const before = instance.truth.get(resource);
  instance.cluster.apply(kind, {
    apiVersion: kind.group === "" ? kind.version : `${kind.group}/${kind.version}`,
    kind: kind.kind,
    metadata: {
      namespace: NAMESPACE,
      name,
      annotations: {
        [NAMES_ANNOTATION]: texts.join(","),
        ...(ttl === null ? {} : { [TTL_ANNOTATION]: String(ttl) }),
      },
    },
    spec: kind === SERVICE ? { type: "LoadBalancer" } : { rules: NAMES.map((host) => ({ host })) },
  });
  const status = { loadBalancer: { ingress: [{ ip: address }] } };
  instance.cluster.setStatus(kind, NAMESPACE, name, status);
  const wish = wantedByBalancer({ resource, names: listed, address, ttlSeconds: ttl });
  instance.truth.applied(isMistaken ? broken(wish, before) : wish);
}

/** F04: a live object loses its status, or gets garbage; nothing of it may be removed. */
function loseStatus({ world, instance }: Scene): void {
  const { random } = world;
  const { kind, names } = random.pick(BALANCED);
  const name = random.pick(names);
  const resource = `${kind.kind.toLowerCase()}/${NAMESPACE}/${name}`;
  const before = instance.truth.get(resource);
  if (before === null) return;
  const garbage = { loadBalancer: { ingress: [{ ip: "garbage!" }] } };
  const status = random.pick([{}, { loadBalancer: {} }, garbage]);
  world.note(`${instance.owner}: ${resource} loses its status`);
  instance.cluster.setStatus(kind, NAMESPACE, name, status);
  instance.truth.applied({ ...before, settled: false });
}

function removeBalanced(scene: Scene): void {
  const { kind, names } = scene.world.random.pick(BALANCED);
  remove(scene, kind, scene.world.random.pick(names));
}

function remove({ world, instance }: Scene, kind: KindRef, name: string): void {
  if (instance.cluster.now(kind, NAMESPACE, name) === null) return;
  const resource = `${kind.kind.toLowerCase()}/${NAMESPACE}/${name}`;
  world.note(`${instance.owner}: delete ${resource}`);
  instance.truth.deleted(resource);
  instance.cluster.delete(kind, NAMESPACE, name);
}
