/** Which objects name which owner, by the owner's uid. Follows committed changes; asks nothing. */
import { type KindRef, kindText } from "../../objects/kubernetes.ts";
import type { StoredObject } from "../objects/served-kind.ts";

/** The address of an object in one string: `plural.group/namespace/name`. */
export function addressOf(kind: KindRef, object: StoredObject): string {
  return `${kindText(kind)}/${object.metadata.namespace ?? ""}/${object.metadata.name}`;
}

/** Dependents by owner. */
export class OwnerIndex {
  readonly #dependents = new Map<string, Set<string>>();

  /** Takes a change over; `null` = was or is not there. */
  update(address: string, before: StoredObject | null, after: StoredObject | null): void {
    for (const { uid } of before?.metadata.ownerReferences ?? []) this.#drop(uid, address);
    for (const { uid } of after?.metadata.ownerReferences ?? []) {
      const known = this.#dependents.get(uid) ?? new Set();
      this.#dependents.set(uid, known.add(address));
    }
  }

  /** Addresses of the objects that name the owner. */
  dependentsOf(uid: string): readonly string[] {
    return [...(this.#dependents.get(uid) ?? [])];
  }

  #drop(uid: string, address: string): void {
    const known = this.#dependents.get(uid);
    known?.delete(address);
    if (known?.size === 0) this.#dependents.delete(uid);
  }
}
