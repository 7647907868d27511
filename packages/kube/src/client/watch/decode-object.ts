/**
 * From parsed JSON to the objects that the cache keeps: checked, completed with kind and apiVersion
 * (items of lists have none), and without unused metadata. Never drops an object silently: an
 * invalid object is an error.
 */
import { type OperationError, retryable } from "@zonekeeper/base/operation-error";
import {
  apiVersionOf,
  FIELD_MANAGER,
  type KindRef,
  type KubeObject,
  kindText,
  type ObjectMeta,
} from "../../objects/kubernetes.ts";
import { type Fields, isFields } from "../../objects/object-fields.ts";

/**
 * Makes an object smaller before it is kept. Must keep `metadata` name, namespace, uid and
 * resourceVersion; pure.
 */
export type Projection = (object: KubeObject) => KubeObject;

/** An object with the fields that the cache needs. */
export interface CachedObject extends KubeObject {
  readonly metadata: ObjectMeta & { readonly resourceVersion: string };
}

const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/**
 * The object in `value`, with the metadata of ObjectMeta only, without last-applied. Throws
 * OperationError when it is no such object.
 */
export function decodeObject(kind: KindRef, value: unknown, project?: Projection): CachedObject {
  const metadata = isFields(value) ? value["metadata"] : null;
  if (!isFields(value) || !isFields(metadata)) throw notAnObject(kind, "no metadata");
  if (value["kind"] !== undefined && value["kind"] !== kind.kind) {
    throw notAnObject(kind, "it has another kind");
  }
  const object = {
    ...value,
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: slimMetadata(kind, metadata),
  };
  const kept = project === undefined || !isCached(object, kind) ? object : project(object);
  if (!isCached(kept, kind)) throw notAnObject(kind, "no name, namespace or resourceVersion");
  return kept;
}

/** The complete object in the answer to a write. Throws OperationError when it is no object. */
export function decodeAnswer(kind: KindRef, value: unknown): KubeObject {
  const object = isFields(value)
    ? { ...value, apiVersion: apiVersionOf(kind), kind: kind.kind }
    : null;
  if (object === null || !isObject(object)) throw notAnObject(kind, "no metadata or no name");
  return object;
}

/**
 * One literal for all: objects of one shape take less memory, and copying the remaining fields took
 * most of the time.
 */
function slimMetadata(kind: KindRef, metadata: Fields): Fields {
  return {
    name: metadata["name"],
    namespace: metadata["namespace"],
    uid: metadata["uid"],
    resourceVersion: metadata["resourceVersion"],
    generation: metadata["generation"],
    creationTimestamp: metadata["creationTimestamp"],
    deletionTimestamp: metadata["deletionTimestamp"],
    labels: metadata["labels"],
    annotations: withoutLastApplied(metadata["annotations"]),
    finalizers: metadata["finalizers"],
    ownerReferences: metadata["ownerReferences"],
    editor: lastEditor(metadata["managedFields"]),
    specManagers:
      kind.keepsSpecManagers === true ? specManagers(metadata["managedFields"]) : undefined,
  };
}

/** The manager of the latest edit; of edits in the same second the last entry counts. */
function lastEditor(managedFields: unknown): string | undefined {
  if (!Array.isArray(managedFields)) return undefined;
  let last: { readonly time: string; readonly manager?: string } = { time: "" };
  for (const one of managedFields) {
    const { manager, time, subresource, fieldsV1 } = isFields(one) ? one : {};
    if (typeof manager !== "string" || typeof time !== "string" || subresource) continue;
    if (isFields(fieldsV1) && time >= last.time && isEdit(fieldsV1, manager))
      last = { time, manager };
  }
  return last.manager;
}

/**
 * True for a write of anything but metadata and status, and for one of annotations by another
 * program. Finalizers, labels and owners say nothing of what the object wants.
 */
function isEdit(fields: Fields, manager: string): boolean {
  const metadata = fields["f:metadata"];
  const isOfMore = Object.keys(fields).some((key) => key !== "f:metadata" && key !== "f:status");
  if (isOfMore || manager === FIELD_MANAGER) return isOfMore;
  return isFields(metadata) && metadata["f:annotations"] !== undefined;
}

/** Managers of fields of the spec (Z-25). Nearly all lists are equal, and one array serves them. */
function specManagers(managedFields: unknown): readonly string[] | undefined {
  if (!Array.isArray(managedFields)) return undefined;
  const names = managedFields.flatMap((one: unknown) => {
    if (!isFields(one) || typeof one["manager"] !== "string") return [];
    const fields = one["fieldsV1"];
    return isFields(fields) && fields["f:spec"] !== undefined ? one["manager"] : [];
  });
  return names.length === 1 && names[0] === FIELD_MANAGER ? ONLY_OWN : names;
}

const ONLY_OWN: readonly string[] = [FIELD_MANAGER];

function withoutLastApplied(annotations: unknown): unknown {
  if (!isFields(annotations) || annotations[LAST_APPLIED] === undefined) return annotations;
  const { [LAST_APPLIED]: _applied, ...others } = annotations;
  return others;
}

function isObject(value: unknown): value is KubeObject {
  if (!isFields(value) || !isFields(value["metadata"])) return false;
  const name = value["metadata"]["name"];
  return typeof name === "string" && name !== "";
}

function isCached(value: unknown, kind: KindRef): value is CachedObject {
  if (!isObject(value)) return false;
  const { namespace, resourceVersion } = value.metadata;
  if (typeof resourceVersion !== "string" || resourceVersion === "") return false;
  return !kind.namespaced || (typeof namespace === "string" && namespace !== "");
}

/** The content is not quoted: it may be a Secret. */
function notAnObject(kind: KindRef, why: string): OperationError {
  return retryable(
    "Unavailable",
    `the server sent an object that is no valid ${kindText(kind)}: ${why}`,
  );
}
