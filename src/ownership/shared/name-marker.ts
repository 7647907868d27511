/**
 * Ownership markers that are for a name and not for one type: Gardener's `comment-` records and
 * dns-sync's plain texts. One TXT record set states the owner of the name's data, type by type
 * (claims). Reading only; formats parse, name-ownership.ts writes. Pure.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import {
  compareKeys,
  isSameKey,
  type RecordSet,
  type RecordSetKey,
  recordSetKeyText,
} from "../../model/record-set.ts";
import type { Marker, OwnedRecordSet } from "../../plan/changes.ts";
import { ANY_TYPE } from "../../plan/rights.ts";

/** The owner of the data of one type at a name. */
export interface TypeClaim {
  /**
   * Null = the marker names no type: it is for the addresses and aliases of the name, and where
   * there are none for its texts.
   */
  readonly type: string | null;
  /** Empty = no owner; never ours. */
  readonly owner: string;
  /** Null = it names no object. */
  readonly resource: string | null;
  /** The short form, written where the long one does not fit (Z-13). */
  readonly shortResource: string | null;
  /** Null = any. */
  readonly cluster: string | null;
}

/** A marker where it was found. */
export interface NameMarker {
  /** Raw, as it was read. */
  readonly record: RecordSet;
  /** The name that it labels. */
  readonly name: DnsName;
  /** Never empty. */
  readonly claims: readonly TypeClaim[];
  /** Values of the format that mean nothing here and are kept when it is rewritten. */
  readonly keptValues: readonly string[];
  /**
   * Values in its record set that are somebody's text; with any the set is never rewritten or
   * removed (docs/invariants.md, S13).
   */
  readonly foreignValues: readonly string[];
  /**
   * The prefix of its own name, which its text has to repeat, where the format has one.
   */
  readonly spelling?: string;
}

/** One way to name and to spell such markers. */
export interface NameMarkerFormat {
  /** As `--registry` has it. */
  readonly name: string;
  /** Seconds of new markers. */
  readonly ttlSeconds: number;
  /**
   * Names that the marker of a name may have, the one that is written first; empty = no name is
   * short enough.
   */
  markerNames(name: DnsName): readonly DnsName[];
  /** Further names at which markers of the name are read. */
  otherMarkerNames(name: DnsName): readonly DnsName[];
  /** The name that a marker with this name labels; null = it is no marker name. */
  labelled(markerName: DnsName): DnsName | null;
  /** Further names that it may label, by what was learned of the zone. Few. */
  alsoLabelled(markerName: DnsName): readonly DnsName[];
  /** Learns from a record set of the zone how names of markers are made there. Bounded. */
  learn(record: RecordSet): void;
  /** Null = the record set holds no marker. */
  parse(record: RecordSet): NameMarker | null;
  /**
   * Values of the marker, or why there can be none. `spelling`: of the one that is rewritten in its
   * place.
   */
  format(
    claims: readonly TypeClaim[],
    kept: readonly string[],
    spelling?: string,
  ): { readonly values: readonly string[] } | { readonly trouble: string };
}

/** Types that a claim without type applies to first. */
const ADDRESSES: ReadonlySet<string> = new Set(["A", "AAAA", "CNAME"]);

/** Separates data from markers; other texts in the record set of a marker are data. */
export function splitMarkers(
  sets: readonly RecordSet[],
  format: NameMarkerFormat,
): { readonly data: readonly RecordSet[]; readonly markers: readonly NameMarker[] } {
  const data: RecordSet[] = [];
  const markers: NameMarker[] = [];
  for (const set of sets) {
    const marker = set.type === "TXT" ? format.parse(set) : null;
    if (marker === null) data.push(set);
    else markers.push(marker);
    if (marker !== null && marker.foreignValues.length > 0)
      data.push({ ...set, values: marker.foreignValues });
  }
  return { data, markers };
}

/** The owned record sets, sorted by key. A marker without data becomes a key without data (Z-9). */
export function fold(
  sets: readonly RecordSet[],
  {
    format,
    isOwnedByUs,
  }: { readonly format: NameMarkerFormat; readonly isOwnedByUs: (owner: string) => boolean },
): readonly OwnedRecordSet[] {
  const { data, markers } = splitMarkers(sets, format);
  const views = data.map((set): OwnedRecordSet => {
    const claims = claimsOn(set, markers, data);
    const isText = markers.some(({ record }) => isSameKey(record, set));
    return viewOf(set, { set, claims, isOwnedByUs, isSharedText: isText });
  });
  const unmatched = markers.flatMap((marker) =>
    marker.claims
      .filter((one) => !data.some((set) => appliesTo({ marker, claim: one }, set, data)))
      .map((claim) => ({ marker, claim })),
  );
  const halves = new Map<string, { readonly key: RecordSetKey; readonly claims: MarkedClaim[] }>();
  for (const claim of unmatched) {
    const { name, record } = claim.marker;
    const key = { name, type: claim.claim.type ?? ANY_TYPE, setIdentifier: record.setIdentifier };
    const half = halves.get(recordSetKeyText(key));
    if (half === undefined) halves.set(recordSetKeyText(key), { key, claims: [claim] });
    else half.claims.push(claim);
  }
  const pairs = [...halves.values()].map(({ key, claims }) =>
    viewOf(key, { set: null, claims, isOwnedByUs, isSharedText: false }),
  );
  return [...views, ...pairs].sort(compareKeys);
}

/** A claim with the marker that makes it. */
export interface MarkedClaim {
  readonly marker: NameMarker;
  readonly claim: TypeClaim;
}

/** The claims of markers on an existing record set. `data` = all data at its name. */
export function claimsOn(
  set: RecordSet,
  markers: readonly NameMarker[],
  data: readonly RecordSet[],
): readonly MarkedClaim[] {
  return markers
    .flatMap((marker) => marker.claims.map((claim) => ({ marker, claim })))
    .filter((claim) => appliesTo(claim, set, data));
}

function appliesTo(
  { marker, claim }: MarkedClaim,
  set: RecordSet,
  data: readonly RecordSet[],
): boolean {
  if (marker.name !== set.name || marker.record.setIdentifier !== set.setIdentifier) return false;
  if (claim.type !== null) return claim.type === set.type;
  // The marker has another claim that names this type.
  if (marker.claims.some(({ type }) => type === set.type)) return false;
  if (ADDRESSES.has(set.type)) return true;
  const hasAddress = data.some(({ name, type }) => name === set.name && ADDRESSES.has(type));
  return set.type === "TXT" && !hasAddress;
}

interface ViewInput {
  readonly set: RecordSet | null;
  readonly claims: readonly MarkedClaim[];
  readonly isOwnedByUs: (owner: string) => boolean;
  /** The data is a text that shares its record set with a marker: nobody may write it. */
  readonly isSharedText: boolean;
}

function viewOf(
  { name, type, setIdentifier }: RecordSetKey,
  { set, claims, isOwnedByUs, isSharedText: isText }: ViewInput,
): OwnedRecordSet {
  const first = claims.find(({ claim }) => isOwnedByUs(claim.owner)) ?? claims[0];
  const owners = [...new Set(claims.map(({ claim }) => claim.owner))].sort();
  const differ = owners.length > 1;
  const contested = differ || (isText && first !== undefined);
  const marker = first === undefined ? null : markerOf(first);
  const view = { name, type, setIdentifier, data: set, marker, contested };
  return differ ? { ...view, owners } : view;
}

/**
 * The marker for the planner, which takes several values for a marker that shares its record set
 * with a foreign text: so it gets one value, unless there is such a text.
 */
function markerOf({ marker, claim }: MarkedClaim): Marker {
  const { owner, resource, cluster } = claim;
  const { record, foreignValues } = marker;
  const values = foreignValues.length > 0 ? record.values : record.values.slice(0, 1);
  const labels = {
    owner,
    ...(resource === null ? {} : { resource }),
    ...(cluster === null ? {} : { cluster }),
  };
  return { owner, resource, cluster, labels, record: { ...record, values } };
}
