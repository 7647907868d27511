/**
 * Three sources of tests, each one row: an entry source, a zone source, and one whose objects have
 * no namespace. An object names a host and the Node that has its address; ConfigMaps that name the
 * object give it further hosts. The Node is looked up by name, ConfigMaps by an index.
 */
import { parseDnsName } from "@zonekeeper/dns/names/dns-name";
import { CONFIG_MAP, INGRESS_CLASS, NODE, POD } from "@zonekeeper/kube/objects/kinds";
import type { KindRef, KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView, Lookup, ObjectIndex } from "@zonekeeper/kube/ports/cluster-view";
import { objectKeyOf } from "../../../src/model/kinds.ts";
import type { DesiredRecordSet } from "../../../src/model/record-set.ts";
import { desiredSets, waitingFor } from "../../../src/sources/shared/found.ts";
import { type Found, NOTHING, type SourceRow } from "../../../src/sources/source.ts";

/** The host that an object names. */
export const HOST = "example.org/host";
/** The Node that has its address. */
export const NODE_NAME = "example.org/node";

/** ConfigMaps by the object that `data.for` names. */
export const BY_OBJECT: ObjectIndex = {
  name: "for",
  kind: CONFIG_MAP,
  valuesOf: (object) => [textOf(fieldsOf(object["data"])["for"]) ?? []].flat(),
};

function endpoints(object: KubeObject, view: ClusterView): Found<DesiredRecordSet> {
  const { annotations = {}, name } = object.metadata;
  const further = view.indexed(BY_OBJECT, name);
  const node = view.get(NODE, "", annotations[NODE_NAME] ?? "");
  const given = known(further) ?? [];
  const hosts = [annotations[HOST], ...given.map((one) => textOf(fieldsOf(one["data"])["host"]))];
  const names = hosts.flatMap((host) => {
    const read = parseDnsName(host ?? "");
    return read.ok ? read.value : [];
  });
  const address = fieldsOf(known(node)?.metadata.labels)["ip"];
  const provenance = objectKeyOf(object, view.clusterId);
  if (typeof address !== "string")
    return { ...NOTHING, waiting: waitingFor(names, "NoTargets"), complete: true };
  const typed = [{ type: "A", values: [address] }];
  const origin = { object, provenance, ttlSeconds: null };
  return { ...NOTHING, items: names.flatMap((one) => desiredSets(one, typed, origin)) };
}

/** A careless source: it takes what it does not know for nothing. */
function known<T>(lookup: Lookup<T>): T | null {
  return lookup.state === "value" ? lookup.value : null;
}

const row = (name: string, primary: KindRef, publishes: "entries" | "direct"): SourceRow => ({
  name,
  primary,
  secondary: [NODE, CONFIG_MAP],
  isDefault: false,
  inDev: false,
  publishes,
  keptFields: [],
  doc: `the host of each ${primary.kind}`,
  open: () => ({ endpoints }),
});

/** By what sort they are. */
export const HOST_SOURCES = {
  "an entry source": row("pod-entries", POD, "entries"),
  "a zone source": row("pod-hosts", POD, "direct"),
  "a source of objects without a namespace": row("class-hosts", INGRESS_CLASS, "direct"),
} as const;
