/**
 * The prerequisite section of UPDATE (RFC 2136 §3.2): the five kinds of conditions, judged on one
 * version. Pure.
 */
import { groupedBy } from "@zonekeeper/base/grouped-by";
import { type DnsName, isAtOrBelow } from "../../names/dns-name.ts";
import { canonicalValues } from "../../rdata/index.ts";
import { isMetaType } from "../../rdata/type-numbers.ts";
import type { Rcode, ResourceRecord } from "../../wire/message/message.ts";
import type { ZoneVersion } from "../zone/zone-version.ts";

/** The end of one step of UPDATE processing. Null = the step found nothing wrong, go on. */
export type UpdateVerdict = Exclude<Rcode, "NOERROR"> | null;

/**
 * The rcode of the first condition that fails, in the order of RFC 2136 §3.2.5; null when all hold.
 */
export function judgePrerequisites(
  zone: ZoneVersion,
  conditions: readonly ResourceRecord[],
): UpdateVerdict {
  for (const condition of conditions) {
    const verdict = judge(zone, condition);
    if (verdict !== null) return verdict;
  }
  // "RRset exists (value dependent)" (RFC 2136 §2.4.2, §3.2.3): the conditions of class IN together
  // give all values of each set that they name. TTLs are not compared.
  const exact = conditions.filter((condition) => condition.class === "IN");
  for (const [set, records] of groupedBy(exact, ({ name, type }) => zone.set(name, type))) {
    const values = canonicalValues(records.map(({ data }) => data ?? ""));
    if (set?.values.join("\n") !== values.join("\n")) return "NXRRSET";
  }
  return null;
}

/** One condition by its class, as the table of RFC 2136 §3.2.4 has it. */
function judge(zone: ZoneVersion, condition: ResourceRecord): UpdateVerdict {
  const { name, type, class: klass, ttlSeconds, data } = condition;
  if (ttlSeconds !== 0) return "FORMERR";
  if (!isAtOrBelow(name, zone.apex)) return "NOTZONE";
  if (klass === "IN") return data === null || isMetaType(type) ? "FORMERR" : null;
  if ((klass !== "ANY" && klass !== "NONE") || data !== null) return "FORMERR";
  const mustExist = klass === "ANY";
  if (type === "ANY") return judgeName(zone, name, mustExist);
  if (isMetaType(type)) return "FORMERR";
  const exists = zone.set(name, type) !== undefined;
  if (exists === mustExist) return null;
  return exists ? "YXRRSET" : "NXRRSET";
}

/**
 * "Name is in use" and "name is not in use" (RFC 2136 §2.4.4, §2.4.5). Empty non-terminals are not
 * in use.
 */
function judgeName(zone: ZoneVersion, name: DnsName, mustExist: boolean): UpdateVerdict {
  const exists = (zone.node(name)?.sets.length ?? 0) > 0;
  if (exists === mustExist) return null;
  return exists ? "YXDOMAIN" : "NXDOMAIN";
}
