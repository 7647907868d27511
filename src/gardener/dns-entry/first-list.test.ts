import type { StartQueue } from "@zonekeeper/kube/ports/work-queue";
import { expect, test } from "vitest";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { DEFAULT_CLASSES } from "../../../test/support/worlds/default-classes.ts";
import { FakeResolver } from "../../../test/support/worlds/fake-resolver.ts";
import { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import { MemoryEngine } from "../../../test/support/worlds/memory-engine.ts";
import { ZoneServers } from "../../../test/support/worlds/zone-servers.ts";
import { EntryWaits } from "../../controllers/objects/entry-waits.ts";
import { HostLookups } from "../../controllers/objects/host-lookups.ts";
import { ProviderDirectory } from "../../controllers/zone-choice/provider-directory.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";
import { openSource } from "../../sources/index.ts";
import { startEntryController } from "./published-entries.ts";

/** A controller on a cluster with one entry, and the lanes in which its keys were queued. */
function world(before: (cluster: MemoryCluster) => void) {
  const cluster = new MemoryCluster("c1");
  const entry = (name: string): void => {
    const metadata = { name, namespace: "default" };
    const spec = { dnsName: `${name}.example.org`, targets: ["192.0.2.1"] };
    const apiVersion = "dns.gardener.cloud/v1alpha1";
    cluster.apply(DNS_ENTRY, { apiVersion, kind: "DNSEntry", metadata, spec });
  };
  before(cluster);
  entry("old");
  const lanes: string[] = [];
  const startQueue: StartQueue = () => ({
    add: (key) => void lanes.push(`edit ${key}`),
    addAfter: (key, delayMs) => void lanes.push(`after ${delayMs} ${key}`),
    addLast: (key) => void lanes.push(`last ${key}`),
    stop: async () => {},
  });
  const options = { dnsClasses: DEFAULT_CLASSES, targetNamespace: null };
  const source = openSource("dnsentry", options);
  startEntryController({
    view: cluster,
    writer: cluster,
    recorder: cluster,
    source,
    providerTypes: null,
    directory: new ProviderDirectory({ anyNamespace: false, cutOf: () => null }),
    engine: new MemoryEngine(),
    ensureOpen: () => {},
    clock: new VirtualClock(),
    live: new ZoneServers().checks(new VirtualClock()),
    lookups: new HostLookups({ clock: new VirtualClock(), resolver: new FakeResolver() }),
    startQueue,
    dnsClasses: DEFAULT_CLASSES,
    targetNamespace: null,
    ownerId: "me",
    defaultTtlSeconds: 300,
    blockedZones: [],
    waits: new EntryWaits(),
    refused: { of: () => null, onChange: () => () => undefined },
    origins: {
      observe: () => [],
      onGateChange: () => () => undefined,
    },
  });
  return { cluster, entry, lanes };
}

test("what is cached when the controller starts is bulk, an edit afterwards is not", () => {
  const { entry, lanes } = world((cluster) => void cluster.subscribe(DNS_ENTRY, QUIET));
  expect(lanes).toEqual(["after 0 default/old"]);
  entry("new");
  expect(lanes.at(-1)).toBe("edit default/new");
});

test("a first list that comes later is bulk", () => {
  const { cluster, entry, lanes } = world((one) => one.setKindState(DNS_ENTRY, "syncing"));
  entry("listed");
  cluster.setKindState(DNS_ENTRY, "syncing");
  cluster.relist(DNS_ENTRY);
  expect(lanes).toContain("after 0 default/listed");
  expect(lanes.filter((lane) => lane.startsWith("edit"))).toEqual([]);
});

const QUIET = { onChange: () => {}, onState: () => {} };
