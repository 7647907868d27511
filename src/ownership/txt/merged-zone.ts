/**
 * A zone with the parts of merged record sets apart (ADR 0118). In the zone a merged record set is
 * one plain record set with the values of all clusters, beside one TXT record set with a marker of
 * each cluster, whose label `targets` names the values of that cluster:
 *
 *   shop    A    192.0.2.1, 192.0.2.2       shop    A    [eu]    192.0.2.1
 *   a-shop  TXT  cluster=eu targets=…1  ◄─► a-shop  TXT  [eu]    cluster=eu targets=…1
 *                cluster=asia targets=…2    shop    A    [asia]  192.0.2.2      …
 *
 * The program sees the right side: each part is a record set with its cluster as set identifier, as
 * the member of a routing policy would be. Only this file knows the form in the zone. Decides
 * nothing.
 */
import { compareText } from "@zonekeeper/base/compare-text";
import {
  hasSameData,
  isPart,
  isSameKey,
  MERGED,
  MERGED_TYPES,
  type RecordSet,
  type RecordSetKey,
} from "../../model/record-set.ts";
import type { Change, ChangeGroup, KeyChange, NamePlan, Precondition } from "../../plan/changes.ts";
import { isPending } from "../../plan/pending.ts";
import { asRead, distinct, type PresentSets, setAt } from "../../plan/preconditions.ts";
import type { Blocker } from "../../plan/rules.ts";
import type { ZoneContent } from "../ownership.ts";
import { candidatesAt } from "./marker-candidates.ts";
import type { MarkerLabels } from "./marker-value.ts";
import type { WriteOptions } from "./marker-writes.ts";
import { LABEL, markerName, TYPED } from "./name-template.ts";
import { namesValue } from "./targets-label.ts";

/** How the zone is read and written. */
export type MergedOptions = WriteOptions;

/** The record sets at each name, merged ones as their parts. */
export class MergedZone implements ZoneContent {
  readonly unusedBeginnings: ReadonlySet<string> | undefined;
  readonly #content: ZoneContent;
  readonly #options: MergedOptions;
  readonly #parted = new Map<string, readonly RecordSet[]>();

  constructor(content: ZoneContent, options: MergedOptions) {
    this.#content = content;
    this.#options = options;
    this.unusedBeginnings = content.unusedBeginnings;
  }

  at(name: string): readonly RecordSet[] {
    const known = this.#parted.get(name);
    if (known !== undefined) return known;
    const parted = this.#content.at(name).flatMap((set): readonly RecordSet[] => {
      if (set.setIdentifier !== null) return [set];
      if (set.type === "TXT") return this.#markersIn(set)?.map(({ record }) => record) ?? [set];
      return MERGED_TYPES.has(set.type) ? this.#dataMembers(set) : [set];
    });
    this.#parted.set(name, parted);
    return parted;
  }

  /** The group as the zone takes it, or why it cannot be written. */
  joined(group: ChangeGroup): ChangeGroup | Blocker {
    const ids = new Set(group.keys.flatMap((key) => partIdOf(key) ?? []));
    const isMerged = (key: RecordSetKey): boolean =>
      this.at(key.name).some((one) => one.type === key.type && isPart(one));
    const members = group.changes.map(setOf).filter(isPart);
    const merged = group.changes.filter((change) => {
      const set = setOf(change);
      return isMerged(set) || members.some((part) => isSameName(part, set));
    });
    if (merged.length === 0 && ids.size === 0) return group;
    const changes: Change[] = [];
    for (const change of group.changes) {
      const set = setOf(change);
      const atKey = merged.filter((one) => isSameName(setOf(one), set));
      if (!atKey.includes(change)) changes.push(change);
      else if (atKey[0] === change) {
        const written = this.#written(set, atKey);
        if (written !== null && "code" in written) return written;
        if (written !== null) changes.push(written);
      }
    }
    const preconditions = group.preconditions.map((one): Precondition => {
      if (one.is === "name-unused") return one;
      const key = one.is === "exact" ? one.set : one.key;
      const isOfPart = key.setIdentifier !== null && ids.has(key.setIdentifier);
      if (!isOfPart && !isMerged(key) && !members.some((part) => isSameName(part, key))) return one;
      return asRead({ name: key.name, type: key.type, setIdentifier: null }, this.#content);
    });
    return { ...group, changes, preconditions: distinct(preconditions) };
  }

  /** The one write of a merged record set; null = its values and TTL stay as they are. */
  #written(key: RecordSetKey, changes: readonly Change[]): Change | Blocker | null {
    const { name, type } = key;
    const plain = { name, type, setIdentifier: null };
    const previous = setAt(plain, this.#content);
    const present = this.at(name).filter((one) => one.type === type);
    const after = new Map(
      /* clause: parts-of-others-stay */ present.map((one) => [one.setIdentifier, one] as const),
    );
    let written: RecordSet | null = null;
    for (const change of changes) {
      if (change.op === "remove") after.delete(change.previous.setIdentifier);
      else {
        written = change.next;
        after.set(written.setIdentifier, written);
      }
    }
    const sets = [...after.values()];
    const trouble = this.#troubleOf(sets, changes);
    if (trouble !== null) return trouble;
    const base = written ?? previous;
    if (sets.length === 0 || base === undefined)
      return previous === undefined ? null : { op: "remove", previous };
    const values = [...new Set(sets.flatMap((set) => set.values))].sort(compareText);
    const next = { ...base, ...plain, values, routingPolicy: null };
    if (previous === undefined) return { op: "create", next };
    const isSame = hasSameData(previous, next) && previous.ttlSeconds === next.ttlSeconds;
    return isSame ? null : { op: "replace", previous, next };
  }

  /** Why these cannot be one record set; null = they can. The planner holds such cases before. */
  #troubleOf(sets: readonly RecordSet[], changes: readonly Change[]): Blocker | null {
    const refuse = (message: string): Blocker => ({ code: "NotSupported", message });
    // clause: zone-that-does-not-compare-is-not-merged
    if (!this.#options.merges) return refuse("a merged record set cannot be written in this zone");
    const hasMembers = sets.some(isPart);
    const isPlainWritten = changes.some(({ op, ...one }) => "next" in one && !isPart(one.next));
    if (hasMembers && isPlainWritten)
      return refuse("clusters have parts of the record set, and no object can have it alone");
    const markers = sets.filter((set) => set.type === "TXT" && isPart(set));
    const owners = new Set(
      markers.flatMap(({ values: [value = ""] }) => this.#labelsOf(value)?.["owner"] ?? []),
    );
    // clause: parts-have-one-owner
    if (owners.size > 1)
      return refuse("parts of a record set have one owner id; write one ownerId in all objects");
    return null;
  }

  /** The parts of a data set; values that no part names are somebody else's, a plain record set. */
  #dataMembers(set: RecordSet): readonly RecordSet[] {
    const members = new Map<string, RecordSet>();
    for (const { record, labels } of this.#markersOf(set)) {
      const { setIdentifier, routingPolicy } = record;
      const values = set.values.filter((value) =>
        namesValue(labels["targets"] ?? "", set.type, value),
      );
      if (setIdentifier !== null && values.length > 0 && !members.has(setIdentifier))
        members.set(setIdentifier, { ...set, setIdentifier, values, routingPolicy });
    }
    if (members.size === 0) return [set];
    const named = new Set([...members.values()].flatMap(({ values }) => values));
    const left = set.values.filter((value) => !named.has(value));
    return left.length === 0
      ? [...members.values()]
      : [{ ...set, values: left }, ...members.values()];
  }

  /** The markers of all parts of a record set. */
  #markersOf(set: RecordSet): readonly PartMarker[] {
    const { nameTemplate, nameTemplates } = this.#options;
    const templates = new Set([nameTemplate, TYPED, LABEL, ...nameTemplates]);
    const names = [...templates].flatMap((one) => markerName(one, set, this.#options) ?? []);
    return [...new Set(names)]
      .flatMap((name) => this.#content.at(name))
      .flatMap((one) => this.#markersIn(one) ?? [])
      .filter(({ of }) => of.name === set.name && of.type === set.type);
  }

  /** The markers of parts in a record set; null = it has none of ours that can be told apart. */
  #markersIn(record: RecordSet): readonly PartMarker[] | null {
    if (record.type !== "TXT" || record.setIdentifier !== null) return null;
    if (!mayHaveMembers(record, this.#options)) return null;
    const [best] = candidatesAt(record.name, this.#options);
    if (best === undefined || best.type === null || !MERGED_TYPES.has(best.type)) return null;
    const of = { name: best.name, type: best.type };
    const all = record.values.map((value) => this.#labelsOf(value) ?? {});
    const clusters = new Set(all.map(({ cluster = "" }) => cluster));
    // Final markers of one owner id of ours, each with values and with a cluster of its own.
    const owners = [...new Set(all.map(({ owner = "" }) => owner))];
    if (owners.length !== 1 || !owners.every((owner) => this.#options.isOwnedByUs(owner)))
      return null;
    if (clusters.has("") || clusters.size < all.length) return null;
    if (!all.every((one) => one["targets"] !== undefined && !isPending(one))) return null;
    return all.map((labels, at) => {
      const { cluster = "" } = labels;
      const present = this.#options.clusterAliases.get(cluster) ?? cluster;
      const setIdentifier = clusters.has(present) ? cluster : present;
      const values = record.values.slice(at, at + 1);
      return { record: { ...record, setIdentifier, values, routingPolicy: MERGED }, labels, of };
    });
  }

  #labelsOf(value: string): MarkerLabels | null {
    const text = this.#options.codec.read(value);
    return text === null || text === "unreadable" ? null : text.labels;
  }

  /**
   * True for markers of ours of which one is a part's, and that cannot be told apart: nobody may
   * write what they mark.
   */
  isBroken(record: RecordSet): boolean {
    if (record.type !== "TXT" || !mayHaveMembers(record, this.#options)) return false;
    if (record.setIdentifier !== null || this.#markersIn(record) !== null) return false;
    return record.values.some((value) => {
      const labels = this.#labelsOf(value);
      const isOwn = this.#options.isOwnedByUs(labels?.["owner"] ?? "");
      return isOwn && labels?.["targets"] !== undefined;
    });
  }
}

/** The marker of one part. */
interface PartMarker {
  readonly record: RecordSet;
  readonly labels: MarkerLabels;
  /** The record set that it marks. */
  readonly of: Pick<RecordSetKey, "name" | "type">;
}

/** A quick test: false = the record set has no marker of a part. */
export function mayHaveMembers(
  { type, values }: RecordSet,
  { codec }: Pick<MergedOptions, "codec">,
): boolean {
  if (type !== "TXT") return false;
  return codec.canOpen || values.some((value) => value.includes("external-dns/targets="));
}

/**
 * The zone without the marker that goes in the same plan because its record set becomes a part, or
 * is plain again: the next marker takes its place.
 */
export function withoutFormerForm(
  change: KeyChange,
  { changes }: NamePlan,
  zone: PresentSets,
): PresentSets {
  const going = changes
    .filter(({ key, marker }) => marker === null && isSameName(key, change.key))
    .flatMap(({ current }) => current?.marker?.record ?? []);
  const isOfPart = partIdOf(change) !== null || going.some(isPart);
  if (going.length === 0 || !isOfPart) return zone;
  return { at: (name) => zone.at(name).filter((set) => !going.some((one) => isSameKey(one, set))) };
}

/** The set identifier of the part that a change is about; null = it is about none. */
function partIdOf({ key, desired, current }: KeyChange): string | null {
  const sets = [desired, current?.data ?? null, current?.marker?.record ?? null];
  return sets.some((set) => set !== null && isPart(set)) ? key.setIdentifier : null;
}

function setOf(change: Change): RecordSet {
  return change.op === "remove" ? change.previous : change.next;
}

function isSameName(a: RecordSetKey, b: RecordSetKey): boolean {
  return a.name === b.name && a.type === b.type;
}
