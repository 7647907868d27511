/**
 * Reads the CustomResourceDefinition of a kind from its API server. Its deletion deletes all
 * objects of the kind; such ends are no proof that the objects' names are not wanted any more
 * (Z-2).
 */
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import { CUSTOM_RESOURCE_DEFINITION, isBuiltIn } from "@zonekeeper/kube/objects/kinds";
import { type KindRef, kindText } from "@zonekeeper/kube/objects/kubernetes";
import { createdAtMs } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import type { ObjectReader } from "@zonekeeper/kube/ports/cluster-writer";
import type { KindDefinition } from "../../sync/contract/object-observation.ts";

interface DefinedKind {
  readonly view: Pick<ClusterView, "clusterId">;
  readonly kind: KindRef;
  /** Absent = nobody can read it. */
  readonly reader?: ObjectReader;
}

/**
 * The answer for kinds without a definition (built in), and for definitions that may not be read.
 */
export const NOT_ENDING: KindDefinition = { state: "stands", createdMs: null };

/** Asks the API server, past every cache; never rejects for want of an answer. */
export async function definitionIn({ view, kind, reader }: DefinedKind): Promise<KindDefinition> {
  if (reader === undefined || isBuiltIn(kind)) return NOT_ENDING;
  const where = `the definition of ${kindText(kind)} of cluster ${view.clusterId}`;
  try {
    const ref = { kind: CUSTOM_RESOURCE_DEFINITION, namespace: "", name: kindText(kind) };
    const definition = await reader.read(ref);
    // clause: deleted-definition-ends-objects
    if (definition === null) return { state: "ends", message: `${where} is gone` };
    const { deletionTimestamp, creationTimestamp } = definition.metadata;
    if (deletionTimestamp !== undefined)
      return { state: "ends", message: `${where} is being deleted` };
    if (creationTimestamp === undefined) return NOT_ENDING;
    return { state: "stands", createdMs: createdAtMs(definition) };
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    if (error.code === "Forbidden") return NOT_ENDING;
    return { state: "unknown", message: `${where} cannot be read: ${messageOf(error)}` };
  }
}
