/** Users whose entries name an owner id of a DNSOwner, which is switched on and off (F24). */
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { DNS_ENTRY, DNS_OWNER } from "../../../src/model/kinds.ts";
import type { Instance } from "./instance.ts";
import { type ActContext, applyEntryNamed, NAMES, removeEntry } from "./users.ts";
import { claimOf, furtherIdOf } from "./zone-truth.ts";

const ENTRIES = ["o0", "o1", "o2"];
const ADDRESSES = ["192.0.2.81", "192.0.2.82"];
const DNS_OWNER_NAME = "shop";

/** A user makes, changes or deletes an entry that names the id. */
export function ownOne(context: ActContext): void {
  const { world, instance } = context;
  const { random } = world;
  const name = random.pick(ENTRIES);
  if (random.chance(0.25)) removeEntry(context, name);
  else
    applyEntryNamed(name, context, () => ({
      dnsName: random.pick(NAMES),
      targets: [random.pick(ADDRESSES)],
      ownerId: furtherIdOf(instance.owner),
    }));
}

/** Somebody writes the DNSOwner, or deletes it. */
export function switchOwner(context: ActContext): void {
  const { world, instance } = context;
  const choice = world.random.below(5);
  if (choice < 3) setOwner(context, true);
  else if (choice < 4) setOwner(context, false);
  else if (instance.cluster.now(DNS_OWNER, "", DNS_OWNER_NAME) !== null) {
    world.note(`${instance.owner}: delete dnsowner/${DNS_OWNER_NAME}`);
    instance.cluster.delete(DNS_OWNER, "", DNS_OWNER_NAME);
    noteSwitch(instance, false, world.clock.monotonicMs());
  }
}

/**
 * When all trouble is over the id is on wherever an entry names it, or named it: what is off stays.
 */
export function switchOnAtEnd(context: ActContext): void {
  const { world, instance } = context;
  const isNamed = instance.cluster
    .all(DNS_ENTRY)
    .some(({ spec }) => fieldsOf(spec)["ownerId"] !== undefined);
  const id = furtherIdOf(instance.owner);
  const hasRecords = world.content().some((set) => claimOf(set)?.ownerId === id);
  if (isNamed || hasRecords || instance.ownerId.isOn) setOwner(context, true);
}

function setOwner({ world, instance }: ActContext, active: boolean): void {
  world.note(`${instance.owner}: dnsowner/${DNS_OWNER_NAME} is ${active ? "on" : "off"}`);
  instance.cluster.apply(DNS_OWNER, {
    apiVersion: "dns.gardener.cloud/v1alpha1",
    kind: "DNSOwner",
    metadata: { name: DNS_OWNER_NAME },
    spec: { ownerId: furtherIdOf(instance.owner), active },
  });
  noteSwitch(instance, active, world.clock.monotonicMs());
}

function noteSwitch({ ownerId }: Instance, isOn: boolean, atMs: number): void {
  if (ownerId.isOn !== isOn) ownerId.sinceMs = atMs;
  ownerId.isOn = isOn;
}
