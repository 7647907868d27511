/**
 * The prerequisites and updates of RFC 2136 that no provider of ours sends and that a server has to
 * answer. Builders as those of packages/dns/src/wire/message/update.ts.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { ResourceRecord } from "@zonekeeper/dns/wire/message/message";
import type { SetName } from "@zonekeeper/dns/wire/message/update";

/** RFC 2136 §2.4.1: a record set with this name and type exists. Fails with NXRRSET. */
export function requireSet(set: SetName): ResourceRecord {
  return ofAny(set);
}

/** RFC 2136 §2.4.4: the name owns some record. Fails with NXDOMAIN. */
export function requireNameInUse(name: DnsName): ResourceRecord {
  return ofAny({ name, type: "ANY" });
}

/** RFC 2136 §2.5.2: delete a whole record set, whatever it holds. */
export function deleteSet(set: SetName): ResourceRecord {
  return ofAny(set);
}

/** RFC 2136 §2.5.3: delete every record set of a name (apex SOA and NS stay). */
export function deleteName(name: DnsName): ResourceRecord {
  return ofAny({ name, type: "ANY" });
}

function ofAny(set: SetName): ResourceRecord {
  return { name: set.name, type: set.type, class: "ANY", ttlSeconds: 0, data: null };
}
