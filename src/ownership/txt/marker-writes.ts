/**
 * The marker writes of one key: create its marker, rewrite it where it was found, remove it exactly
 * as it was read, or leave it and assert it (Z-9, Z-11, Z-13). Where data is written in a call of
 * its own, a pending marker goes before it (pending.ts, Z-10). Decides nothing about data.
 */
import { invariant } from "@zonekeeper/base/invariant";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { resourceForms } from "../../model/provenance.ts";
import { type DesiredRecordSet, isPart, type RecordSet } from "../../model/record-set.ts";
import type { Change, KeyChange, MarkerSpec, Precondition } from "../../plan/changes.ts";
import type { PresentSets } from "../../plan/preconditions.ts";
import type { Blocker } from "../../plan/rules.ts";
import { valueHashes } from "../data-hash.ts";
import type { ClusterAliases, RegistryZone } from "../registry.ts";
import { sharedMarker } from "../shared/held-group.ts";
import { encodeMarker } from "./encode-marker.ts";
import type { FoldOptions, MarkerEntry } from "./fold-markers.ts";
import { chooseMarkerName, type LocationOptions } from "./marker-location.ts";
import { draftRemoval, removal } from "./marker-removal.ts";
import type { MarkerLabels } from "./marker-value.ts";
import { type DataStep, pendingLabels } from "./pending.ts";
import { targetsTexts } from "./targets-label.ts";

/** What markers are read and written with. */
export interface WriteOptions
  extends LocationOptions,
    FoldOptions,
    Pick<RegistryZone, "flattensApex" | "ownTypes" | "isMerging">,
    Partial<Pick<RegistryZone, "byValue">> {
  /** Seconds of new markers. */
  readonly markerTtlSeconds: number;
  /** Whether markers carry `external-dns/cluster` (docs/safety.md#ownership). */
  readonly writeCluster: boolean;
  readonly clusterAliases: ClusterAliases;
  /** Record sets of several clusters may be one (ADR 0118): a call compares all that it writes. */
  readonly merges: boolean;
}

/** Marker writes of one key with their preconditions, or why there can be none. */
export type MarkerDraft =
  | {
      /**
       * The pending marker that goes before the data; empty where one call takes both, or when it
       * exists already.
       */
      readonly before: readonly Change[];
      /** True when data that was begun before may still arrive although it is not there. */
      readonly maybeLate?: boolean;
      readonly writes: readonly Change[];
      readonly preconditions: readonly Precondition[];
    }
  | Blocker;

/** One key whose marker is to be written. */
export interface MarkerTask {
  readonly change: KeyChange;
  /** Markers found for the key, best first. */
  readonly entries: readonly MarkerEntry[];
  /**
   * The entries that have to go: all of a removed key, and those whose names new data needs.
   */
  readonly obsolete: (entry: MarkerEntry) => boolean;
  readonly present: PresentSets;
}

/** The marker writes of one key. */
export function draftMarker(task: MarkerTask, options: WriteOptions): MarkerDraft {
  const going = task.entries.filter(task.obsolete);
  const staying = task.entries.filter((entry) => !task.obsolete(entry));
  const shared = going.find((entry) => entry.shared);
  // clause: shared-marker-is-held
  if (shared !== undefined) return sharedMarker(shared.record);
  const { marker } = task.change;
  if (marker === null) return draftRemoval(task, going, options);
  const rest = draftInSteps(marker, { ...task, entries: staying }, options);
  if ("code" in rest) return rest;
  // In a sequence the obsolete markers of another owner are removed first, and the one that stays
  // is rewritten: so the record has one owner at each moment.
  const isFirst = ({ owner }: MarkerEntry): boolean =>
    !options.atomic && staying.length > 0 && owner !== marker.owner;
  const first = going.filter(isFirst).map(({ record }) => removal(record));
  const later = going.filter((entry) => !isFirst(entry)).map(({ record }) => removal(record));
  return { ...rest, before: [...first, ...rest.before], writes: [...later, ...rest.writes] };
}

/** The final marker, after a pending one where data is written in a call of its own (Z-10). */
function draftInSteps(spec: MarkerSpec, task: MarkerTask, options: WriteOptions): MarkerDraft {
  const step = options.atomic ? null : dataStepOf(task.change);
  if (step === null) return draftSpec(spec, { ...task, stage: {} }, options);
  const found = task.entries[0]?.labels ?? {};
  const pending = firstThatFits(stagesOf(step, found, options), (stage) =>
    draftSpec(spec, { ...task, stage }, options),
  );
  if ("code" in pending) return pending;
  const [write] = pending.writes;
  const existing = write === undefined ? task.entries : [asEntry(write, options)];
  const final = draftSpec(spec, { ...task, entries: existing, stage: {} }, options);
  return "code" in final ? final : { ...pending, before: pending.writes, writes: final.writes };
}

/**
 * The pending labels to try, best first: by single values, and with earlier hashes, if they fit.
 */
function stagesOf(
  step: DataStep,
  found: MarkerLabels,
  { byValue = false }: WriteOptions,
): readonly MarkerLabels[] {
  return (byValue ? [true, false] : [false]).flatMap((isEach) =>
    [found, {}].map((earlier) => pendingLabels(step, earlier, isEach)),
  );
}

/** The draft with the first stage that fits; where none does, the blocker of the last one. */
function firstThatFits(
  [stage = {}, ...others]: readonly MarkerLabels[],
  draftWith: (stage: MarkerLabels) => MarkerDraft,
): MarkerDraft {
  const draft = draftWith(stage);
  return "code" in draft && others.length > 0 ? firstThatFits(others, draftWith) : draft;
}

/**
 * The data write that needs a pending marker first; null = only the marker changes. A change of the
 * TTL alone needs one, too, because its call does not compare the marker, which may be another
 * owner's by now.
 */
function dataStepOf({ change, current }: KeyChange): DataStep | null {
  const isAdoption = current !== null && current.marker === null;
  if (change === null) {
    const data = isAdoption ? current.data : null;
    return data === null ? null : { present: data, next: data };
  }
  if (change.op === "create") return { present: null, next: change.next };
  invariant(change.op === "replace", "a key that is to be marked keeps its data");
  return { present: change.previous, next: change.next };
}

function draftSpec(spec: MarkerSpec, task: StagedTask, options: WriteOptions): MarkerDraft {
  const [found] = task.entries;
  const { key } = task.change;
  const location =
    found?.record ?? chooseMarkerName(key, { ...options, present: task.present, avoid: null });
  // clause: no-marker-no-record
  if ("trouble" in location) return { code: "NoMarkerPossible", message: location.trouble };
  const value = valueFor(spec, { task, found: found ?? null, location: location.name }, options);
  const message = "the marker does not fit 255 bytes of printable text";
  if (value === null) return { code: "MarkerTooLong", message };
  return found === undefined
    ? createMarker(value, { change: task.change, location: location.name }, options)
    : rewriteMarker(value, found, task.change.desired);
}

/** A task with the labels of its stage; empty = final. */
interface StagedTask extends Omit<MarkerTask, "entries"> {
  readonly entries: readonly ExistingMarker[];
  readonly stage: MarkerLabels;
}

/** What is rewritten: a marker that was found, or the pending one of the step before. */
type ExistingMarker = Pick<MarkerEntry, "record" | "value" | "labels" | "form" | "shared">;

function asEntry(write: Change, { codec }: WriteOptions): ExistingMarker {
  invariant(write.op !== "remove", "a marker that is kept is created or rewritten");
  const record = write.next;
  const [value] = record.values;
  invariant(value !== undefined, "a marker that we write has a text");
  const text = codec.read(value);
  invariant(text !== null && text !== "unreadable", "what we write is a marker that we read");
  return { record, value, ...text, shared: false };
}

/**
 * Rewrites the marker where it was found, and asserts that no CNAME is beside it (Z-11). Its kind
 * of routing policy changes with that of its record, because a name has one kind.
 */
function rewriteMarker(
  value: string,
  found: ExistingMarker,
  data: DesiredRecordSet | null,
): MarkerDraft {
  const { record } = found;
  const wanted = data?.routingPolicy ?? null;
  const hasKind = record.setIdentifier === null || record.routingPolicy?.type === wanted?.type;
  const routingPolicy = hasKind ? record.routingPolicy : wanted;
  if (found.value === value && hasKind)
    return { before: [], writes: [], preconditions: [{ is: "exact", set: record }] };
  if (found.shared) return sharedMarker(found.record);
  const next = { ...record, values: [value], routingPolicy };
  const cname = { name: record.name, type: "CNAME", setIdentifier: null };
  return {
    before: [],
    writes: [{ op: "replace", previous: record, next }],
    preconditions: [{ is: "absent", key: cname }],
  };
}

/** A new marker takes set identifier, policy and properties of its record, as external-dns does. */
function createMarker(
  value: string,
  { change, location }: { readonly change: KeyChange; readonly location: DnsName },
  options: WriteOptions,
): MarkerDraft {
  const data = change.desired;
  invariant(data !== null, "a marker is made for what is wanted");
  const next: RecordSet = {
    name: location,
    type: "TXT",
    setIdentifier: change.key.setIdentifier,
    ttlSeconds: options.markerTtlSeconds,
    values: [value],
    properties: data.properties,
    routingPolicy: data.routingPolicy,
  };
  return { before: [], writes: [{ op: "create", next }], preconditions: [] };
}

/**
 * Labels that only the program writes (docs/safety.md#user-texts); others of a found marker are
 * kept.
 */
const OWN_LABELS: ReadonlySet<string> = new Set([
  "owner",
  "resource",
  "cluster",
  "state",
  "data",
  "sig",
  "values",
  "targets",
]);

/**
 * What a marker's text is made from: the marker found, its task with the labels of its stage, and
 * its name.
 */
interface MarkerTextInput {
  readonly task: StagedTask;
  readonly found: ExistingMarker | null;
  readonly location: DnsName;
}

/**
 * The marker's text. Where it does not fit (Z-13) the resource is shortened first; then the cluster
 * goes, so that it costs nobody a record.
 */
function valueFor(
  spec: MarkerSpec,
  { task, found, location }: MarkerTextInput,
  options: WriteOptions,
): string | null {
  const kept = Object.entries(found?.labels ?? {}).filter(([key]) => !OWN_LABELS.has(key));
  const labels = { ...Object.fromEntries(kept), ...task.stage, owner: spec.owner };
  const { key } = task.change;
  for (const more of stated(spec, task, options)) {
    const text = { ...labels, ...more };
    const value = encodeMarker({ labels: text, key, markerName: location, found }, options);
    if (value !== null) return value;
  }
  return null;
}

/** Labels of object and values that the text may have, the longest first. */
function stated(
  spec: MarkerSpec,
  task: StagedTask,
  options: WriteOptions,
): readonly MarkerLabels[] {
  const names = objectLabels(spec, options);
  // The data that the marker is for once it is written.
  const { change, current } = task.change;
  const isKept = change === null || change.op === "remove";
  const data = isKept ? (current?.data ?? null) : change.next;
  if (data === null || !isPart(data)) {
    // Hashes of our values, in a final marker where the back end compares nothing. If not all
    // fits, the object is named and the values are not.
    const isHashed = data !== null && options.isMerging && Object.keys(task.stage).length === 0;
    return isHashed ? [{ ...names[0], values: valueHashes(data) }, ...names] : names;
  }
  // The marker of a part (ADR 0118) needs its cluster and its values.
  const { cluster } = spec.provenance;
  const whole = objectLabels(spec, { ...options, writeCluster: true });
  return targetsTexts(data).flatMap((targets) =>
    whole.filter((one) => one["cluster"] === cluster).map((one) => ({ ...one, targets })),
  );
}

/** The labels of the object, the longest first. */
function objectLabels(
  { provenance }: MarkerSpec,
  { writeCluster }: WriteOptions,
): readonly MarkerLabels[] {
  const { cluster } = provenance;
  return (writeCluster ? [{ cluster }, {}] : [{}]).flatMap((labels) =>
    resourceForms(provenance).map((one) => ({
      ...labels,
      resource: one,
    })),
  );
}
