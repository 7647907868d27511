/**
 * Finds the DNSEntries that a DNSEntry was copied from (source `dnsentry-source`) and that nobody
 * publishes any more. An entry that was published and then got a class whose entries are copied
 * leaves its records to its copy: `succeeds` says so, and the copy may take them over. Pure.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { groupOf } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import { COPIED_FROM_ANNOTATION } from "../../model/annotation-keys.ts";
import { type DnsClasses, isFinalizer, isOfClass } from "../../model/dns-class.ts";
import { annotatedOwners } from "../../model/generated-entries.ts";
import { DNS_ENTRY, objectKeyOf } from "../../model/kinds.ts";
import type { ObjectKey } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { Found, SecondaryRead } from "../../sources/source.ts";

/** The longest chain of copies of copies that is followed. */
const CHAIN_MAX = 10;

/** Everything that originals are found by. */
export interface OriginalsContext {
  /** Reads the cluster of the entries. */
  readonly view: Pick<ClusterView, "get" | "clusterId">;
  /** The classes whose entries this process publishes. */
  readonly dnsClasses: DnsClasses;
  /** The only namespace where an annotation may name an owner in another namespace; null = none. */
  readonly targetNamespace: string | null;
}

/**
 * `found` with the originals in `succeeds`, the nearest one first, up to the first original that is
 * not known or that somebody publishes. The look-ups are added to `reads`.
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
    // Some set of controllers that has its finalizer there removes it once the entry has left its
    // class and needs it no more.
    const isPublished = lookup.value.metadata.finalizers?.some(isFinalizer) === true;
    if (isOfClass(lookup.value, dnsClasses) || isPublished) break;
    originals.push(objectKeyOf(lookup.value, view.clusterId));
    copy = lookup.value;
  }
  if (reads.length === 0) return found;
  const succeeds = originals.length === 0 ? {} : { succeeds: originals };
  return { ...found, ...succeeds, reads: [...(found.reads ?? []), ...reads] };
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
