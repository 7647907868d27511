/**
 * The writes of permits of one key (Z-13): a permit is given, withdrawn, or used and removed. It is
 * the record by which an owner lets another object claim a record. Decides nothing about who may
 * claim.
 */
import { invariant } from "@zonekeeper/base/invariant";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { isSameKey, plainKey, type RecordSet, type RecordSetKey } from "../../model/record-set.ts";
import type { Change, KeyChange, Precondition } from "../../plan/changes.ts";
import { asRead, type PresentSets, setAt } from "../../plan/preconditions.ts";
import type { Blocker } from "../../plan/rules.ts";
import { cutBetween } from "../shared/zone-cut.ts";
import { type FoldOptions, fold } from "./fold-markers.ts";
import { markerName } from "./name-template.ts";
import { formatPermit, type PermitScope, permitName } from "./permit.ts";

/** Permit writes with their preconditions. */
export interface PermitDraft {
  readonly writes: readonly Change[];
  readonly preconditions: readonly Precondition[];
}

/** What permits are written with. */
export interface PermitContext extends PermitScope, FoldOptions {
  readonly present: PresentSets;
  /** Seconds of new permits. */
  readonly markerTtlSeconds: number;
}

const NOTHING: PermitDraft = { writes: [], preconditions: [] };

/**
 * The permit writes of one key. A text for which there is a marker was published by a user: it
 * gives no right, and is left alone.
 */
export function draftPermit(change: KeyChange, context: PermitContext): PermitDraft | Blocker {
  const { permit, current } = change;
  if (permit === undefined) return NOTHING;
  if (permit.is === "given") return draftPermitFor(change, permit, context);
  const record = current?.permit?.record;
  if (record === undefined) return NOTHING;
  const markerKeys = markerKeysOf(record, context);
  const markerSets = markerKeys.flatMap((key) => setAt(key, context.present) ?? []);
  // The use of a permit is held by any text at a marker's name, its removal only by a marker.
  const [used] = markerSets;
  const usedTrouble =
    used === undefined
      ? null
      : `the permit at ${record.name} is a text that somebody publishes (marker ${used.name}); it gives no right`;
  const trouble = permit.is === "used" ? usedTrouble : markedTrouble(record, markerSets, context);
  if (trouble !== null) return { code: "ForeignRecord", message: trouble };
  return {
    writes: [{ op: "remove", previous: record }],
    preconditions: markerKeys.map((key) => asRead(key, context.present)),
  };
}

/**
 * Keys of markers that would show that the permit is a user's text, which must not give anything
 * away.
 */
function markerKeysOf(record: RecordSetKey, context: PermitContext): readonly RecordSetKey[] {
  return context.nameTemplates.flatMap((template) => {
    const name = markerName(template, { ...record, type: "TXT" }, context);
    return name === null ? [] : [{ ...plainKey(record), name, type: "TXT" }];
  });
}

function markedTrouble(
  record: RecordSet,
  markerSets: readonly RecordSet[],
  context: PermitContext,
): string | null {
  const content = fold([record, ...markerSets], context).filter((one) => isSameKey(one, record));
  const marker = content.flatMap(({ markers }) => markers)[0];
  if (marker === undefined) return null;
  return `${record.name} is a name that somebody publishes a text at (marker ${marker.record.name}); it is no permit`;
}

function draftPermitFor(
  change: KeyChange,
  to: { readonly owner: string; readonly resource: string },
  context: PermitContext,
): PermitDraft | Blocker {
  const { key, current, marker } = change;
  invariant(marker !== null, "who permits keeps the record");
  const content = { owner: marker.owner, toOwner: to.owner, toResource: to.resource };
  const text = formatPermit(content, key, context);
  const message = "the permit does not fit 255 bytes of printable text";
  if (text === null) return { code: "MarkerTooLong", message };
  const name = permitName(key, context.apex);
  if (name === null)
    return {
      code: "NoMarkerPossible",
      message: `no permit can be written for ${key.name} ${key.type}: its name would be too long or outside the zone`,
    };
  const previous = current?.permit?.record ?? null;
  const next = permitRecord({ ...key, name, type: "TXT" }, text, { change, context });
  const markerKeys = markerKeysOf(next, context);
  const markerSets = markerKeys.flatMap((key) => setAt(key, context.present) ?? []);
  const trouble =
    troubleAt(next, { ...context, key, previous }) ?? markedTrouble(next, markerSets, context);
  if (trouble !== null) return { code: "NoMarkerPossible", message: trouble };
  const cname = { name, type: "CNAME", setIdentifier: null };
  const write: Change =
    previous === null ? { op: "create", next } : { op: "replace", previous, next };
  const grounds = markerKeys.map((key) => asRead(key, context.present));
  return { writes: [write], preconditions: [{ is: "absent", key: cname }, ...grounds] };
}

/**
 * Set identifier, policy and properties are those of the record, as with its marker; the TTL stays
 * as it was found.
 */
function permitRecord(
  key: RecordSetKey,
  text: string,
  { change, context }: { readonly change: KeyChange; readonly context: PermitContext },
): RecordSet {
  const { current, desired } = change;
  const like = desired ?? current?.data ?? null;
  invariant(like !== null, "who permits has the record");
  return {
    ...plainKey(key),
    ttlSeconds: current?.permit?.record.ttlSeconds ?? context.markerTtlSeconds,
    values: [text],
    properties: like.properties,
    routingPolicy: like.routingPolicy,
  };
}

interface PermitLocation {
  readonly key: RecordSetKey;
  readonly present: PresentSets;
  readonly apex: DnsName;
  readonly previous: RecordSet | null;
}

/** Why no permit can be written there; null = it can. */
function troubleAt(
  next: RecordSet,
  { key, present, apex, previous }: PermitLocation,
): string | null {
  const there = present.at(next.name);
  const isOther = (set: RecordSet) => previous === null || !isSameKey(set, previous);
  if (there.some((set) => isOther(set) && ["CNAME", "TXT"].includes(set.type)))
    return `the name of the permit, ${next.name}, is taken by another record`;
  // RFC 4592 §2.2.2: the names in between would exist and no longer be answered by the wildcard.
  if (next.name.endsWith(`.${key.name}`) && present.at(`*.${key.name}`).length > 0)
    return `a permit at ${next.name} would hide the wildcard *.${key.name}`;
  const cut = cutBetween({ marker: next.name, data: key.name }, apex, present);
  return cut === null ? null : `${next.name} is not answered: the zone ends at ${cut}`;
}
