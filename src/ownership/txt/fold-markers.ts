/**
 * Folds record sets: finds the markers among them (TXT records that state an owner), and the data
 * that each labels, that is the record sets it is for. Every format that external-dns ever wrote is
 * read. A text that is no marker stays foreign data. A half pair is a marker without data. Pure.
 */
import { compareText } from "@zonekeeper/base/compare-text";
import { invariant } from "@zonekeeper/base/invariant";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { readResource } from "../../model/provenance.ts";
import {
  compareKeys,
  isSameKey,
  type RecordSet,
  type RecordSetKey,
  recordSetKeyText,
} from "../../model/record-set.ts";
import type { Marker, MarkerTrouble, OwnedRecordSet } from "../../plan/changes.ts";
import { ANY_TYPE, isMarkedForExternalDnsOnly } from "../../plan/rights.ts";
import { valuesBeyond } from "../data-hash.ts";
import { type CandidateOptions, candidatesAt } from "./marker-candidates.ts";
import type { MarkerCodec, MarkerForm, MarkerText } from "./marker-codec.ts";
import type { MarkerLabels } from "./marker-value.ts";
import type { LabelledRecord } from "./name-template.ts";
import { givesRights } from "./pending.ts";
import { checkSignature, type MarkerSigning } from "./signature.ts";

/** Where to look for markers. */
export interface FoldOptions extends CandidateOptions {
  readonly codec: MarkerCodec;
  /** Null = signatures are not looked at. */
  readonly signing: MarkerSigning | null;
  /** True for owner ids of ours. */
  readonly isOwnedByUs: (owner: string) => boolean;
}

/** One marker where it was found. */
export interface MarkerEntry {
  /** The record set, raw, as it was read. */
  readonly record: RecordSet;
  /** The value in it that is the marker. */
  readonly value: string;
  readonly labels: MarkerLabels;
  readonly form: MarkerForm;
  /** Why it gives no rights; its owner is empty then. Null = none. */
  readonly trouble: MarkerTrouble | null;
  /** Empty when the marker names none: it is not ours then. */
  readonly owner: string;
  /** The records that it may label, best candidate first. Never empty. */
  readonly labelled: readonly LabelledRecord[];
  /** True when its record set has other values, too: then it is never rewritten or removed. */
  readonly shared: boolean;
  /**
   * Type of another record at the name that has no marker, and that external-dns would read this
   * marker for, too. Absent = there is no such record.
   */
  readonly competingType?: string;
}

/** One key with everything that was found about it. */
export interface FoldedKey extends RecordSetKey {
  readonly data: RecordSet | null;
  /** Best first: of the data's type, of the old type of an alias, of no type. Empty = foreign. */
  readonly markers: readonly MarkerEntry[];
  /** True when the data shares its record set with a marker: nobody may write it. */
  readonly shared: boolean;
}

/** Types that a legacy marker labels: all that external-dns managed when it wrote them. */
const LEGACY_TYPES: ReadonlySet<string> = new Set(["A", "CNAME"]);

/**
 * Folds markers into keys, sorted by key; at one key, data before a half pair. Half pairs are keys
 * without data, also when the key has foreign data (Z-10).
 */
export function fold(sets: readonly RecordSet[], options: FoldOptions): readonly FoldedKey[] {
  const entries: MarkerEntry[] = [];
  const data: RecordSet[] = [];
  const remainders: RecordSet[] = [];
  for (const set of sets) {
    const found = markersIn(set, options);
    entries.push(...found);
    const rest = set.values.filter((value) => !found.some((entry) => entry.value === value));
    if (found.length === 0) data.push(set);
    else if (rest.length > 0) remainders.push({ ...set, values: rest });
  }
  const keys = attachMarkers(data, entries, options.isOwnedByUs);
  // What shares a record set with a marker is somebody's text: it never becomes ours, whatever
  // marks it.
  const shared = remainders.map((set) => {
    const markers = keys.find((key) => isSameKey(key, set))?.markers ?? [];
    return foldedKey(set, { data: set, markers, shared: true });
  });
  const others = keys.filter((key) => !shared.some((one) => isSameKey(one, key)));
  return withCompetingTypes([...others, ...shared].sort(compareKeys), options.apex);
}

/** The key as the planner sees it. */
export function toOwned(key: FoldedKey, isOwnedByUs: (owner: string) => boolean): OwnedRecordSet {
  const { name, type, setIdentifier, data, markers, shared } = key;
  const first = markers.find(({ owner }) => isOwnedByUs(owner)) ?? markers[0];
  if (first === undefined)
    return { name, type, setIdentifier, data, marker: null, contested: false };
  const { owner, labels, record, trouble } = first;
  const differ = markers.some((entry) => entry.owner !== owner);
  const owners = differ ? [...new Set(markers.map((entry) => entry.owner))].sort(compareText) : [];
  // Values that the marker does not name as its owner's (Z-27).
  const hashes = labels["values"];
  const foreignValues = data === null || hashes === undefined ? [] : valuesBeyond(data, hashes);
  const marker: Marker = {
    owner,
    resource: readResource(labels["resource"]),
    cluster: labels["cluster"] ?? null,
    labels,
    record,
    ...(trouble === null ? {} : { trouble }),
    ...(!differ && hasStaleCopy(key) ? { hasStaleCopy: true } : {}),
  };
  const contested = differ || shared;
  return {
    name,
    type,
    setIdentifier,
    data,
    marker,
    contested,
    ...(foreignValues.length === 0 ? {} : { foreignValues }),
    ...(differ ? { owners } : {}),
  };
}

/** Whether a further marker of the data (of the same owner) names another object than the first. */
function hasStaleCopy({ data, markers }: FoldedKey): boolean {
  if (data === null || markers.length < 2) return false;
  const first = markers[0]?.labels["resource"] ?? "";
  const isSame = (resource: string): boolean => resource === first || first.includes("/~");
  return markers.some((entry) => isStaleCopy(entry, isSame));
}

/**
 * True for a further marker of the data that names another object than the first one: it is removed
 * once the first one is final. False for one that shares its record set with a text, that may be
 * for another record (`competingType`), or that names no object or only the hash of a long name.
 */
export function isStaleCopy(
  { shared, labels, competingType }: MarkerEntry,
  isSame: (resource: string) => boolean,
): boolean {
  const resource = labels["resource"] ?? "";
  if (shared || competingType !== undefined) return false;
  return resource !== "" && !resource.includes("/~") && !isSame(resource);
}

/**
 * The markers in a record set; none when it is not a TXT, or its name labels nothing in the zone.
 */
function markersIn(set: RecordSet, options: FoldOptions): readonly MarkerEntry[] {
  if (set.type !== "TXT") return [];
  const found = set.values.flatMap((value) => {
    const text = options.codec.read(value);
    return text === null ? [] : [{ value, text }];
  });
  const labelled = found.length === 0 ? [] : candidatesAt(set.name, options);
  return found.flatMap(({ value, text }) => {
    const evidence = evidenceOf(text, { labelled, setIdentifier: set.setIdentifier }, options);
    if (evidence.labelled.length === 0) return [];
    return [{ record: set, value, shared: set.values.length > 1, ...evidence }];
  });
}

/**
 * What a text says, and of which records. A marker with an owner id of ours labels the records that
 * its signature fits, and gives no right to any where it fits none.
 */
function evidenceOf(
  text: MarkerText | "unreadable",
  { labelled, setIdentifier }: Pick<MarkerEntry, "labelled"> & Pick<RecordSet, "setIdentifier">,
  { signing, isOwnedByUs, apex }: FoldOptions,
): Pick<MarkerEntry, "labels" | "form" | "trouble" | "owner" | "labelled"> {
  if (text === "unreadable") {
    // It counts as a marker only where its name names a type: it may be any base64.
    const typed = labelled.filter(({ type }) => type !== null);
    const trouble = "MarkerUnreadable";
    return { labels: {}, form: "encrypted", trouble, owner: "", labelled: typed };
  }
  const { labels, form } = text;
  const owner = labels["owner"] ?? /* clause: marker-without-owner-is-unowned */ "";
  const asIs = { labels, form, trouble: null, owner, labelled };
  if (signing === null || !isOwnedByUs(owner)) return asIs;
  if (labels["sig"] === undefined && signing.mode === "write") return asIs;
  const good = labelled.filter(
    (one) => checkSignature(labels, { apex, ...one, setIdentifier }, signing) === "good",
  );
  if (good.length > 0) return { ...asIs, labelled: good };
  const trouble = labels["sig"] === undefined ? "MarkerUnsigned" : "MarkerForged";
  return { ...asIs, trouble, owner: "" };
}

/** Gives each data set its markers; markers without data become half pairs. */
function attachMarkers(
  data: readonly RecordSet[],
  entries: readonly MarkerEntry[],
  isOwnedByUs: (owner: string) => boolean,
): readonly FoldedKey[] {
  const dataByLabel = new Map<string, RecordSet[]>();
  for (const set of data)
    for (const labelKey of labelKeysOf(set))
      dataByLabel.set(labelKey, [...(dataByLabel.get(labelKey) ?? []), set]);
  const bySet = new Map<RecordSet, MarkerEntry[]>();
  const orphans: MarkerEntry[] = [];
  for (const entry of entries) {
    const { sets, checkedEntry } = dataLabelledBy(entry, dataByLabel, isOwnedByUs);
    if (sets.length === 0) orphans.push(checkedEntry);
    for (const set of sets) bySet.set(set, [...(bySet.get(set) ?? []), checkedEntry]);
  }
  const whole = data.map((set) => {
    const found = bestFirst(bySet.get(set) ?? [], set);
    const idle = withoutRights(found, set);
    orphans.push(...idle);
    const markers = withoutForged(found.filter((entry) => !idle.includes(entry)));
    return foldedKey(set, { data: set, markers, shared: false });
  });
  return [...whole, ...halfPairs(orphans)];
}

/**
 * The data that a marker labels: that of its best candidate. Where another candidate has data too,
 * the marker is ambiguous: it is found at each of them and gives us no right to any.
 */
function dataLabelledBy(
  entry: MarkerEntry,
  dataByLabel: ReadonlyMap<string, readonly RecordSet[]>,
  isOwnedByUs: (owner: string) => boolean,
): { readonly sets: readonly RecordSet[]; readonly checkedEntry: MarkerEntry } {
  const [best = [], ...rest] = entry.labelled.map(
    (candidate) => dataByLabel.get(labelKeyText(candidate, entry.record.setIdentifier)) ?? [],
  );
  const others = rest.flat().filter((set) => !best.includes(set));
  if (others.length === 0) return { sets: best, checkedEntry: entry };
  const sets = [...new Set([...best, ...others])];
  if (!isOwnedByUs(entry.owner)) return { sets, checkedEntry: entry };
  return { sets, checkedEntry: { ...entry, owner: "", trouble: "MarkerAmbiguous" } };
}

/** Best first: markers of the data's own type, then those of the other label keys. */
function bestFirst(found: readonly MarkerEntry[], set: RecordSet): readonly MarkerEntry[] {
  if (found.length < 2) return found;
  const labelKeys = labelKeysOf(set);
  const rank = ({ labelled, record }: MarkerEntry): number => {
    const candidateKeys = labelled.map((candidate) =>
      labelKeyText(candidate, record.setIdentifier),
    );
    return labelKeys.findIndex((labelKey) => candidateKeys.includes(labelKey));
  };
  return [...found].sort((a, b) => rank(a) - rank(b));
}

/**
 * Pending markers (of an unfinished sequence, Z-10) that were written for other data than this:
 * somebody else wrote here meanwhile. They become half pairs, to be finished or removed, and the
 * data is foreign. Where owners differ and no marker gives rights, all stay: `Contested` (Z-9).
 */
function withoutRights(found: readonly MarkerEntry[], set: RecordSet): readonly MarkerEntry[] {
  const idle = found.filter(
    ({ labels, trouble }) => trouble !== "MarkerAmbiguous" && !givesRights(labels, set),
  );
  const others = found.filter((entry) => !idle.includes(entry));
  const differ = found.some(({ owner }) => owner !== found[0]?.owner);
  return differ && others.length === 0 ? [] : idle;
}

/** The label keys of markers for a data set: of its type, the old one of an alias, of no type. */
function labelKeysOf(set: RecordSet): readonly string[] {
  const alias = set.properties["alias"];
  const isAlias = set.type === "A" && (alias === "true" || alias === "A");
  const types = [
    set.type,
    ...(isAlias ? ["CNAME"] : []),
    ...(LEGACY_TYPES.has(set.type) ? [null] : []),
  ];
  return types.map((type) => labelKeyText({ name: set.name, type }, set.setIdentifier));
}

function halfPairs(entries: readonly MarkerEntry[]): readonly FoldedKey[] {
  const pairs = new Map<string, FoldedKey>();
  for (const entry of entries) {
    const [best] = entry.labelled;
    invariant(best !== undefined, "a marker labels a record");
    const { setIdentifier } = entry.record;
    const key = { name: best.name, type: best.type ?? ANY_TYPE, setIdentifier };
    const text = recordSetKeyText(key);
    const markers = [...(pairs.get(text)?.markers ?? []), entry];
    pairs.set(text, foldedKey(key, { data: null, markers, shared: false }));
  }
  return [...pairs.values()].map((pair) =>
    foldedKey(pair, { data: null, markers: withoutForged(pair.markers), shared: false }),
  );
}

/** Drops forged and unsigned markers where the record set has a marker that is valid. */
function withoutForged(markers: readonly MarkerEntry[]): readonly MarkerEntry[] {
  const others = markers.filter(
    ({ trouble }) => trouble === null || trouble === "MarkerUnreadable",
  );
  return others.length > 0 ? others : markers;
}

function labelKeyText({ name, type }: LabelledRecord, setIdentifier: string | null): string {
  return `${name} ${type ?? ""} ${setIdentifier ?? ""}`;
}

/**
 * One literal: a zone has millions, and on Node 20 a spread before other properties costs more than
 * all the rest.
 */
function foldedKey(
  { name, type, setIdentifier }: RecordSetKey,
  { data, markers, shared }: Omit<FoldedKey, keyof RecordSetKey>,
): FoldedKey {
  return { name, type, setIdentifier, data, markers, shared };
}

// A marker whose name names no type may be for several records of the name: external-dns would read
// it for an unmarked one, too. Such a marker is never moved or removed (ADR 0023).

/** The same keys; such markers name the type of the unmarked record (`competingType`). */
function withCompetingTypes(keys: readonly FoldedKey[], apex: DnsName): readonly FoldedKey[] {
  // Records that external-dns would read such a marker for. No marker labels the name servers of
  // the zone itself.
  const isUnmarked = (key: FoldedKey): boolean =>
    key.markers.length === 0 &&
    isMarkedForExternalDnsOnly(key) &&
    !(key.name === apex && key.type === "NS");
  const unmarked = new Map<string, FoldedKey>();
  for (const key of keys) if (isUnmarked(key)) unmarked.set(key.name, key);
  if (unmarked.size === 0) return keys;
  return keys.map((key) => {
    const competingType = unmarked.get(key.name)?.type;
    if (competingType === undefined || key.markers.length === 0) return key;
    const markers = key.markers.map((entry) => {
      const isTyped = entry.labelled.some(({ name, type }) => name === key.name && type !== null);
      return isTyped ? entry : { ...entry, competingType };
    });
    return { ...key, markers };
  });
}
