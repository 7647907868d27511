/**
 * One UPDATE against one zone version: all of it or nothing (RFC 2136 §3). Pure; who may update is
 * decided before, storing and answering come after.
 */
import { invariant } from "@zonekeeper/base/invariant";
import { type DnsName, isAtOrBelow, isWildcard } from "../../names/dns-name.ts";
import { canonicalValues } from "../../rdata/canonical-values.ts";
import type { RecordType } from "../../rdata/record-type.ts";
import { isSerialNewer, parseSoaFields } from "../../rdata/soa.ts";
import { isMetaType } from "../../rdata/type-numbers.ts";
import type { Message, Rcode, ResourceRecord } from "../../wire/message/message.ts";
import { type ZoneChange, ZoneEdit } from "../zone/zone-edit.ts";
import type { ZoneVersion } from "../zone/zone-version.ts";

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
 * Judges and carries out. An update that changes nothing is NOERROR with a null change: the serial
 * stays. An update after which the zone had more than `recordsMax` records is REFUSED.
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
  if (klass === "IN") return data !== null && !isMetaType(type);
  if (ttlSeconds !== 0) return false;
  if (klass === "NONE") return data !== null && !isMetaType(type);
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
    else if (update.type === "ANY") removeName(edit, apex, update.name);
    else if (!isKept(apex, update)) edit.remove(update.name, update.type);
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
    if (set !== undefined && isLaterSoa(data, set.values[0]))
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

function isLaterSoa(offered: string, present: string | undefined): boolean {
  const next = parseSoaFields(offered);
  const current = parseSoaFields(present ?? "");
  return next.ok && current.ok && isSerialNewer(next.value.serial, current.value.serial);
}

/** RFC 2136 §3.4.2.3: all sets of a name; at the apex all but SOA and NS. */
function removeName(edit: ZoneEdit, apex: DnsName, name: DnsName): void {
  for (const { type } of edit.setsAt(name))
    if (!isKept(apex, { name, type })) edit.remove(name, type);
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

/** Sets without which a zone is none. */
function isKept(apex: DnsName, set: { readonly name: DnsName; readonly type: string }): boolean {
  return set.name === apex && (set.type === "SOA" || set.type === "NS");
}

// The prerequisite section of UPDATE (RFC 2136 §3.2): the five kinds of conditions, judged on one
// version. Pure.

/** The end of one step of UPDATE processing. Null = the step found nothing wrong, go on. */
type UpdateVerdict = Exclude<Rcode, "NOERROR"> | null;

/** Sets that must be there exactly, gathered from single records (RFC 2136 §3.2.3). */
type WantedSets = Map<
  string,
  { readonly name: DnsName; readonly type: RecordType; readonly values: string[] }
>;

/**
 * The rcode of the first condition that fails, in the order of RFC 2136 §3.2.5; null when all hold.
 */
function judgePrerequisites(
  zone: ZoneVersion,
  conditions: readonly ResourceRecord[],
): UpdateVerdict {
  const wanted: WantedSets = new Map();
  for (const condition of conditions) {
    const verdict = judge(zone, condition, wanted);
    if (verdict !== null) return verdict;
  }
  for (const { name, type, values } of wanted.values())
    if (!hasExactly(zone.set(name, type)?.values ?? [], values)) return "NXRRSET";
  return null;
}

/** One condition by its class, as the table of RFC 2136 §3.2.4 has it. */
function judge(zone: ZoneVersion, condition: ResourceRecord, wanted: WantedSets): UpdateVerdict {
  if (condition.ttlSeconds !== 0) return "FORMERR";
  if (!isAtOrBelow(condition.name, zone.apex)) return "NOTZONE";
  if (condition.class === "ANY") return judgePresence(zone, condition);
  if (condition.class === "NONE") return judgeAbsence(zone, condition);
  return condition.class === "IN" ? gather(condition, wanted) : "FORMERR";
}

/** "RRset exists (value independent)" and "name is in use" (RFC 2136 §2.4.1, §2.4.4). */
function judgePresence(zone: ZoneVersion, { name, type, data }: ResourceRecord): UpdateVerdict {
  if (data !== null || isStrange(type)) return "FORMERR";
  if (type === "ANY") return isInUse(zone, name) ? null : "NXDOMAIN";
  return zone.set(name, type) === undefined ? "NXRRSET" : null;
}

/** "RRset does not exist" and "name is not in use" (RFC 2136 §2.4.3, §2.4.5). */
function judgeAbsence(zone: ZoneVersion, { name, type, data }: ResourceRecord): UpdateVerdict {
  if (data !== null || isStrange(type)) return "FORMERR";
  if (type === "ANY") return isInUse(zone, name) ? "YXDOMAIN" : null;
  return zone.set(name, type) === undefined ? null : "YXRRSET";
}

/** "RRset exists (value dependent)" (RFC 2136 §2.4.2): compared when all its records are known. */
function gather({ name, type, data }: ResourceRecord, wanted: WantedSets): UpdateVerdict {
  if (data === null || isMetaType(type)) return "FORMERR";
  const key = `${name} ${type}`;
  const set = wanted.get(key) ?? { name, type, values: [] };
  wanted.set(key, set);
  set.values.push(data);
  return null;
}

/** Empty non-terminals are not in use (RFC 2136 §2.4.4). */
function isInUse(zone: ZoneVersion, name: DnsName): boolean {
  return (zone.node(name)?.sets.length ?? 0) > 0;
}

/** Meta types other than ANY name nothing that could exist. */
function isStrange(type: RecordType): boolean {
  return type !== "ANY" && isMetaType(type);
}

/** Equal as sets; TTLs are not compared (RFC 2136 §2.4.2). `present` is canonical already. */
function hasExactly(present: readonly string[], wanted: readonly string[]): boolean {
  const values = canonicalValues(wanted);
  return values.length === present.length && values.every((value, i) => value === present[i]);
}
