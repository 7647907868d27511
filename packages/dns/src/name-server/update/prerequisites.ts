/**
 * The prerequisite section of UPDATE (RFC 2136 §3.2): the five kinds of conditions, judged on one
 * version. Pure.
 */
import { type DnsName, isAtOrBelow } from "../../names/dns-name.ts";
import { canonicalValues } from "../../rdata/canonical-values.ts";
import type { RecordType } from "../../rdata/record-type.ts";
import { isMetaType } from "../../rdata/type-numbers.ts";
import type { Rcode, ResourceRecord } from "../../wire/message/message.ts";
import type { ZoneVersion } from "../zone/zone-version.ts";

/** The end of one step of UPDATE processing. Null = the step found nothing wrong, go on. */
export type UpdateVerdict = Exclude<Rcode, "NOERROR"> | null;

/** Sets that must be there exactly, gathered from single records (RFC 2136 §3.2.3). */
type WantedSets = Map<
  string,
  { readonly name: DnsName; readonly type: RecordType; readonly values: string[] }
>;

/**
 * The rcode of the first condition that fails, in the order of RFC 2136 §3.2.5; null when all hold.
 */
export function judgePrerequisites(
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
