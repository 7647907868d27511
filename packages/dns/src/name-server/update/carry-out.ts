/**
 * Carries out the update section on an edit (RFC 2136 §3.4.2), with its silent drops: a CNAME added
 * to other data, other data added to a CNAME, an SOA that is not later, the last apex NS. Expects a
 * section that passed the prescan.
 */
import { invariant } from "@zonekeeper/base/invariant";
import { type DnsName, isWildcard } from "../../names/dns-name.ts";
import { isSerialNewer, parseSoaFields } from "../../rdata/soa.ts";
import type { ResourceRecord } from "../../wire/message/message.ts";
import type { ZoneEdit } from "../zone/zone-edit.ts";

/** A second one replaces the first (RFC 2136 §3.4.2.2, RFC 6672 §5.2). */
const SINGLETONS: ReadonlySet<string> = new Set(["CNAME", "DNAME"]);

/** Applies the records in their order; the order matters (RFC 2136 §3.4.2.6). */
export function carryOut(edit: ZoneEdit, apex: DnsName, updates: readonly ResourceRecord[]): void {
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
