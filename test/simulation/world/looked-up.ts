/** Users who list host names as targets, and hosts that get other addresses (F17). */
import { fieldsOf, textOf, textsOf } from "@zonekeeper/kube/objects/object-fields";
import { DNS_ENTRY } from "../../../src/model/kinds.ts";
import { wantedBySpec } from "./desired-names.ts";
import type { Instance } from "./instance.ts";
import { HOSTS } from "./sim-resolver.ts";
import { type ActContext, applyEntryNamed, NAMES } from "./users.ts";
import type { World } from "./world.ts";

const ENTRIES = ["l0", "l1"];
const NAMESPACE = "default";
/** Addresses that hosts may get. */
const ADDRESSES = Array.from({ length: 6 }, (_, index) => `192.0.2.${61 + index}`);

/** An entry gets some hosts as targets, one or more of them. */
export function listHosts({ world, instance }: ActContext): void {
  const { random } = world;
  const targets = HOSTS.filter(() => random.chance(0.6));
  const spec = {
    dnsName: random.pick(NAMES),
    targets: targets.length === 0 ? [HOSTS[0] ?? ""] : targets,
    resolveTargetsToAddresses: true,
    cnameLookupInterval: 30,
  };
  applyEntryNamed(random.pick(ENTRIES), { world, instance }, () => spec);
  note(world, instance);
}

/** A host gets another address: that is what all entries that list it want from now on. */
export function moveHost(world: World): void {
  const host = world.random.pick(HOSTS);
  const address = world.random.pick(ADDRESSES);
  world.note(`${host} has the address ${address}`);
  world.resolver.move(host, address);
  for (const instance of world.instances) note(world, instance);
}

/** Tells the truth what the entries of hosts want. */
function note({ resolver }: World, { cluster, truth }: Instance): void {
  for (const { metadata, spec: fields } of cluster.all(DNS_ENTRY)) {
    const spec = fieldsOf(fields);
    const resource = `dnsentry/${NAMESPACE}/${metadata.name}`;
    if (spec["resolveTargetsToAddresses"] !== true || truth.get(resource) === null) continue;
    const dnsName = textOf(spec["dnsName"]) ?? "";
    const addresses = new Set((textsOf(spec["targets"]) ?? []).map((host) => resolver.at(host)));
    const wanted = wantedBySpec(resource, { dnsName, targets: [...addresses].sort() });
    if (wanted !== null) truth.applied(wanted);
  }
}
