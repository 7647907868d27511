/**
 * One UPDATE against one zone version: all of it or nothing (RFC 2136 §3). Pure; who may update is
 * decided before, storing and answering come after.
 */
import { invariant } from "@zonekeeper/base/invariant";
import { type DnsName, isAtOrBelow, isWildcard } from "../../names/dns-name.ts";
import { isSerialNewer, serialOf } from "../../rdata/soa.ts";
import { isMetaType } from "../../rdata/type-numbers.ts";
import type { Message, Rcode, ResourceRecord } from "../../wire/message/message.ts";
import { type ZoneChange, ZoneEdit } from "../zone/zone-edit.ts";
import type { ZoneVersion } from "../zone/zone-version.ts";
import { judgePrerequisites, type UpdateVerdict } from "./prerequisites.ts";

/** Records of a zone at most, by default. */
export const ZONE_RECORDS_MAX = 5_000_000;

/** What an update comes to. With any rcode but NOERROR the change is null. */
export interface UpdateResult {
  readonly rcode: Rcode;
  /** Null = the zone stays as it is. */
  readonly change: ZoneChange | null;
}

/**
 * The zone that an update is for; null when the zone section is malformed (RFC 2136 §3.1.1:
 * FORMERR).
 */
export function updatedZone(message: Message): DnsName | null {
  const [zone, ...more] = message.question;
  if (zone === undefined || more.length > 0 || zone.type !== "SOA") return null;
  return zone.name;
}

/**
 * Checks an UPDATE and carries it out. An update that changes nothing is NOERROR with a null
 * change: the serial stays. An update after which the zone had more than `recordsMax` records is
 * REFUSED.
 */
export function evaluateUpdate(
  zone: ZoneVersion,
  message: Message,
  recordsMax: number = ZONE_RECORDS_MAX,
): UpdateResult {
  const verdict = judgePrerequisites(zone, message.answer) ?? prescan(zone.apex, message.authority);
  if (verdict !== null) return { rcode: verdict, change: null };
  const edit = new ZoneEdit(zone);
  carryOut(edit, zone.apex, message.authority);
  if (edit.recordCount > recordsMax) return { rcode: "REFUSED", change: null };
  const change = edit.finish();
  return { rcode: "NOERROR", change: change.delta === null ? null : change };
}

/**
 * The form of the update section, checked before anything is changed (RFC 2136 §3.4.1): the rcode
 * of the first record that cannot be an update; null when all can.
 */
function prescan(apex: DnsName, updates: readonly ResourceRecord[]): UpdateVerdict {
  for (const update of updates) {
    if (!isAtOrBelow(update.name, apex)) return "NOTZONE";
    if (!isWellFormed(update)) return "FORMERR";
  }
  return null;
}

/**
 * The table of RFC 2136 §3.4.1.2: IN adds, ANY removes sets and names, NONE removes single records.
 */
function isWellFormed(update: ResourceRecord): boolean {
  const { class: klass, type, ttlSeconds, data } = update;
  if (klass !== "IN" && ttlSeconds !== 0) return false;
  if (klass === "IN" || klass === "NONE") return data !== null && !isMetaType(type);
  return klass === "ANY" && data === null && (type === "ANY" || !isMetaType(type));
}

// Carries out the update section on an edit (RFC 2136 §3.4.2), with its silent drops: a CNAME added
// to other data, other data added to a CNAME, an SOA that is not later, the last apex NS. Expects a
// section that passed the prescan.

/** A second one replaces the first (RFC 2136 §3.4.2.2, RFC 6672 §5.2). */
const SINGLETONS: ReadonlySet<string> = new Set(["CNAME", "DNAME"]);

/** Applies the records in their order; the order matters (RFC 2136 §3.4.2.6). */
function carryOut(edit: ZoneEdit, apex: DnsName, updates: readonly ResourceRecord[]): void {
  for (const update of updates) {
    if (update.class === "IN") add(edit, update);
    else if (update.class === "NONE") removeRecord(edit, apex, update);
    else removeSets(edit, apex, update);
  }
}

/**
 * RFC 2136 §3.4.2.2. The TTL of the record becomes that of its set, which has only one (RFC 2181
 * §5.2).
 */
function add(edit: ZoneEdit, { name, type, ttlSeconds, data }: ResourceRecord): void {
  invariant(data !== null, "the prescan refuses an added record without data");
  const set = edit.set(name, type);
  if (type === "SOA") {
    const [offered, present] = [serialOf({ data }), serialOf({ data: set?.values[0] ?? null })];
    if (offered !== null && present !== null && isSerialNewer(offered, present))
      edit.put(name, { type, ttlSeconds, values: [data] });
    return;
  }
  // RFC 4592 §4.4, RFC 6672 §3.3: what a DNAME at a wildcard means is not defined; dropped, as BIND
  // does.
  if (type === "DNAME" && isWildcard(name)) return;
  if (clashesWithAlias(edit, name, type)) return;
  const values = SINGLETONS.has(type) ? [data] : [...(set?.values ?? []), data];
  edit.put(name, { type, ttlSeconds, values });
}

/**
 * A CNAME is the only record of its name (RFC 1034 §3.6.2), also with a DNAME (RFC 6672 §5.2);
 * whichever comes second is dropped without an error.
 */
function clashesWithAlias(edit: ZoneEdit, name: DnsName, type: string): boolean {
  const others = edit.setsAt(name).filter((set) => set.type !== type);
  return type === "CNAME" ? others.length > 0 : others.some((set) => set.type === "CNAME");
}

/**
 * RFC 2136 §3.4.2.3: removes the set of a type, or (type ANY) all sets of the name; at the apex
 * never SOA and NS.
 */
function removeSets(edit: ZoneEdit, apex: DnsName, { name, type: named }: ResourceRecord): void {
  const types = named === "ANY" ? edit.setsAt(name).map(({ type }) => type) : [named];
  for (const type of types) if (!isKept(apex, { name, type })) edit.remove(name, type);
}

/** RFC 2136 §3.4.2.4: one record; never an SOA and never the last NS of the apex. */
function removeRecord(edit: ZoneEdit, apex: DnsName, update: ResourceRecord): void {
  const set = edit.set(update.name, update.type);
  if (set === undefined || update.type === "SOA") return;
  const values = set.values.filter((value) => value !== update.data);
  if (values.length === set.values.length) return;
  if (values.length === 0 && isKept(apex, update)) return;
  edit.put(update.name, { ...set, values });
}

/** True for the SOA and the NS set of the apex, without which a zone cannot be. */
function isKept(apex: DnsName, set: { readonly name: DnsName; readonly type: string }): boolean {
  return set.name === apex && (set.type === "SOA" || set.type === "NS");
}
