/**
 * The entries that an entry was copied from (`dnsentry-source`), where nobody publishes those: one
 * that was published and then got a class that is copied leaves its records to its copy. Pure.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { groupOf } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import { COPIED_FROM_ANNOTATION } from "../../model/annotation-keys.ts";
import { type DnsClasses, isFinalizer, isOfClass } from "../../model/dns-class.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";
import { objectKeyOf } from "../../model/object-key.ts";
import { annotatedOwners } from "../../model/owners-annotation.ts";
import type { ObjectKey } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { Found, SecondaryRead } from "../../sources/source.ts";

/** Copies of copies; a longer chain is none. */
const CHAIN_MAX = 10;

/** What originals are found by. */
export interface OriginalsContext {
  /** Of the cluster of the entries. */
  readonly view: Pick<ClusterView, "get" | "clusterId">;
  /** Those whose entries this process publishes. */
  readonly dnsClasses: DnsClasses;
  /** Where annotations that name other namespaces are believed; null = nowhere. */
  readonly targetNamespace: string | null;
}

/**
 * What the entry wants, with its originals, the nearest one first; they end at the first one that
 * is not known, or that somebody publishes.
 */
export function withOriginals(
  entry: KubeObject,
  found: Found<DesiredRecordSet>,
  context: OriginalsContext,
): Found<DesiredRecordSet> {
  const { view, dnsClasses } = context;
  const originals: ObjectKey[] = [];
  const reads: SecondaryRead[] = [];
  for (let copy = entry; reads.length < CHAIN_MAX; ) {
    const named = originalOf(copy, context);
    if (named === null) break;
    const { namespace, name } = named;
    reads.push({ kind: DNS_ENTRY, namespace, name });
    const lookup = view.get(DNS_ENTRY, namespace, name);
    if (lookup.state !== "value") break;
    if (isOfClass(lookup.value, dnsClasses) || isPublished(lookup.value)) break;
    originals.push(objectKeyOf(lookup.value, view.clusterId));
    copy = lookup.value;
  }
  if (reads.length === 0) return found;
  const succeeds = originals.length === 0 ? {} : { succeeds: originals };
  return { ...found, ...succeeds, reads: [...(found.reads ?? []), ...reads] };
}

/** By whatever set of controllers: these remove their finalizer when it has left their class. */
function isPublished({ metadata }: KubeObject): boolean {
  return metadata.finalizers?.some(isFinalizer) === true;
}

function originalOf(
  copy: KubeObject,
  { view, targetNamespace }: OriginalsContext,
): { readonly namespace: string; readonly name: string } | null {
  const { metadata } = copy;
  if (metadata.annotations?.[COPIED_FROM_ANNOTATION] === undefined) return null;
  const { namespace = "", ownerReferences = [] } = metadata;
  const isEntry = (group: string, kind: string): boolean =>
    group === DNS_ENTRY.group && kind === DNS_ENTRY.kind;
  const reference = ownerReferences.find(
    (one) => one.controller === true && isEntry(groupOf(one.apiVersion), one.kind),
  );
  if (reference !== undefined) return { namespace, name: reference.name };
  const annotated = annotatedOwners(copy).find(
    (one) =>
      isEntry(one.group, one.kind) &&
      (one.cluster ?? view.clusterId) === view.clusterId &&
      (one.namespace === namespace || namespace === targetNamespace),
  );
  return annotated ?? null;
}
