/** The row of the ConfigMap registry: rows in a cluster, nothing but data in the zone. */
import { invariant } from "@zonekeeper/base/invariant";
import { zoneText } from "../../model/zone.ts";
import type { Ownership } from "../ownership.ts";
import type { RegistryRow } from "../registry.ts";
import { findRegistry, locationOf } from "./locate-registry.ts";
import { openConfigMapOwnership } from "./ownership.ts";

/** `--registry configmap`. */
export const CONFIGMAP_REGISTRY: RegistryRow = {
  name: "configmap",
  doc: "ConfigMaps in the Lease's namespace, nothing in the zone",
  open({ store, clock, log }) {
    invariant(store, "the configmap registry needs a store");
    // All accounts of one zone share one registry: it keeps the zone's rows in memory.
    const opened = new Map<string, Ownership>();
    return ({ zone, atomic }) => {
      const text = zoneText(zone);
      const present = opened.get(text);
      if (present !== undefined) return present;
      const find = () => findRegistry({ store, apex: zone.name, zone: text });
      const own = { store, apex: zone.name, ...locationOf(text) };
      const registry = openConfigMapOwnership({ ...own, atomic, clock, log, find });
      opened.set(text, registry);
      return registry;
    };
  },
};
