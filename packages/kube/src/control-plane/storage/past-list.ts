/**
 * The objects of a kind as they were at an earlier revision, as far back as the log of its changes
 * goes.
 */
import { type KindRef, kindText } from "../../objects/kubernetes.ts";
import type { StoredObject } from "../objects/served-kind.ts";
import { type ObjectStorage, objectKey } from "./object-storage.ts";

/** What is asked for. */
export interface PastList {
  readonly kind: KindRef;
  /** Empty = all namespaces. */
  readonly namespace: string;
  readonly revision: number;
}

/** Makes past lists, and keeps the last one of each kind: pages ask for the same one repeatedly. */
export class PastLists {
  readonly #storage: ObjectStorage;
  readonly #kept = new Map<string, PastList & { readonly objects: readonly StoredObject[] }>();

  constructor(storage: ObjectStorage) {
    this.#storage = storage;
  }

  /** Sorted by namespace and name; null = the revision is no longer kept. */
  at(list: PastList): readonly StoredObject[] | null {
    const key = kindText(list.kind);
    const kept = this.#kept.get(key);
    if (kept?.namespace === list.namespace && kept.revision === list.revision) return kept.objects;
    const objects = pastList(this.#storage, list);
    if (objects !== null) this.#kept.set(key, { ...list, objects });
    return objects;
  }

  /** Forgets the list of the kind: its last page was sent. */
  forget(kind: KindRef): void {
    this.#kept.delete(kindText(kind));
  }
}

function pastList(storage: ObjectStorage, list: PastList): readonly StoredObject[] | null {
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
