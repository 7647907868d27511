/**
 * Which changes of ours can be undone now (ADR 0122): compares the net changes of the journal with
 * what zones hold, and names the objects that would change a record again. Only reads.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { isMarkOf, type Provenance, resourceOf } from "../../model/provenance.ts";
import {
  type DesiredRecordSet,
  isSameKey,
  type RecordSet,
  type RecordSetKey,
} from "../../model/record-set.ts";
import type { OwnedRecordSet } from "../../plan/changes.ts";
import { isPending } from "../../plan/pending.ts";
import { proofText } from "../../plan/removal/proofs.ts";
import type { UndoChoice, UndoPreview, UndoQuery } from "../contract/ownership-rows.ts";
import type {
  ChangeHistory,
  ChangeQuery,
  RecordData,
  ZoneChange,
} from "../contract/zone-change.ts";
import { isSameSet } from "../zone/ownership-orders.ts";
import type { ZoneActor } from "../zone/zone-actor.ts";
import { type NetChange, netChanges } from "./net-changes.ts";

/** The part of a zone's actor that is read. */
type UndoZone = Pick<
  ZoneActor,
  "apex" | "key" | "state" | "index" | "zoneFailure" | "identity" | "zoneInput"
>;

/** Changes that are looked at; older ones are not. */
const UNDONE_MAX = 10_000;

/** The preview of an undo. Never rejects. */
export async function undoPreview(
  query: UndoQuery,
  history: (asked: ChangeQuery) => Promise<ChangeHistory>,
  zones: readonly UndoZone[],
): Promise<UndoPreview> {
  const { changes, isCut, troubles } = await history({ ...query, limit: UNDONE_MAX });
  const cut = isCut ? [`only the last ${UNDONE_MAX} changes are looked at; choose fewer`] : [];
  const choices = netChanges(changes, query).map((one) => choiceOf(one, readZone(zones, one.last)));
  return { choices, troubles: [...troubles, ...cut] };
}

function choiceOf(net: NetChange, found: Result<ReadZone>): UndoChoice {
  const { apex, key, before, after, last } = net;
  const shown = { apex, key, from: after, to: before };
  const left = (reason: string, isSo = false): UndoChoice => {
    return { ...shown, order: null, reason, isSo, again: null };
  };
  if (!found.ok) return left(found.error);
  const { zone, state } = found.value;
  const set = state.owned.at(key.name).find((one) => isSameKey(one, key)) ?? null;
  if (set?.marker && isPending(set.marker.labels))
    return left("a change of this record is under way. Try again");
  const to = before === null ? null : desiredOf(key, before, last);
  const from = after === null ? null : recordSetOf(key, after);
  if (before !== null && to === null) return left("it is not known for which object it was");
  if (isSameSet(set?.data ?? null, to)) return left("it is as it was before", true);
  const changed = changedSince(set, from, last, zone.identity.owners);
  if (changed !== null) return left(`${changed}; it is not touched`);
  const order = { zone: zone.key, change: { is: "undo", from, to } } as const;
  const again = againText(zone.index.wanted(key.name), key, { to, last });
  return { ...shown, order, reason: "", isSo: false, again };
}

/** A zone that was read and can be. */
interface ReadZone {
  readonly zone: UndoZone;
  readonly state: NonNullable<UndoZone["state"]>;
}

/** The zone of the change; of several with one name, that of the account of the change. */
function readZone(zones: readonly UndoZone[], last: ZoneChange): Result<ReadZone> {
  const named = zones.filter(({ apex }) => apex === last.zone);
  const isOfAccount = ({ zoneInput }: UndoZone): boolean =>
    zoneInput.facts?.().providers.some((one) => last.providers.includes(one)) === true;
  const zone = named.length < 2 ? named[0] : named.find(isOfAccount);
  if (zone === undefined) return fail("its zone is not open here");
  const { zoneFailure, state } = zone;
  if (zoneFailure !== null) return fail(`its zone cannot be read: ${zoneFailure.message}`);
  return state === null ? fail("its zone is being read. Try again") : ok({ zone, state });
}

/** What somebody else did since: the data, the object or the owner is another. Null = nothing. */
function changedSince(
  set: OwnedRecordSet | null,
  from: RecordSet | null,
  last: ZoneChange,
  owners: ReadonlySet<string>,
): string | null {
  const data = set?.data ?? null;
  if (!isSameSet(data, from))
    return `somebody changed it since: ${textOf(data)} is there, and our change left ${textOf(from)}`;
  if (set === null) return null;
  const { marker, contested } = set;
  const object = objectOf(last);
  const isOfObject = object !== null && isMarkOf(marker, object);
  if (marker !== null && marker.resource !== null && !isOfObject)
    return `it is the record of ${marker.resource} now`;
  if (marker !== null && !contested && owners.has(marker.owner)) return null;
  return `it is not ours any more (${marker?.owner || "no owner"})`;
}

/** Which object would change the record again once the pause ends, and what to do; null = none. */
function againText(
  wanted: readonly DesiredRecordSet[],
  key: RecordSetKey,
  { to, last }: { readonly to: DesiredRecordSet | null; readonly last: ZoneChange },
): string | null {
  const resume = `zonekeeper resume --name ${key.name}`;
  const [other] = wanted.filter((one) => isSameKey(one, key));
  if (
    other !== undefined &&
    to !== null &&
    isSameSet({ ...other, ttlSeconds: to.ttlSeconds ?? 0 }, to)
  )
    return null;
  if (other !== undefined)
    return `${resourceOf(other.provenance)} wants ${other.values.join(", ")}: correct it, then: ${resume}`;
  if (to === null) return null;
  const state = proofText(last.why) ?? "no object wants it";
  return `once the pause ends, the record is removed again, since ${state} (${last.object}). Bring the object back first, then: ${resume}; or keep the record without an object: zonekeeper ownership release ${key.name}`;
}

function textOf(data: RecordSet | null): string {
  return data === null ? "no record" : `${data.values.join(", ")} ttl ${data.ttlSeconds}`;
}

function recordSetOf({ name, type, setIdentifier }: RecordSetKey, data: RecordData): RecordSet {
  const { values, ttlSeconds, properties = {}, routingPolicy = null } = data;
  return { name, type, setIdentifier, ttlSeconds, values, properties, routingPolicy };
}

/** The record set to bring back, for the object that has or had it; null = that is not known. */
function desiredOf(key: RecordSetKey, data: RecordData, last: ZoneChange): DesiredRecordSet | null {
  const provenance = objectOf(last);
  if (provenance === null) return null;
  const owner = last.owner ?? null;
  return { ...recordSetOf(key, data), provenance, owner, createdAtMs: 0 };
}

/**
 * The object of a change; its name may be the hash of a long one, as in its marker. Null = none.
 */
function objectOf({ object, cluster = "" }: ZoneChange): Provenance | null {
  const [kind, namespace, name, ...more] = object.split("/");
  if (!kind || namespace === undefined || !name || more.length > 0) return null;
  return { cluster, kind, namespace, name };
}
