/**
 * Keeps copies of DNSEntries from returning. Two processes, each of which copies into the cluster
 * and class that the other one copies from, would make copies of copies without end. So a copy
 * notes in an annotation all clusters and classes that it and its originals were copied from, and
 * is not copied to one of these. A chain of three different places and more is allowed. Pure.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import { COPIED_FROM_ANNOTATION } from "../../model/annotation-keys.ts";
import { classOf, finalizerOf } from "../../model/dns-class.ts";
import { DNS_ENTRY, objectKeyOf } from "../../model/kinds.ts";
import { resourceOf } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { type Found, listedNames, type Source } from "../../sources/source.ts";
import { ownerOf, type SourceScope } from "./owner-link.ts";

type CopyScope = Pick<SourceScope, "cluster" | "targetCluster" | "aliases">;

/** Where copies come from or go: DNSEntries of this class of this cluster. */
function originText(cluster: string, dnsClass: string): string {
  return `${cluster}/${dnsClass}`;
}

/**
 * The clusters and classes that the entry was copied from, the first one first; empty = it is no
 * copy.
 */
function originsOf(entry: KubeObject, { aliases }: CopyScope): readonly string[] {
  const text = entry.metadata.annotations?.[COPIED_FROM_ANNOTATION] ?? "";
  const items = text.split(",").flatMap((item) => item.trim() || []);
  return items.map((item) => {
    const slash = item.lastIndexOf("/");
    const [id, dnsClass] = [item.slice(0, slash), item.slice(slash + 1)];
    return originText(aliases.get(id) ?? id, dnsClass);
  });
}

/** The annotation of a copy of this entry. */
export function copiedFrom(scope: CopyScope, entry: KubeObject): string {
  const origins = [...originsOf(entry, scope), originText(scope.cluster, classOf(entry))];
  return [...new Set(origins)].join(",");
}

/** Where copies go. */
interface CopyTarget {
  readonly view: Pick<ClusterView, "get">;
  readonly dnsClass: string;
}

/**
 * The entry of the target cluster that the entry was copied from, also by another program: none or
 * one.
 */
function madeFrom(
  entry: KubeObject,
  { cluster, targetCluster, aliases }: CopyScope,
  view: CopyTarget["view"],
): readonly KubeObject[] {
  // The scope of copies in the opposite direction.
  const reversed = { kind: DNS_ENTRY, cluster: targetCluster, targetCluster: cluster, aliases };
  const owner = ownerOf({ ...reversed, targetNamespace: null }, entry);
  if (owner === null) return [];
  const [namespace = "", name = ""] = owner.split("/");
  const lookup = view.get(DNS_ENTRY, namespace, name);
  return lookup.state === "value" ? [lookup.value] : [];
}

/**
 * The source, without copies that would return to where they come from: their names wait, and a
 * copy that exists already stays (Z-5).
 */
export function withoutReturns(
  source: Source,
  scope: CopyScope,
  { view: targetView, dnsClass }: CopyTarget,
): Source {
  const target = originText(scope.targetCluster, dnsClass);
  const comesFromThere = (entry: KubeObject): boolean =>
    originsOf(entry, scope).includes(target) ||
    madeFrom(entry, scope, targetView).some((owner) => classOf(owner) === dnsClass);
  const endpoints: Source["endpoints"] = (object, view) => {
    const found = source.endpoints(object, view);
    const names = [...listedNames(found)];
    if (names.length === 0 || !comesFromThere(object)) return found;
    const here = originText(scope.cluster, classOf(object));
    const message = `not copied from ${here} to ${target}: it is a copy that comes from there; give the process that copies from ${here} another --source-dns-class, --dns-target-class or --target, or stop its dnsentry-source`;
    const problem = { code: "CopyReturns", subject: resourceOf(objectKeyOf(object, "")), message };
    const waiting = names.map((name) => ({ name, reason: "SourceIncomplete" }));
    return { ...found, items: [], waiting, problems: [problem], complete: false };
  };
  return { ...source, endpoints };
}

/**
 * True = another controller writes the status of this original, so that it must not be written
 * here: the publisher whose finalizer it has or, where it is a copy that would return, the process
 * that made it. Two writers of one status would never end.
 */
export function isStatusOfOthers(
  entry: KubeObject,
  { problems }: Pick<Found<DesiredRecordSet>, "problems">,
): boolean {
  // clause: publisher-has-the-status
  if (entry.metadata.finalizers?.includes(finalizerOf(classOf(entry))) === true) return true;
  const problem = problems.find(({ code }) => code === "CopyReturns");
  if (problem === undefined) return false;
  const { state, message } = fieldsOf(entry["status"]);
  const isEmpty = (textOf(state) ?? "") === "";
  return !(isEmpty || textOf(message) === problem.message);
}
