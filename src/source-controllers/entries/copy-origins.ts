/**
 * Copies of DNSEntries that would return: two processes that copy into what the other one copies
 * would make copies of copies without end. A copy says where it and what it was made from were
 * copied, and is not copied to such a place again. A chain of three places and more is fine. Pure.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import { COPIED_FROM_ANNOTATION } from "../../model/annotation-keys.ts";
import { classOf, finalizerOf } from "../../model/dns-class.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";
import { objectKeyOf } from "../../model/object-key.ts";
import { resourceOf } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { Found, Source } from "../../sources/source.ts";
import { ownerOf, type SourceScope } from "./owner-link.ts";

type CopyScope = Pick<SourceScope, "cluster" | "targetCluster" | "aliases">;

/** Where copies come from or go: DNSEntries of this class of this cluster. */
function originText(cluster: string, dnsClass: string): string {
  return `${cluster}/${dnsClass}`;
}

/** Of what an entry is a copy, the first one first; empty = it is none. */
function originsOf(entry: KubeObject, { aliases }: CopyScope): readonly string[] {
  const text = entry.metadata.annotations?.[COPIED_FROM_ANNOTATION] ?? "";
  const items = text.split(",").flatMap((item) => item.trim() || []);
  return items.map((item) => {
    const slash = item.lastIndexOf("/");
    const [id, dnsClass] = [item.slice(0, slash), item.slice(slash + 1)];
    return originText(aliases.get(id) ?? id, dnsClass);
  });
}

/** What the annotation of a copy of this entry says. */
export function copiedFrom(scope: CopyScope, entry: KubeObject): string {
  const origins = [...originsOf(entry, scope), originText(scope.cluster, classOf(entry))];
  return [...new Set(origins)].join(",");
}

/** Where copies go. */
interface CopyTarget {
  readonly view: Pick<ClusterView, "get">;
  readonly dnsClass: string;
}

/** The entry of the target cluster that it was copied from, by whatever program: none or one. */
function madeFrom(
  entry: KubeObject,
  { cluster, targetCluster, aliases }: CopyScope,
  view: CopyTarget["view"],
): readonly KubeObject[] {
  // Copies that were made the other way round.
  const reversed = { kind: DNS_ENTRY, cluster: targetCluster, targetCluster: cluster, aliases };
  const owner = ownerOf({ ...reversed, targetNamespace: null }, entry);
  if (owner === null) return [];
  const [namespace = "", name = ""] = owner.split("/");
  const lookup = view.get(DNS_ENTRY, namespace, name);
  return lookup.state === "value" ? [lookup.value] : [];
}

/**
 * A source of DNSEntries without copies that would return to where they come from. What was made of
 * them before stays (Z-5).
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
    const names = [...new Set([...found.items, ...found.waiting].map(({ name }) => name))];
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
 * True = its status is that of who publishes it, as its finalizer says, or of who publishes its
 * original, where it is a copy that would return: two that write one status would never end.
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
