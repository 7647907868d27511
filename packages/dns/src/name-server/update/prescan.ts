/** The form of the update section, checked before anything is changed (RFC 2136 §3.4.1). Pure. */
import { type DnsName, isAtOrBelow } from "../../names/dns-name.ts";
import { isMetaType } from "../../rdata/type-numbers.ts";
import type { ResourceRecord } from "../../wire/message/message.ts";
import type { UpdateVerdict } from "./update-verdict.ts";

/** The rcode of the first record that cannot be an update; null when all can. */
export function prescan(apex: DnsName, updates: readonly ResourceRecord[]): UpdateVerdict {
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
