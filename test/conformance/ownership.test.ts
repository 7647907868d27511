import { OperationError } from "@zonekeeper/base/operation-error";
import { ConfigMapRegistry } from "../../src/cluster/state/config-map-registry.ts";
import { openConfigMapOwnership } from "../../src/ownership/configmap/ownership.ts";
import { openGardenerOwnership } from "../../src/ownership/gardener/registry.ts";
import { openMeshOwnership } from "../../src/ownership/mesh/registry.ts";
import { openNoopOwnership } from "../../src/ownership/noop/registry.ts";
import { openTxtOwnership } from "../../src/ownership/txt/ownership.ts";
import { asPlugin } from "../library/plugin-registry.ts";
import { MemoryLog } from "../support/ports/test-ports.ts";
import { VirtualClock } from "../support/ports/virtual-clock.ts";
import { ORIGIN } from "../support/values/zone-text.ts";
import { MemoryCluster } from "../support/worlds/memory-cluster.ts";
import { describeRegistry, type RegistryUnderTest } from "./ownership.ts";

const optionsOf = (owner: string) => ({
  apex: ORIGIN,
  isOwnedByUs: (one: string) => one === owner,
  atomic: true,
});
const usual = { tellsOwners: true, takesLongLabels: true, repairsDrift: true };
const lost = () =>
  new OperationError({ code: "UnknownOutcome", message: "lost", retry: "backoff" });

const REGISTRIES: readonly RegistryUnderTest[] = [
  {
    ...usual,
    name: "txt",
    stage: () => (owner) => openTxtOwnership(optionsOf(owner)),
    isMarker: (line) => line.includes("heritage=external-dns"),
  },

  {
    ...usual,
    name: "gardener",
    stage: () => (owner) => openGardenerOwnership(optionsOf(owner)),
    isMarker: (line) => line.includes("comment-"),
    takesLongLabels: false,
  },

  {
    ...usual,
    name: "mesh",
    stage: () => (owner) => openMeshOwnership(optionsOf(owner)),
    isMarker: (line) => line.includes("mesh="),
  },

  {
    ...usual,
    name: "configmap",
    stage: () => {
      const cluster = new MemoryCluster("c1");
      return (owner, outside) => {
        const registry = new ConfigMapRegistry({ writer: cluster, namespace: "dns", owner });
        const store = outside.storeOf(registry, lost);
        const ports = { clock: new VirtualClock(), log: new MemoryLog() };
        return openConfigMapOwnership({
          apex: ORIGIN,
          ...ports,
          store,
          id: "z",
          zone: "z",
          atomic: true,
        });
      };
    },
    isMarker: () => false,
    repairsDrift: false,
  },

  {
    ...usual,
    name: "noop with --noop-owns",
    stage: () => (owner) => openNoopOwnership({ owner, owns: [ORIGIN] }),
    isMarker: () => false,
    tellsOwners: false,
  },
];

for (const registry of REGISTRIES) {
  describeRegistry(registry);
  describeRegistry(asPlugin(registry));
}
