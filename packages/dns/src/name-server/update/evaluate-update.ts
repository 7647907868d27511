/**
 * One UPDATE against one zone version: all of it or nothing (RFC 2136 §3). Pure; who may update is
 * decided before, storing and answering come after.
 */
import { type DnsName, isAtOrBelow } from "../../names/dns-name.ts";
import { isMetaType } from "../../rdata/type-numbers.ts";
import type { Message, Rcode, ResourceRecord } from "../../wire/message/message.ts";
import { type ZoneChange, ZoneEdit } from "../zone/zone-edit.ts";
import type { ZoneVersion } from "../zone/zone-version.ts";
import { carryOut } from "./carry-out.ts";
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
