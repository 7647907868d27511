/**
 * Which DNSEntries of a source object to create, change and remove. Pure. The object name of an
 * entry is computed from source object and DNS name, so that a lost answer or a crash never makes a
 * second one.
 *
 * A changed host is another entry (Z-32). The first reconcile notes the new host, as an annotation,
 * at the entry of the old host; the next one creates the entry of the new host; the entry of the
 * old host is deleted when the new one is Ready.
 *
 *   new host: the entry is Error while its name has a record of another owner
 *             (plan/decide-wanted.ts: hold ForeignRecord); nothing is written there
 *   old host: its record stays, or is another object's that wants it (absence-tracker.ts); the
 *             finalizer of the deleted entry removes it, with its proof of absence
 *
 * A host that stays and is served by another zone keeps its entry:
 * gardener/dns-entry/leave-former-zones.ts keeps the old record until the new zone has it.
 */
import { compareText } from "@zonekeeper/base/compare-text";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { txtToText } from "@zonekeeper/dns/rdata/txt";
import { apiVersionOf, type KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { type Fields, fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { classAnnotations, finalizerOf } from "../../model/dns-class.ts";
import { type EntryMarks, SOURCE_LABEL } from "../../model/generated-entries.ts";
import { DNS_ENTRY, objectKeyOf } from "../../model/kinds.ts";
import { isPaused } from "../../model/object-annotations.ts";
import { memberOf, readRoutingPolicy, routingPolicyFields } from "../../model/record-attributes.ts";
import { asPlain } from "../../model/record-set.ts";
import { isSameJson } from "../../model/same-json.ts";
import { noteAnnotation, type ZoneNote } from "../../model/zone-note.ts";
import { markAnnotations, markPatch } from "./entry-marks.ts";
import { joined, type RequestingObject, requestsOf, requestsPatch } from "./entry-requests.ts";
import { sourceLabel } from "./entry-signs.ts";
import { entryNamespace, linkTo, presentOwners } from "./owner-link.ts";
import { awaitsNames, dnsNameOf, type NotedNames, renamePatches } from "./renamed-entries.ts";

/** Everything that entries are planned from. */
export interface EntriesContext extends RequestingObject {
  /** Entries that this program has made for the object. */
  readonly own: readonly KubeObject[];
  /**
   * Entries of the object that others made or changed (Z-25): they stay, and no second one is made
   * for their names.
   */
  readonly left: readonly KubeObject[];
  /** Class of the entries. */
  readonly targetClass: string;
  /**
   * The zone of a new entry. It is stored with the entry and our finalizer, which saves the
   * publisher a write. Null = the zone is not known, or another process publishes the entry.
   */
  readonly noteOf: (entry: KubeObject) => ZoneNote | null;
  readonly marks: EntryMarks;
  /**
   * Remembered notes of entries of former names (noted-names.ts); absent = only the annotations
   * count.
   */
  readonly noted?: NotedNames;
}

/** An entry to change. */
export interface EntryPatch {
  readonly entry: KubeObject;
  readonly patch: Readonly<Record<string, unknown>>;
}

/** The writes to make. Sorted by DNS name. */
export interface EntriesPlan {
  readonly create: readonly KubeObject[];
  readonly change: readonly EntryPatch[];
  readonly remove: readonly KubeObject[];
}

/**
 * The plan. A name that waits for an address, or that a problem in the object may hide, keeps its
 * entry as it is (Z-1, Z-4). The entries of a paused object are paused with it, and none is
 * removed.
 */
export function planEntries(context: EntriesContext): EntriesPlan {
  const plan = planByNames(context);
  const changed = new Set(plan.change.map(({ entry }) => entry));
  // Also entries that wait or are being deleted: a permit must end without an address too, and a
  // pause annotation that stays on an entry would keep its records.
  const others = context.own.filter((entry) => !changed.has(entry));
  const marked = others.flatMap((entry) => {
    const annotations = requestsPatch(context, entry);
    return annotations === null ? [] : [{ entry, patch: { metadata: { annotations } } }];
  });
  const remove = isPaused(context.object) ? [] : plan.remove;
  return { create: plan.create, change: [...plan.change, ...marked], remove };
}

function planByNames(context: EntriesContext): EntriesPlan {
  const { found, own, nameOf, noted } = context;
  const wanted = [...new Set(found.items.map((item) => item.name))].sort(compareText);
  const entries = new Map(wanted.map((name) => [name, entryOf(name, own, nameOf(name))]));
  const isLeft = (name: DnsName): boolean =>
    context.left.some((entry) => dnsNameOf(entry) === name || entry.metadata.name === nameOf(name));
  const isNew = (name: DnsName): boolean => !isLeft(name) && !entryOf(name, own, nameOf(name));
  const create = wanted.filter(isNew).map((name) => newEntry(context, name));
  const change = [...entries].flatMap(([name, entry]) => {
    const patch = entry === null ? null : patchOf(context, name, entry);
    return entry === null || patch === null ? [] : [{ entry, patch }];
  });

  const kept = new Set(entries.values());
  const idle = own.filter(
    (entry) => !kept.has(entry) && entry.metadata.deletionTimestamp === undefined,
  );
  const waiting = new Set<string>(found.waiting.map(({ name }) => name));
  const waitingNames = new Set(found.waiting.map(({ name }) => nameOf(name)));
  const isWaiting = (entry: KubeObject): boolean =>
    waiting.has(dnsNameOf(entry)) || waitingNames.has(entry.metadata.name);
  const isSurplus = (entry: KubeObject): boolean =>
    wanted.some((name) => name === dnsNameOf(entry)) ||
    /* clause: incomplete-removes-no-entry */ (found.complete &&
      /* clause: waiting-name-keeps-entry */ !isWaiting(entry));
  const remove = idle.filter(isSurplus);
  const former = found.complete ? remove : idle.filter((entry) => !isWaiting(entry));
  if (former.length + remove.length === 0) return { create, change, remove };

  const listed = [...wanted, ...found.waiting.map(({ name }) => name)];
  const addressless = found.waiting.filter(({ reason }) => reason === "NoTargets");
  const coming = [...wanted, ...addressless.map(({ name }) => name)].filter(isNew);
  const renamed = renamePatches(former, { coming, listed, isCertain: found.complete, noted });
  // Notes are written before anything else: later nobody could tell which names replaced which.
  if (renamed.length > 0) return { create: [], change: [...change, ...renamed], remove: [] };
  const isDue = (entry: KubeObject): boolean => !awaitsNames(entry, { wanted: listed, own });
  return { create, change, remove: remove.filter(isDue) };
}

/** Entries of the object whose name it lists without any address for it now. */
export function addresslessEntries({ found, own, nameOf }: EntriesContext): readonly KubeObject[] {
  const names = found.waiting.flatMap(({ name, reason }) => (reason === "NoTargets" ? name : []));
  const waiting = new Set<string>(names);
  const called = new Set(names.map(nameOf));
  return own.filter((entry) => waiting.has(dnsNameOf(entry)) || called.has(entry.metadata.name));
}

/**
 * The entry of a name: the one with the computed object name, else the oldest with the DNS name;
 * never one that is being deleted.
 */
function entryOf(name: DnsName, own: readonly KubeObject[], called: string): KubeObject | null {
  const alive = own.filter((entry) => entry.metadata.deletionTimestamp === undefined);
  const [oldest] = alive
    .filter((entry) => dnsNameOf(entry) === name)
    .sort(
      (a, b) =>
        compareText(a.metadata.creationTimestamp ?? "", b.metadata.creationTimestamp ?? "") ||
        compareText(a.metadata.name, b.metadata.name),
    );
  return alive.find((entry) => entry.metadata.name === called) ?? oldest ?? null;
}

function newEntry(context: EntriesContext, name: DnsName): KubeObject {
  const { annotations = {}, ...link } = linkTo(context.scope, context.object);
  const all = {
    ...annotations,
    /* clause: generated-entry-has-target-class */ ...classAnnotations(context.targetClass),
    ...requestsOf(context.object),
    ...markAnnotations(context, context.targetClass),
  };
  const entry: KubeObject = {
    apiVersion: apiVersionOf(DNS_ENTRY),
    kind: DNS_ENTRY.kind,
    metadata: {
      name: context.nameOf(name),
      namespace: entryNamespace(context.scope, context.object),
      ...link,
      labels: { ...context.marks.labels, ...labelsOf(context) },
      ...(Object.keys(all).length === 0 ? {} : { annotations: all }),
    },
    spec: Object.fromEntries(
      Object.entries(specOf(context, name)).filter(([, value]) => value !== null),
    ),
  };
  const note = context.noteOf(entry);
  if (note === null) return entry;
  const promised = {
    finalizers: [finalizerOf(context.targetClass)],
    annotations: { ...all, ...noteAnnotation(note) },
  };
  return { ...entry, metadata: { ...entry.metadata, ...promised } };
}

function labelsOf({ scope, object }: EntriesContext): Readonly<Record<string, string>> {
  return sourceLabel(objectKeyOf(object, scope.cluster));
}

/** The fields we manage; null = absent. */
function specOf(context: EntriesContext, name: DnsName): Readonly<Record<string, unknown>> {
  const sets = context.found.items.filter((item) => item.name === name);
  const text = sets.filter((set) => set.type === "TXT").flatMap((set) => set.values);
  // An alias has its target in two record sets, A and AAAA.
  const addressed = sets.filter((set) => set.type !== "TXT").flatMap((set) => set.values);
  const targets = [...new Set(addressed)];
  const lookup = sets[0]?.lookup;
  // That it is a part of a merged record set is said by an annotation that the entry has, too.
  const member = sets[0] === undefined ? null : memberOf(asPlain(sets[0]));
  return {
    dnsName: name,
    ttl: sets[0]?.ttlSeconds ?? null,
    targets: targets.length > 0 ? targets : null,
    resolveTargetsToAddresses: lookup === undefined ? null : true,
    cnameLookupInterval: lookup?.intervalSeconds ?? null,
    ownerId: /* clause: entry-has-owner-id-of-object */ sets[0]?.owner ?? null,
    text: text.length > 0 ? text.map((rdata) => txtToText(rdata) ?? rdata) : null,
    routingPolicy: member === null ? null : routingPolicyFields(member),
  };
}

/**
 * A merge patch; null = the entry is as desired. The API server compares the uid, so that no other
 * object of the name is changed; a changed status or finalizer is no conflict.
 */
function patchOf(
  context: EntriesContext,
  name: DnsName,
  entry: KubeObject,
): Readonly<Record<string, unknown>> | null {
  const spec = fieldsOf(entry["spec"]);
  const policy = readRoutingPolicy(spec["routingPolicy"]);
  // With its keys in our order, so that another order is no difference.
  const ordered = policy.ok && policy.value !== null ? routingPolicyFields(policy.value) : null;
  const present: Fields = ordered === null ? spec : { ...spec, routingPolicy: ordered };
  const changed = Object.entries(specOf(context, name)).filter(
    ([key, value]) => !isSameJson(present[key] ?? null, value),
  );
  const metadata = metadataPatch(context, entry);
  if (changed.length === 0 && metadata === null) return null;
  const { uid } = entry.metadata;
  return {
    metadata: { ...(uid === undefined ? {} : { uid }), ...metadata },
    ...(changed.length === 0 ? {} : { spec: Object.fromEntries(changed) }),
  };
}

/** Null = link, annotations and label are as they should be. */
function metadataPatch(context: EntriesContext, entry: KubeObject): object | null {
  const link = linkPatch(context, entry);
  const marks = joined(requestsPatch(context, entry), markPatch(context, entry));
  const annotations = joined(marks, presentOwners(context.scope, entry));
  const isLabelled = entry.metadata.labels?.[SOURCE_LABEL] !== undefined;
  if (link === null && annotations === null && isLabelled) return null;
  const labels = isLabelled ? {} : { labels: labelsOf(context) };
  return { ...link, ...(annotations && { annotations }), ...labels };
}

/**
 * A source object that was deleted and created again has a new uid: its entries get the new owner
 * reference before the garbage collector deletes them. Null = the entry has it, or is in another
 * namespace (`--target-namespace` was removed), where such a reference would have it collected.
 */
function linkPatch(context: EntriesContext, entry: KubeObject): object | null {
  if (entry.metadata.namespace !== entryNamespace(context.scope, context.object)) return null;
  const { ownerReferences } = linkTo(context.scope, context.object);
  const uid = ownerReferences?.[0]?.uid;
  if (uid === undefined || entry.metadata.ownerReferences?.some((owner) => owner.uid === uid))
    return null;
  const { resourceVersion } = entry.metadata;
  return { ownerReferences, ...(resourceVersion === undefined ? {} : { resourceVersion }) };
}
