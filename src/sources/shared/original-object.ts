/**
 * Provenance of a DNSEntry: the object that it was generated for, where that can be trusted, else
 * the entry itself. A marker's object wins conflicts (Z-15), so a claim that points out of the
 * entry's namespace is not believed.
 */
import type { KindRef, KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { annotatedOwners } from "../../model/generated-entries.ts";
import { objectKeyOf } from "../../model/kinds.ts";
import type { Provenance } from "../../model/provenance.ts";
import type { SourceOptions } from "../source.ts";

/** What decides which objects an entry can be generated for. */
export interface OriginalOptions extends SourceOptions {
  /** Kinds that entries are generated for. */
  readonly originals: readonly KindRef[];
}

/**
 * The controller's ownerReference, else the first trusted owner of the annotation, else the entry.
 */
export function originalOf(
  entry: KubeObject,
  cluster: string,
  options: OriginalOptions,
): Provenance {
  return (
    fromReference(entry, cluster, options) ??
    fromAnnotation(entry, cluster, options) ??
    objectKeyOf(entry, cluster)
  );
}

function fromReference(
  entry: KubeObject,
  cluster: string,
  { originals }: OriginalOptions,
): Provenance | null {
  const namespace = entry.metadata.namespace ?? "";
  for (const owner of entry.metadata.ownerReferences ?? []) {
    const group = owner.apiVersion.includes("/") ? owner.apiVersion.split("/")[0] : "";
    const kind = originals.find((k) => k.group === group && k.kind === owner.kind);
    if (kind !== undefined && owner.controller === true)
      return { cluster, kind: kind.kind.toLowerCase(), namespace, name: owner.name };
  }
  return null;
}

function fromAnnotation(
  entry: KubeObject,
  cluster: string,
  options: OriginalOptions,
): Provenance | null {
  const entryNamespace = entry.metadata.namespace ?? "";
  for (const owner of annotatedOwners(entry)) {
    const isBelieved =
      owner.namespace === entryNamespace || entryNamespace === options.targetNamespace;
    const kind = options.originals.find((k) => k.group === owner.group && k.kind === owner.kind);
    if (kind === undefined || !isBelieved) continue;
    const { namespace, name } = owner;
    return { cluster: owner.cluster ?? cluster, kind: kind.kind.toLowerCase(), namespace, name };
  }
  return null;
}
