/**
 * Provenance of a DNSEntry: the object that it was generated for, where that can be trusted, else
 * the entry itself. A marker's object wins conflicts (Z-15), so a claim that points out of the
 * entry's namespace is not believed.
 */
import type { KindRef, KubeObject } from "../../model/kubernetes.ts";
import { objectKeyOf } from "../../model/object-fields.ts";
import type { Provenance } from "../../model/provenance.ts";
import type { SourceOptions } from "./source-options.ts";

/**
 * Comma list of `[cluster:]group/Kind/namespace/name`, written on entries whose owner lives
 * elsewhere (Gardener).
 */
export const OWNERS_ANNOTATION = "resources.gardener.cloud/owners";

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
  const text = entry.metadata.annotations?.[OWNERS_ANNOTATION] ?? "";
  const entryNamespace = entry.metadata.namespace ?? "";
  for (const item of text.split(",")) {
    const owner = parseOwner(item.trim(), cluster, options);
    if (owner === null) continue;
    if (owner.namespace === entryNamespace || entryNamespace === options.targetNamespace)
      return owner;
  }
  return null;
}

/**
 * Reads `[cluster:]group/Kind/namespace/name`; null when it is anything else or of a kind that is
 * no source.
 */
function parseOwner(
  text: string,
  entryCluster: string,
  { originals }: OriginalOptions,
): Provenance | null {
  const match = /^(?:([^:/]+):)?([^/]*)\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(text);
  const kind = originals.find((k) => k.group === match?.[2] && k.kind === match?.[3]);
  if (match === null || kind === undefined) return null;
  return {
    cluster: match[1] ?? entryCluster,
    kind: kind.kind.toLowerCase(),
    namespace: match[4] ?? "",
    name: match[5] ?? "",
  };
}
