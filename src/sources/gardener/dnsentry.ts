/**
 * DNSEntry → records: one entry gives the A and AAAA, the CNAME or the TXT record sets of its name.
 * A spec that does not validate wants what stands, and so does one without any value (Z-5).
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { canonicalValues } from "@zonekeeper/dns/rdata/index";
import { txtFromText } from "@zonekeeper/dns/rdata/txt";
import type { KindRef, KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { type Fields, fieldsOf, textOf, textsOf } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import { annotationRow } from "../../model/annotation-keys.ts";
import { classOf, finalizerOf, isOfClass } from "../../model/dns-class.ts";
import { objectKeyOf } from "../../model/kinds.ts";
import { isOwnerId, isPaused, OWNER_ID_FORM } from "../../model/object-annotations.ts";
import type { Problem } from "../../model/problem.ts";
import { resourceOf } from "../../model/provenance.ts";
import { readRoutingPolicy } from "../../model/record-attributes.ts";
import type { DesiredRecordSet, PolicyMember } from "../../model/record-set.ts";
import { NO_TRANSFER, type ObjectTransfer } from "../../model/transfer-request.ts";
import { annotatedTtl, annotationField, readTtl, TTL_ANNOTATION } from "../shared/annotations.ts";
import { desiredSets, listsNames, PROBLEM_WAIT, waitingFor } from "../shared/found.ts";
import { type LookupRequest, readLookup } from "../shared/lookup-request.ts";
import { type OriginalOptions, originalOf } from "../shared/original-object.ts";
import { quoted, readName } from "../shared/read-name.ts";
import { readTargets, type TypedValues } from "../shared/targets.ts";
import { readTransfer } from "../shared/transfer-annotations.ts";
import { type Found, NOTHING, type SourceFunctions, type SourceOptions } from "../source.ts";
import { withReference } from "./entry-reference.ts";

/** Values that one entry may list (the bound of Gardener's resource). */
const VALUES_MAX = 100;

/**
 * The source `dnsentry`: dns.gardener.cloud/v1alpha1 DNSEntries. Reads the spec also of an entry
 * that is being deleted: its names are needed to remove them.
 */
export function dnsEntry(options: SourceOptions, originals: readonly KindRef[]): SourceFunctions {
  return { endpoints: (object, view) => withPause(object, view, { ...options, originals }) };
}

/** Markers name the entry itself or the object that it was made from; both are paused with it. */
function withPause(
  object: KubeObject,
  view: ClusterView,
  options: OriginalOptions,
): Found<DesiredRecordSet> {
  const found = endpoints(object, view, options);
  if (!isPaused(object)) return found;
  const self = objectKeyOf(object, view.clusterId);
  const original = originalOf(object, view.clusterId, options);
  const isSelf = resourceOf(original) === resourceOf(self);
  return { ...found, paused: isSelf ? [self] : [self, original] };
}

/** What is wrong with one field. */
interface FieldTrouble {
  readonly code: string;
  readonly message: string;
  /** Empty = the spec as a whole. */
  readonly field: string;
}

function endpoints(
  object: KubeObject,
  view: ClusterView,
  options: OriginalOptions,
): Found<DesiredRecordSet> {
  if (!isOfClass(object, options.dnsClasses)) return NOTHING;
  const spec = fieldsOf(object["spec"]);
  const provenance = originalOf(object, view.clusterId, options);
  const { transfer, problems } = readTransfer(object);
  const objectTransfer = { object: provenance, transfer: transfer ?? NO_TRANSFER };
  const invalid = (trouble: FieldTrouble, name: DnsName | null) =>
    mistake(object, trouble, { name, objectTransfer });
  const name = nameOf(spec);
  if (!name.ok) /* clause: nameless-object-has-no-records */ return invalid(name.error, null);
  const { namespace = "", name: objectName } = object.metadata;
  const whole = withReference({ namespace, name: objectName, spec }, view, options.anyNamespace);
  if (!whole.ok) return invalid(whole.error, name.value);
  const read = recordsOf(object, whole.value);
  if (!read.ok) return invalid(read.error, name.value);
  const loop = read.value.typed.find(
    (set) => set.type === "CNAME" && set.values.includes(name.value),
  );
  if (loop !== undefined) {
    const message = `${name.value} cannot be an alias of itself; write another target`;
    return invalid({ code: "InvalidTarget", message, field: "spec.targets" }, name.value);
  }
  if (read.value.typed.length === 0)
    return /* clause: emptied-spec-is-a-mistake */ invalid(EMPTIED, name.value);
  const sets = desiredSets(name.value, read.value.typed, {
    object,
    provenance,
    ttlSeconds: read.value.ttlSeconds,
    lookupSeconds: read.value.lookupSeconds,
    member: read.value.member,
    ...(transfer === undefined ? {} : { transfer }),
  });
  return { ...NOTHING, problems, items: sets.map((set) => ({ ...set, owner: read.value.owner })) };
}

/** An emptied list, or a field that is misspelt past validation: no intent to remove (Z-5). */
const EMPTIED: FieldTrouble = {
  code: "NothingWanted",
  message:
    "no target or text specified; write spec.targets or spec.text, or delete the entry to have its record removed",
  field: "",
};

/** What can be read of an entry whose spec cannot. */
interface MistakeFacts {
  /** Null = it cannot be read: then nothing is known at all. */
  readonly name: DnsName | null;
  readonly objectTransfer: ObjectTransfer;
}

/**
 * The name waits, so that what was published before stays (Z-5). What the annotations say counts
 * all the same.
 */
function mistake(
  object: KubeObject,
  trouble: FieldTrouble,
  { name, objectTransfer }: MistakeFacts,
): Found<DesiredRecordSet> {
  const subject = resourceOf(objectKeyOf(object, ""));
  const { field, ...more } = trouble;
  return {
    items: [],
    waiting: name === null ? [] : waitingFor([name], PROBLEM_WAIT),
    problems: [{ ...more, subject, ...(field !== "" && { field }) }],
    complete: false,
    objectTransfer,
  };
}

const refuse = (code: string, field: string, message: string) => fail({ code, field, message });

function nameOf(spec: Fields): Result<DnsName, FieldTrouble> {
  const text = spec["dnsName"];
  if (typeof text !== "string")
    return refuse("InvalidDnsName", "spec.dnsName", "dnsName is missing; write a full name");
  const name = readName(text);
  if (name.ok) return name;
  const message = `${quoted(text)} is not a DNS name: ${name.error}`;
  return refuse("InvalidDnsName", "spec.dnsName", message);
}

interface EntryRecords {
  /** Null = it names none. */
  readonly owner: string | null;
  /** Empty = the spec says nothing. */
  readonly typed: readonly TypedValues[];
  readonly ttlSeconds: number | null;
  /** Between look-ups of host names. */
  readonly lookupSeconds: number;
  /** Null = a plain record set. */
  readonly member: PolicyMember | null;
}

function recordsOf(object: KubeObject, spec: Fields): Result<EntryRecords, FieldTrouble> {
  const values = valuesOf(spec);
  if (!values.ok) return values;
  const ttl = ttlOf(object, spec);
  if (!ttl.ok) return ttl;
  const member = policyOf(spec);
  if (!member.ok) return member;
  const lookup = readLookup(object, spec);
  if (!lookup.ok) return lookup;
  const typed = typedOf(values.value, lookup.value);
  if (!typed.ok) return typed;
  const owner = ownerOf(spec);
  if (!owner.ok) return owner;
  const { lookupSeconds } = lookup.value;
  const read = { typed: typed.value, ttlSeconds: ttl.value, member: member.value };
  return ok({ ...read, lookupSeconds, owner: owner.value });
}

function ownerOf(spec: Fields): Result<string | null, FieldTrouble> {
  const owner = textOf(spec["ownerId"]);
  if (owner === null || isOwnerId(owner)) return ok(owner);
  const message = `${quoted(owner)} is no owner id: ${OWNER_ID_FORM}`;
  return refuse("InvalidOwnerId", "spec.ownerId", message);
}

function policyOf(spec: Fields): Result<PolicyMember | null, FieldTrouble> {
  const read = readRoutingPolicy(spec["routingPolicy"]);
  if (read.ok) return read;
  const { field, message } = read.error;
  const path = `spec.routingPolicy${field === "" ? "" : `.${field}`}`;
  return refuse("InvalidRoutingPolicy", path, message);
}

interface EntryValues {
  readonly targets: readonly string[];
  readonly text: readonly string[];
}

function valuesOf(spec: Fields): Result<EntryValues, FieldTrouble> {
  const targets = textsOf(spec["targets"]);
  const text = textsOf(spec["text"]);
  if (targets === null)
    return refuse("InvalidSpec", "spec.targets", "targets is not a list of strings");
  if (text === null) return refuse("InvalidSpec", "spec.text", "text is not a list of strings");
  if (targets.length > 0 && text.length > 0) return refuse("InvalidSpec", "spec", EITHER);
  const count = targets.length + text.length;
  if (count > VALUES_MAX)
    return refuse("TooManyValues", "spec", `too many targets: ${count}, at most ${VALUES_MAX}`);
  if (text.length > 0 && text.every((line) => line.trim() === ""))
    return refuse("InvalidText", "spec.text", EMPTY_TEXTS);
  return ok({ targets, text });
}

const EITHER = "only Text or Targets possible: remove spec.targets or spec.text";
const EMPTY_TEXTS = "all texts are empty; write what the TXT record is to say, or remove text";

function ttlOf(object: KubeObject, spec: Fields): Result<number | null, FieldTrouble> {
  const value = spec["ttl"] ?? null;
  const ttl = value === null ? annotatedTtl(object) : readTtl(value);
  const field = value === null ? annotationField(TTL_ANNOTATION) : "spec.ttl";
  return ttl.ok ? ttl : refuse("InvalidTtl", field, ttl.error);
}

function typedOf(
  values: EntryValues,
  { asksForAddresses }: LookupRequest,
): Result<readonly TypedValues[], FieldTrouble> {
  if (values.text.length > 0)
    return ok([{ type: "TXT", values: canonicalValues(values.text.map(txtFromText)) }]);
  const typed = readTargets(values.targets, asksForAddresses);
  return typed.ok ? typed : fail({ ...typed.error, field: "spec.targets" });
}

/**
 * The source `dnsentry-source`: DNSEntries that are copied to another cluster, or to another class
 * of the same one (Gardener external-dns-management). Reads an entry as `dnsentry` does. The copy
 * is an entry like any other: markers name it, and not what it was copied from.
 */
export function copiedEntry(options: SourceOptions): SourceFunctions {
  const source = dnsEntry(options, []);
  return {
    endpoints: (object, view) => {
      const found = source.endpoints(object, view);
      // By itself, as its finalizer says: there its annotations have their effect.
      const isPublished =
        object.metadata.finalizers?.includes(finalizerOf(classOf(object))) === true;
      if (!listsNames(found) || isPublished) return found;
      return { ...found, problems: [...found.problems, ...remarksOn(object)] };
    },
  };
}

/**
 * What concerns how an entry is published is asked of its copy, by who may write that: an owner of
 * entries here may not lift limits there.
 */
function remarksOn(object: KubeObject): readonly Problem[] {
  const subject = resourceOf(objectKeyOf(object, ""));
  const asked = Object.entries(object.metadata.annotations ?? {}).flatMap(([key, value]) =>
    value.trim() !== "" && annotationRow(key)?.onCopy === true ? key : [],
  );
  return asked.map((key) => ({
    code: "Unsupported",
    subject: `${subject} ${key}`,
    message: "has no effect on a DNSEntry that is copied: annotate its copy",
    field: annotationField(key),
  }));
}
