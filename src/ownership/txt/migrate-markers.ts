/**
 * Brings the markers of one key to another form: another name template, encrypted, signed. The new
 * marker exists before the old one is removed, and both rest on the data as it was read (Z-8); data
 * is never touched. Decides from the zone alone, so that the next process needs nothing else after
 * a crash.
 */
import { invariant } from "@zonekeeper/base/invariant";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { isMarkOf, readResource } from "../../model/provenance.ts";
import { type DesiredRecordSet, isSameKey } from "../../model/record-set.ts";
import {
  type Change,
  changeAt,
  type Hold,
  type KeyChange,
  type MarkerTarget,
  type NamePlan,
} from "../../plan/changes.ts";
import { type HoldDetail, holdAt } from "../../plan/hold-at.ts";
import { isPending } from "../../plan/pending.ts";
import type { PresentSets } from "../../plan/preconditions.ts";
import { ANY_TYPE, objectIn } from "../../plan/rights.ts";
import type { Blocker } from "../../plan/rules.ts";
import { sharedMarker } from "../shared/held-group.ts";
import { encodeMarker } from "./encode-marker.ts";
import { type FoldedKey, type MarkerEntry, toOwned } from "./fold-markers.ts";
import { chooseMarkerName, markerNamesOf } from "./marker-location.ts";
import type { MarkerLabels } from "./marker-value.ts";
import type { MarkerDraft, WriteOptions } from "./marker-writes.ts";

/** The options with which markers are written in the form of `target`. */
export function optionsFor(target: MarkerTarget, options: WriteOptions): WriteOptions {
  return {
    ...options,
    markerLocation: target.location ?? options.markerLocation,
    codec: target.encrypt ? options.codec.encrypting() : options.codec,
  };
}

/**
 * The marker-only change that a key needs, with or without data; a hold where markers of ours do
 * not have the form and cannot be brought to it; null when they have it, or none is ours.
 */
function migrationOf(
  key: FoldedKey,
  context: MigrationContext,
  options: WriteOptions,
): KeyChange | Hold | null {
  const owned = key.markers.filter(({ owner }) => options.isOwnedByUs(owner));
  if (owned.length === 0) return null;
  const draft = draftMigration({ ...key, markers: owned }, context, options);
  if (!("code" in draft) && draft.writes.length === 0) return null;
  const trouble = blockerOn(key, options) ?? ("code" in draft ? draft : null);
  return trouble === null
    ? migrationChange(key, context.target, options)
    : migrationHold(key, owned, trouble);
}

/** `migrationOf` for all keys of one name. */
export function migrationsOf(
  keys: readonly FoldedKey[],
  context: MigrationContext,
  options: WriteOptions,
): Pick<NamePlan, "changes" | "holds"> {
  const changes: KeyChange[] = [];
  const holds: Hold[] = [];
  for (const key of keys) {
    const found = migrationOf(key, context, options);
    if (found === null) continue;
    if ("code" in found) holds.push(found);
    else changes.push(found);
  }
  return { changes, holds };
}

/** What a migration is decided from. */
interface MigrationContext {
  readonly target: MarkerTarget;
  readonly present: PresentSets;
}

function migrationChange(
  key: FoldedKey,
  target: MarkerTarget,
  { isOwnedByUs }: WriteOptions,
): KeyChange {
  const current = toOwned(key, isOwnedByUs);
  const { marker } = current;
  invariant(marker !== null, "a key that is moved has a marker");
  const provenance = objectIn(marker) ?? UNKNOWN_OBJECT;
  return changeAt(
    current,
    { code: "MarkerMigrated", message: "the marker is brought to another form" },
    { marker: { owner: marker.owner, provenance }, migration: target },
  );
}

/** The hold; its message names the marker, whose name does not follow from the record. */
function migrationHold(
  key: FoldedKey,
  owned: FoldedKey["markers"],
  { code, message }: MigrationBlocker,
): Hold {
  const markerNames = owned.map(({ record }) => record.name).join(", ");
  const half = key.data === null ? "; it has no record: remove it by hand if it is not needed" : "";
  const text = `${message} (our marker: TXT ${markerNames}${half})`;
  return holdAt(key, { code, message: text, provenance: null });
}

/** Stands for the object in messages where the marker names none, or only a hash. */
const UNKNOWN_OBJECT = { cluster: "", kind: "unknown", namespace: "unknown", name: "unknown" };

/** Why markers stay as they are; some of these codes never hold an entry. */
type MigrationBlocker = Omit<HoldDetail, "provenance">;

/**
 * Why the markers of a key cannot be moved: not ours alone, or in the middle of a sequence. Null =
 * they can.
 */
function blockerOn(key: FoldedKey, { isOwnedByUs }: WriteOptions): MigrationBlocker | null {
  // A marker that gives no right has no owner.
  if (key.shared || key.markers.some(({ owner }) => !isOwnedByUs(owner))) return CONTESTED;
  return key.markers.some(({ labels }) => isPending(labels)) ? UNDER_WAY : null;
}

const CONTESTED: MigrationBlocker = {
  code: "Contested",
  message: "somebody else's marker or text claims the record, too: remove what is wrong",
};
const UNDER_WAY: MigrationBlocker = {
  code: "MarkerPending",
  message: "a write of the record is under way: ask again when zonekeeper plan shows it no more",
};

/** The writes that bring the key's markers to the form of `target`; none when they have it. */
export function draftMigration(
  key: FoldedKey,
  { target, present }: MigrationContext,
  given: WriteOptions,
): MarkerDraft {
  const options = optionsFor(target, given);
  if (target.encrypt && options.codec.writes !== "encrypted") return NO_KEY;
  const shared = key.markers.find((entry) => entry.shared);
  if (shared !== undefined) return sharedMarker(shared.record);
  if (key.type === ANY_TYPE) return rewriteUntyped(key, options);
  const best = bestMarkerName(key, present, options);
  if ("code" in best) return best;
  const stays = key.markers.find(({ record }) => record.name === best.markerName) ?? null;
  const { wanted = [] } = target;
  const kept = rewriteAt(key, { stays, markerName: best.markerName, wanted }, options);
  if ("code" in kept) return kept;
  const others = key.markers.filter((entry) => entry !== stays);
  const meant = others.find(({ competingType }) => competingType !== undefined);
  // external-dns reads a marker without a type for others, too (ADR 0023): it is not removed.
  if (meant !== undefined) {
    const message = `the marker at ${meant.record.name} names no type, and external-dns would read it as the marker of ${meant.competingType} ${key.name}, which has none: adopt that record if it is to be ours, or remove the marker by hand`;
    return { code: "MarkerAmbiguous", message };
  }
  const removals = others.map(({ record }): Change => ({ op: "remove", previous: record }));
  return { ...NOTHING, writes: [...kept.writes, ...removals] };
}

const NOTHING = { before: [], writes: [], preconditions: [] };
const NO_KEY: Blocker = {
  code: "NoMarkerPossible",
  message: "no key is configured: start the instance with --txt-encrypt-aes-key-file",
};

/**
 * A marker without data whose name says no type: no template has a name for it, but its text can be
 * rewritten.
 */
function rewriteUntyped(key: FoldedKey, options: WriteOptions): MarkerDraft {
  const writes: Change[] = [];
  for (const stays of key.markers) {
    const kept = rewriteAt(key, { stays, markerName: stays.record.name, wanted: [] }, options);
    if ("code" in kept) return kept;
    writes.push(...kept.writes);
  }
  return writes.length > 0 ? { ...NOTHING, writes } : NO_TYPE;
}

const NO_TYPE: Blocker = {
  code: "NoMarkerPossible",
  message: "its name says no type, so no name template fits it",
};

/**
 * The first name of the templates that the marker has already, or may get. A marker that is created
 * without its data in the same call must not make a name exist below a wildcard (Z-12).
 */
function bestMarkerName(
  key: FoldedKey,
  present: PresentSets,
  options: WriteOptions,
): { readonly markerName: DnsName } | Blocker {
  const atomic = options.atomic && key.data !== null;
  const free = chooseMarkerName(key, { ...options, atomic, present, avoid: null });
  const isTaken = (markerName: DnsName) =>
    key.markers.some(({ record }) => record.name === markerName);
  const markerName = markerNamesOf(key, options).find(
    (one) => isTaken(one) || ("name" in free && free.name === one),
  );
  if (markerName !== undefined) return { markerName };
  invariant("trouble" in free, "a free name is one of the template's");
  return { code: "NoMarkerPossible", message: free.trouble };
}

/** Where the marker of a key is to be, and what objects want there. */
interface Rewriting {
  /** The marker that is in the place already; null = none. */
  readonly stays: MarkerEntry | null;
  readonly markerName: DnsName;
  /** What objects want at the name. */
  readonly wanted: readonly DesiredRecordSet[];
}

/**
 * The write after which the marker at `markerName` has the labels of the key's first marker, with
 * its cluster where there is room; none when it has them already.
 */
function rewriteAt(
  key: FoldedKey,
  { stays, markerName, wanted }: Rewriting,
  options: WriteOptions,
): { readonly writes: readonly Change[] } | Blocker {
  const found = stays ?? key.markers[0];
  invariant(found !== undefined, "what is brought to another form has a marker");
  // A signature is for one marker name; it is made anew where signing is on.
  const { sig: _, ...labels } = found.labels;
  const textWith = (text: MarkerLabels) =>
    encodeMarker({ labels: text, key, markerName, found: stays }, options);
  const cluster = presentCluster(
    labels,
    wanted.filter((set) => isSameKey(set, key)),
    options,
  );
  const value = (cluster === null ? null : textWith({ ...labels, cluster })) ?? textWith(labels);
  if (value === null) return TOO_LONG;
  if (value === stays?.value) return NOTHING;
  const next = { ...found.record, name: markerName, values: [value] };
  if (stays === null) return { writes: [{ op: "create", next }] };
  return { writes: [{ op: "replace", previous: stays.record, next }] };
}

/**
 * The cluster that a marker is to name: under its present id; where it names none, that of the one
 * object of its kind, namespace and name that wants the record (Z-30). Null = it is not known.
 */
function presentCluster(
  { resource, cluster: named }: MarkerLabels,
  wanted: readonly DesiredRecordSet[],
  { clusterAliases, writeCluster }: WriteOptions,
): string | null {
  if (named !== undefined) return clusterAliases.get(named) ?? null;
  if (!writeCluster) return null;
  const mark = { resource: readResource(resource), cluster: null };
  const meant = wanted.filter(({ provenance }) => isMarkOf(mark, provenance));
  const [cluster, ...others] = new Set(meant.map(({ provenance }) => provenance.cluster));
  return others.length > 0 ? null : (cluster ?? null);
}

const TOO_LONG: Blocker = {
  code: "MarkerTooLong",
  message: "the marker does not fit 255 bytes in its new form; it stays as it is",
};
