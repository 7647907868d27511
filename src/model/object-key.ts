/** From an object of a cluster to its identity. */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { groupOf } from "@zonekeeper/kube/objects/object-fields";
import { markerKindOf } from "./kinds.ts";
import type { ObjectKey } from "./provenance.ts";

/** Identity of an object that was read from `cluster`. The kind is as markers spell it. */
export function objectKeyOf(object: KubeObject, cluster: string): ObjectKey {
  return {
    cluster,
    kind: markerKindOf({ group: groupOf(object.apiVersion), kind: object.kind }),
    namespace: object.metadata.namespace ?? "",
    name: object.metadata.name,
  };
}
