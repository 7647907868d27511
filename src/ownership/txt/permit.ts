/**
 * The record by which the owner of a key permits another object to claim it (Z-13): makes and reads
 * its name and its text. It has no marker: its text names its owner. Its heritage is not
 * external-dns's, which therefore takes it for a foreign text and leaves it alone. Where markers
 * are signed, permits are.
 *
 *   _permit.a.www.example.org  TXT "heritage=zonekeeper,zonekeeper/kind=permit,
 *       zonekeeper/owner=east,zonekeeper/to-owner=west,zonekeeper/to-resource=service/shop/web"
 */
import {
  type DnsName,
  isAtOrBelow,
  LABEL_BYTES_MAX,
  labelsOf,
  NAME_BYTES_MAX,
  trustedDnsName,
} from "@zonekeeper/dns/names/dns-name";
import { readObjectKey, shortResourceOf } from "../../model/provenance.ts";
import {
  compareKeys,
  isSameKey,
  type RecordSet,
  type RecordSetKey,
  recordSetKeyText,
} from "../../model/record-set.ts";
import type { OwnedRecordSet, PermitRecord } from "../../plan/changes.ts";
import { type CandidateOptions, candidatesAt } from "./marker-candidates.ts";
import { MARKER_BYTES_MAX, type MarkerLabels, markerBytes } from "./marker-value.ts";
import { LABEL, type LabelFrame, typesOf } from "./name-template.ts";
import { checkSignature, type MarkerSigning, signLabels } from "./signature.ts";

/**
 * Types below whose names a zone does not answer: their permit is next to the name and not below
 * it.
 */
const SIBLING_TYPES: ReadonlySet<string> = new Set(["NS", "DS", "DNAME"]);

const WILDCARD = "_wildcard";

/**
 * Name of the permit for a key; null = none can be made: a label over 63 bytes, a name over 253, or
 * outside the zone.
 */
export function permitName({ name, type }: RecordSetKey, apex: DnsName): DnsName | null {
  const [first = "", ...rest] = labelsOf(name);
  if (first === WILDCARD || !typesOf(LABEL).includes(type)) return null;
  const head = first === "*" ? WILDCARD : first;
  const text = trustedDnsName([`${permitStart(type)}${head}`, ...rest].join("."));
  const labels = labelsOf(text);
  if (text.length > NAME_BYTES_MAX || !isAtOrBelow(text, apex)) return null;
  return labels.some((label) => label.length > LABEL_BYTES_MAX) ? null : text;
}

function permitStart(type: string): string {
  const typeText = type.toLowerCase();
  return SIBLING_TYPES.has(type) ? `_permit-${typeText}-` : `_permit.${typeText}.`;
}

/** The texts before the first label in names of permits, one for each type. */
export function permitFrames(): readonly LabelFrame[] {
  return typesOf(LABEL).map((type) => ({ before: permitStart(type), after: "" }));
}

/**
 * The key that a permit at this name is about, without set identifier; null = it is no permit name.
 */
export function permittedBy(
  name: string,
  apex: DnsName,
): { readonly name: DnsName; readonly type: string } | null {
  // Nearly every name ends here.
  if (!name.startsWith("_permit")) return null;
  const below = /^_permit\.([a-z]+)\.(.+)$/.exec(name);
  const sibling = /^_permit-([a-z]+)-(.+)$/.exec(name);
  const [, typeText = "", rest = ""] = below ?? sibling ?? [];
  const type = typeText.toUpperCase();
  if (!typesOf(LABEL).includes(type) || SIBLING_TYPES.has(type) !== (sibling !== null)) return null;
  const target = trustedDnsName(rest.replace(/^_wildcard(?=\.|$)/, "*"));
  return isAtOrBelow(target, apex) ? { name: target, type } : null;
}

/** Every name that a permit for a record set at `name` may have. */
export function permitNames(name: DnsName, apex: DnsName): readonly DnsName[] {
  return typesOf(LABEL).flatMap(
    (type) => permitName({ name, type, setIdentifier: null }, apex) ?? [],
  );
}

/**
 * Names whose view a record set at `name` may change: its own, the name that a marker there labels,
 * and the names that permits at either of them are about.
 */
export function affectedBy(name: DnsName, options: CandidateOptions): readonly DnsName[] {
  const names = [name, ...candidatesAt(name, options).map((one) => one.name)];
  const permitted = names.flatMap((one) => permittedBy(one, options.apex)?.name ?? []);
  return [...new Set([...names, ...permitted])];
}

/** Names of the record sets that may be permits. */
export function permitsAmong(sets: readonly RecordSet[], apex: DnsName): readonly DnsName[] {
  return sets
    .filter(({ type, name }) => type === "TXT" && permittedBy(name, apex) !== null)
    .filter(({ values }) => values.some((value) => parsePermit(value) !== null))
    .map(({ name }) => name);
}

/** The fields of a permit's text. */
export interface PermitText extends Pick<PermitRecord, "owner" | "toOwner" | "toResource"> {
  /** Null = it is not signed. */
  readonly signature: string | null;
}

/** The zone of permits, and how they are signed. */
export interface PermitScope {
  readonly apex: DnsName;
  /** Null = they are not signed, and signatures are not looked at. */
  readonly signing: MarkerSigning | null;
}

const HEAD = "heritage=zonekeeper,zonekeeper/kind=permit,";

/**
 * Canonical TXT rdata of the permit for `key`; the object in its short form where the long one does
 * not fit. Null = too long, or no text.
 */
export function formatPermit(
  { owner, toOwner, toResource }: Omit<PermitText, "signature">,
  key: RecordSetKey,
  scope: PermitScope,
): string | null {
  const object = readObjectKey(toResource, null);
  const forms = object === null ? [toResource] : [toResource, shortResourceOf(object)];
  const texts = forms.map((one) => permitText({ owner, toOwner, toResource: one }, key, scope));
  const isFitting = (text: string) =>
    /^"[ !#-[\]-~]*"$/.test(text) && markerBytes(text) <= MARKER_BYTES_MAX;
  const isPlain = [owner, toOwner].every((one) => one !== "" && !/[,"]/.test(one));
  return isPlain ? (texts.find(isFitting) ?? null) : null;
}

function permitText(
  content: Omit<PermitText, "signature">,
  key: RecordSetKey,
  { apex, signing }: PermitScope,
): string {
  const { owner, toOwner, toResource } = content;
  const plain = `${HEAD}zonekeeper/owner=${owner},zonekeeper/to-owner=${toOwner},zonekeeper/to-resource=${toResource}`;
  if (signing === null) return `"${plain}"`;
  const labels = signLabels(labelsIn({ ...content, signature: null }), signedRecordOf(key, apex), {
    signing,
    isShort: false,
  });
  return `"${plain},zonekeeper/sig=${labels["sig"]}"`;
}

function labelsIn({ owner, toOwner, toResource, signature }: PermitText): MarkerLabels {
  const content = { owner, "to-owner": toOwner, "to-resource": toResource };
  return signature === null ? content : { ...content, sig: signature };
}

function signedRecordOf({ name, type, setIdentifier }: RecordSetKey, apex: DnsName) {
  return { kind: "permit", apex, name: trustedDnsName(name), type, setIdentifier } as const;
}

/** What the rdata of a TXT permits; null = it is no permit. */
export function parsePermit(rdata: string): PermitText | null {
  const match = PERMIT.exec(rdata);
  if (match === null) return null;
  const [, owner = "", toOwner = "", toResource = "", signature = null] = match;
  return { owner, toOwner, toResource, signature };
}

const PERMIT = new RegExp(
  `^"${HEAD}zonekeeper/owner=([^,"]+),zonekeeper/to-owner=([^,"]+),zonekeeper/to-resource=([^,"]+)(?:,zonekeeper/sig=([^,"]+))?"$`,
);

/**
 * The permit in a record set, with its key; null = it is none. A set with more than one text
 * permits nothing.
 */
export function permitIn(
  set: RecordSet,
  scope: PermitScope,
): { readonly key: RecordSetKey; readonly permit: PermitRecord } | null {
  if (set.type !== "TXT") return null;
  const labelled = permittedBy(set.name, scope.apex);
  const [text = "", ...others] = set.values;
  const content = labelled === null || others.length > 0 ? null : parsePermit(text);
  if (labelled === null || content === null) return null;
  const key = { ...labelled, setIdentifier: set.setIdentifier };
  const { owner, toOwner, toResource } = content;
  const state = signatureState(content, key, scope);
  return { key, permit: { owner, toOwner, toResource, record: set, ...state } };
}

/**
 * The trouble of a permit: a signature that it has must be valid, and with `require` it must have
 * one (as with markers, ADR 0012).
 */
function signatureState(
  content: PermitText,
  key: RecordSetKey,
  { apex, signing }: PermitScope,
): Pick<PermitRecord, "trouble" | "isOutdated"> {
  if (signing === null) return {};
  const signatureCheck = checkSignature(labelsIn(content), signedRecordOf(key, apex), signing);
  if (signatureCheck === "good") return {};
  const counts = signatureCheck === "unsigned" && signing.mode === "write";
  return counts ? { isOutdated: true } : { trouble: signatureCheck, isOutdated: true };
}

/**
 * Adds to each key its permit, and a key without data and marker for each permit
 * without a key. The permits themselves are no data. Sorted by key.
 */
export function withPermits(
  owned: readonly OwnedRecordSet[],
  sets: readonly RecordSet[],
  scope: PermitScope,
): readonly OwnedRecordSet[] {
  const found = sets.flatMap((set) => permitIn(set, scope) ?? []);
  if (found.length === 0) return owned;
  const byKey = new Map(found.map((one) => [recordSetKeyText(one.key), one]));
  const isPermit = (one: OwnedRecordSet) =>
    found.some(({ permit }) => isSameKey(permit.record, one) && one.marker === null);
  const joined = owned
    .filter((one) => !isPermit(one))
    .map((one) => {
      const there = byKey.get(recordSetKeyText(one));
      // A record that somebody publishes under that name is theirs, whatever it says.
      if (there === undefined || isPublished(there.permit.record, owned)) return one;
      byKey.delete(recordSetKeyText(one));
      return { ...one, permit: there.permit };
    });
  const left = [...byKey.values()]
    .filter(({ permit }) => !isPublished(permit.record, owned))
    .map(({ key, permit }) => ({ ...key, data: null, marker: null, contested: false, permit }));
  return [...joined, ...left].sort(compareKeys);
}

/**
 * True when there is a marker for the text: a user published it, and it gives no right.
 */
function isPublished(record: RecordSet, owned: readonly OwnedRecordSet[]): boolean {
  return owned.some((one) => isSameKey(one, record) && one.marker !== null);
}
