/**
 * The objects of a kind as they were at an earlier revision, as far back as the log of its changes
 * goes.
 */
import type { KindRef } from "../../../model/kubernetes.ts";
import type { StoredObject } from "../objects/served-kind.ts";
import { type ObjectStorage, objectKey } from "./object-storage.ts";

/** What is asked for. */
export interface PastList {
  readonly kind: KindRef;
  /** Empty = all namespaces. */
  readonly namespace: string;
  readonly revision: number;
}

/** Sorted by namespace and name; null = the revision is no longer kept. */
export function pastList(storage: ObjectStorage, list: PastList): readonly StoredObject[] | null {
  const { kind, namespace, revision } = list;
  const changes = storage.log(kind).since(revision);
  if (changes === null) return null;
  const present = storage.list(kind, namespace);
  if (changes.length === 0) return present;
  const objects = new Map(present.map((object) => [objectKey(object), object]));
  for (const { object, previous } of changes.toReversed()) {
    if (namespace !== "" && object.metadata.namespace !== namespace) continue;
    if (previous === null) objects.delete(objectKey(object));
    else objects.set(objectKey(object), previous);
  }
  return [...objects].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
}
